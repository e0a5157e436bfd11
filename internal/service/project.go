package service

import (
	"context"
	"errors"

	"milepost/internal/store"
	"milepost/internal/tracker"
)

// ProjectView is a project and the count of its stories.
type ProjectView struct {
	tracker.Project
	Stories tracker.StoryStats
}

func (s *Service) Projects(ctx context.Context, by tracker.Actor) ([]ProjectView, error) {
	return read(ctx, s, by, func(tx *store.Tx) ([]ProjectView, error) {
		projects, err := tx.Projects()
		if err != nil {
			return nil, err
		}
		stats, err := tx.StoryStats("project_id", nil)
		out := make([]ProjectView, len(projects))
		for i, p := range projects {
			out[i] = ProjectView{p, stats[p.EntityID()]}
		}
		return out, err
	})
}

func (s *Service) Project(ctx context.Context, by tracker.Actor, id int64) (ProjectView, error) {
	return read(ctx, s, by, func(tx *store.Tx) (ProjectView, error) {
		p, err := tx.Project(id)
		return viewProject(tx, p, err)
	})
}

func viewProject(tx *store.Tx, p tracker.Project, err error) (ProjectView, error) {
	if err != nil {
		return ProjectView{}, err
	}
	stats, err := tx.StoryStats("project_id", p.ID)
	return ProjectView{p, stats[p.EntityID()]}, err
}

// StoriesOfProject lists the stories of the project.
func (s *Service) StoriesOfProject(ctx context.Context, by tracker.Actor, id int64) StoryPages {
	return s.storyPages(ctx, by, storiesOfProject(id))
}

// FullStoriesOfProject is StoriesOfProject with the full forms.
func (s *Service) FullStoriesOfProject(ctx context.Context, by tracker.Actor, id int64) FullStoryPages {
	return s.fullStoryPages(ctx, by, storiesOfProject(id))
}

func storiesOfProject(id int64) func(*store.Tx) (store.StoryQuery, error) {
	return func(tx *store.Tx) (store.StoryQuery, error) {
		_, err := tx.Project(id)
		return store.StoriesOfProject(id), err
	}
}

func (s *Service) CreateProject(ctx context.Context, by tracker.Actor, p tracker.ProjectParams) (ProjectView, error) {
	return write(ctx, s, by, func(w *work) (ProjectView, error) {
		if err := w.require(tracker.Projects); err != nil {
			return ProjectView{}, err
		}
		flow, err := w.workflowOfTeam(p.TeamID)
		if err != nil {
			return ProjectView{}, err
		}
		p.FollowerIDs = distinct(p.FollowerIDs)
		if err := mustExist(w, "member", "follower_ids", p.FollowerIDs...); err != nil {
			return ProjectView{}, err
		}
		project, err := create(w, tracker.NewProject(w.NextID(), p, flow, w.now), w.InsertProject)
		return ProjectView{Project: project}, err
	})
}

// UpdateProject changes a project. It can move to the team of another workflow only while it has
// no stories outside that workflow.
func (s *Service) UpdateProject(ctx context.Context, by tracker.Actor, id int64, ch tracker.ProjectChange) (ProjectView, error) {
	return write(ctx, s, by, func(w *work) (ProjectView, error) {
		if err := w.require(tracker.Projects); err != nil {
			return ProjectView{}, err
		}
		before, err := w.Project(id)
		if err != nil {
			return ProjectView{}, err
		}
		ch.FollowerIDs.Value = distinct(ch.FollowerIDs.Value)
		if err := mustExist(w, "member", "follower_ids", ch.FollowerIDs.Value...); err != nil {
			return ProjectView{}, err
		}
		after := before
		after.Apply(ch)
		if ch.TeamID.Or(before.TeamID) != before.TeamID {
			if err := w.joinTeam(&after, ch.TeamID); err != nil {
				return ProjectView{}, err
			}
		}
		after, err = update(w, before, func(p *tracker.Project) { *p = after }, w.Tx.UpdateProject)
		return viewProject(w.Tx, after, err)
	})
}

// DeleteProject deletes a project that has no stories, not even archived ones.
func (s *Service) DeleteProject(ctx context.Context, by tracker.Actor, id int64) error {
	_, err := write(ctx, s, by, func(w *work) (none, error) {
		p, err := w.Project(id)
		if err != nil {
			return none{}, err
		}
		has, err := w.ProjectHasStories(id, 0)
		if err != nil {
			return none{}, err
		}
		if has {
			return none{}, tracker.Impossible("project-public-id", "names a project that still has stories; move or delete them first")
		}
		return none{}, remove(w, p, func() error { return w.Tx.DeleteProject(id) })
	})
	return err
}

func (w *work) joinTeam(p *tracker.Project, team tracker.Opt[int64]) error {
	flow, err := w.workflowOfTeam(team)
	if err != nil {
		return err
	}
	has, err := w.ProjectHasStories(p.ID, flow.ID)
	if err != nil {
		return err
	}
	if has {
		return tracker.Impossible("team_id", "names the team of another workflow than that of the project's stories")
	}
	p.Join(flow)
	return nil
}

// workflowOfTeam is the workflow that the team in a request stands for; without one, the
// workspace's default.
func (w *work) workflowOfTeam(team tracker.Opt[int64]) (tracker.Workflow, error) {
	id, ok := team.Get()
	if !ok {
		ws, err := w.Workspace()
		if err != nil {
			return tracker.Workflow{}, err
		}
		return w.Workflow(ws.DefaultWorkflowID)
	}
	flow, err := w.WorkflowOfTeam(id)
	if errors.Is(err, tracker.ErrNotFound) {
		return flow, tracker.Impossible("team_id", "names no existing team: %d", id)
	}
	return flow, err
}
