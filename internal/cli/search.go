package cli

import (
	"fmt"

	"milepost/internal/service"
	"milepost/internal/tracker"
)

type searchCommands struct {
	Reindex searchReindex `cmd:"" help:"Build the search index anew; the server may run meanwhile."`
	Check   searchCheck   `cmd:"" help:"Hold the search index against what it was made from."`
}

type searchReindex struct {
	where
	Workspace string `help:"Slug of the workspace; all of them by default." placeholder:"SLUG"`
}

func (c searchReindex) Run(e env) error {
	return c.each(e, c.Workspace, func(svc *service.Service, w tracker.Workspace) error {
		indexed := 0
		err := svc.Store().Reindex(e.ctx, w.ID, func(entities int) { indexed = entities })
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(e.out, "%s: %d entities indexed\n", w.Slug, indexed)
		return err
	})
}

type searchCheck struct {
	where
	Workspace string `help:"Slug of the workspace; all of them by default." placeholder:"SLUG"`
}

// maxWrong is how many mistakes of an index are told one by one.
const maxWrong = 20

func (c searchCheck) Run(e env) error {
	wrong := 0
	err := c.each(e, c.Workspace, func(svc *service.Service, w tracker.Workspace) error {
		check, err := svc.Store().CheckSearch(e.ctx, w.ID)
		if err != nil {
			return err
		}
		wrong += len(check.Wrong)
		for _, line := range check.Wrong[:min(len(check.Wrong), maxWrong)] {
			fmt.Fprintf(e.out, "%s: %s\n", w.Slug, line)
		}
		_, err = fmt.Fprintf(e.out, "%s: %d texts, %d wrong in the index\n", w.Slug, check.Texts, len(check.Wrong))
		return err
	})
	if err == nil && wrong > 0 {
		err = fmt.Errorf("the search index is wrong in %d places: run milepost search reindex", wrong)
	}
	return err
}

// each runs fn on the named workspace, or on all when the name is empty.
func (w where) each(e env, slug string, fn func(*service.Service, tracker.Workspace) error) error {
	svc, done, err := w.open(e, service.Files{})
	if err != nil {
		return err
	}
	defer done()
	all, err := svc.Store().Workspaces(e.ctx)
	if err != nil {
		return err
	}
	found := false
	for _, workspace := range all {
		if slug == "" || workspace.Slug == slug {
			found = true
			if err := fn(svc, workspace); err != nil {
				return err
			}
		}
	}
	if !found && slug != "" {
		return fmt.Errorf("there is no workspace %q", slug)
	}
	return nil
}
