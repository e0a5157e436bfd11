package demo

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"milepost/internal/service"
	"milepost/internal/tracker"
)

// setting is what a workspace has before anybody works in it.
type setting struct {
	members    []tracker.Actor
	groups     []tracker.UUID
	projects   []int64
	objectives []int64
	labels     []label
	epics      []int64 // so far
	recent     []int64 // the newest stories
	iterations []iteration
	states     []tracker.WorkflowState
	epicStates []int64
	fields     []tracker.CustomField // those in use
}

type label struct {
	name string
	used bool
}

type iteration struct {
	id   int64
	last time.Time // its last moment
}

// enter finds the workspace or makes it, and looks whether it may be filled.
func (f *filler) enter(ctx context.Context) error {
	operator := tracker.Actor{Name: "demo", Role: tracker.Owner, Via: "cli"}
	ws, err := f.Store().WorkspaceBySlug(ctx, f.Slug)
	if errors.Is(err, tracker.ErrNotFound) {
		ws, _, err = f.CreateWorkspace(ctx, operator, service.NewWorkspace{
			Name: capital(f.Slug), Slug: f.Slug, OwnerName: "Dana Demo", OwnerEmail: "dana@" + f.Slug + ".example", OwnerMention: "dana",
		})
	}
	if err != nil {
		return err
	}
	operator.Workspace = ws.ID
	if !f.Into {
		for page, err := range f.FindStories(ctx, operator, tracker.StoryFilter{})(false) {
			if err != nil {
				return err
			}
			if len(page.Stories) > 0 {
				return fmt.Errorf("the workspace %q has stories already: name another one, or add to it with --into", f.Slug)
			}
		}
	}
	owner, err := f.MemberNamed(ctx, operator, "")
	f.by = actorOf(ws, owner)
	return err
}

func actorOf(ws tracker.Workspace, m tracker.Member) tracker.Actor {
	return tracker.Actor{Workspace: ws.ID, Slug: ws.Slug, Member: m.ID, Name: m.Name, Role: m.Role, Via: "cli"}
}

// setUp makes everything but epics and stories.
func (f *filler) setUp(ctx context.Context) error {
	for _, step := range []func(context.Context) error{
		f.addMembers, f.addGroups, f.addProjects, f.addObjectives, f.nameLabels, f.addIterations, f.readWorkflows, f.enableFields,
	} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// root grows with the square root of the number of stories, as the number of people and labels does.
func (f *filler) root(least int, factor float64) int {
	return least + int(factor*math.Sqrt(float64(f.Stories)))
}

func (f *filler) addMembers(ctx context.Context) error {
	known, err := f.Members(ctx, f.by)
	if err != nil {
		return err
	}
	mentions := map[string]bool{}
	for _, m := range known {
		mentions[m.MentionName] = true
	}
	f.members = []tracker.Actor{f.by}
	for n := f.root(7, 0.5); len(f.members) < n; {
		first, last := f.rare(), f.rare()
		mention := first + "." + last
		if mentions[mention] {
			continue
		}
		mentions[mention] = true
		m, err := f.AddMember(ctx, f.by, tracker.MemberParams{
			Name: capital(first) + " " + capital(last), Email: mention + "@" + f.Slug + ".example", MentionName: mention, Role: f.role(),
		})
		if err != nil {
			return err
		}
		f.members = append(f.members, actorOf(tracker.Workspace{ID: f.by.Workspace, Slug: f.by.Slug}, m))
	}
	f.made.Members = len(f.members)
	return nil
}

func (f *filler) role() tracker.Role {
	if f.r.IntN(12) == 0 {
		return tracker.Admin
	}
	return tracker.Regular
}

func (f *filler) addGroups(ctx context.Context) error {
	for range 2 + len(f.members)/8 {
		name := f.rare()
		group, err := f.CreateGroup(ctx, f.by, tracker.GroupParams{
			Name: capital(name), MentionName: fmt.Sprintf("%s-%d", name, f.r.IntN(100_000)), Description: f.sentence(),
			MemberIDs: f.someMembers(3 + f.r.IntN(6)),
		})
		if err != nil {
			return err
		}
		f.groups = append(f.groups, group.ID)
	}
	f.made.Groups = len(f.groups)
	return nil
}

// someMembers lists up to n members, each once.
func (f *filler) someMembers(n int) []tracker.UUID {
	var out []tracker.UUID
	for _, i := range f.r.Perm(len(f.members))[:min(n, len(f.members))] {
		out = append(out, f.members[i].Member)
	}
	return out
}

func (f *filler) addProjects(ctx context.Context) error {
	for range 3 + int(math.Cbrt(float64(f.Stories))) {
		project, err := f.CreateProject(ctx, f.by, tracker.ProjectParams{
			Name: capital(f.rare()) + " " + pick(f.r, terms), Description: tracker.Some(f.sentence()),
		})
		if err != nil {
			return err
		}
		f.projects = append(f.projects, project.ID)
	}
	f.made.Projects = len(f.projects)
	return nil
}

func (f *filler) addObjectives(ctx context.Context) error {
	categories := make([]string, 6)
	for i := range categories {
		categories[i] = capital(f.rare())
	}
	for range 4 + f.epicCount()/12 {
		objective, err := f.CreateMilestone(ctx, f.by, tracker.MilestoneChange{
			Name: tracker.Some(f.name()), Description: tracker.Some(f.paragraph()),
			Categories: tracker.Some([]tracker.CategoryParams{{Name: pick(f.r, categories)}}),
		})
		if err != nil {
			return err
		}
		f.objectives = append(f.objectives, objective.ID)
	}
	f.made.Objectives = len(f.objectives)
	return nil
}

// nameLabels only names them: a label comes into being with the first story that carries it.
func (f *filler) nameLabels(context.Context) error {
	seen := map[string]bool{}
	for n := f.root(20, 3); len(f.labels) < n; {
		name := pick(f.r, terms)
		if len(f.labels)%3 > 0 || seen[name] { // there are more labels than terms in a large workspace
			name += "-" + f.rare()
		}
		if !seen[name] {
			seen[name] = true
			f.labels = append(f.labels, label{name: name})
		}
	}
	return nil
}

// addIterations makes one for every two weeks of the history and for the next month.
func (f *filler) addIterations(ctx context.Context) error {
	const length = 14 * 24 * time.Hour
	start := f.now.Truncate(24 * time.Hour)
	for i := 1; start.Before(f.Until.Add(2 * length)); i++ {
		end := start.Add(length)
		made, err := f.CreateIteration(ctx, f.by, tracker.IterationChange{
			Name: tracker.Some(fmt.Sprintf("Iteration %d", i)), Description: tracker.Some(f.sentence()),
			StartDate: tracker.Some(tracker.TimeOf(start)), EndDate: tracker.Some(tracker.TimeOf(end.Add(-24 * time.Hour))),
		})
		if err != nil {
			return err
		}
		f.iterations = append(f.iterations, iteration{made.ID, end.Add(-time.Second)})
		start = end
	}
	f.made.Iterations = len(f.iterations)
	return nil
}

func (f *filler) readWorkflows(ctx context.Context) error {
	ws, err := f.Workspace(ctx, f.by)
	if err != nil {
		return err
	}
	flow, err := f.Workflow(ctx, f.by, ws.DefaultWorkflowID)
	if err != nil {
		return err
	}
	f.states = flow.States
	epics, err := f.EpicWorkflow(ctx, f.by)
	for _, s := range epics.States {
		f.epicStates = append(f.epicStates, s.ID)
	}
	return err
}

func (f *filler) enableFields(ctx context.Context) error {
	fields, err := f.CustomFields(ctx, f.by)
	if err != nil {
		return err
	}
	for _, field := range fields {
		if field.CanonicalName == nil || !strings.Contains("priority severity product-area", *field.CanonicalName) {
			continue
		}
		field, err := f.UpdateCustomField(ctx, f.by, field.ID, tracker.CustomFieldChange{Enabled: tracker.Some(true)})
		if err != nil {
			return err
		}
		f.fields = append(f.fields, field)
	}
	return nil
}
