package service

import (
	"context"
	"slices"
	"strings"

	"milepost/internal/tracker"
)

// CreateStoryFromTemplate makes a story that has what the template fills in, unless the params say
// otherwise. What the template names and no longer exists is left out.
func (s *Service) CreateStoryFromTemplate(ctx context.Context, by tracker.Actor, p tracker.StoryFromTemplate) (StoryDetail, error) {
	return write(ctx, s, by, func(w *work) (StoryDetail, error) {
		if err := w.require(tracker.EntityTemplates); err != nil {
			return StoryDetail{}, err
		}
		if err := p.Check(); err != nil {
			return StoryDetail{}, err
		}
		t, err := w.template(p.TemplateID)
		if err != nil {
			return StoryDetail{}, err
		}
		params, err := w.filledIn(p, t.Contents)
		if err != nil {
			return StoryDetail{}, err
		}
		story, err := w.createStory(params)
		if err != nil {
			return StoryDetail{}, err
		}
		w.primary(story)
		if err := w.templateUsed(t); err != nil {
			return StoryDetail{}, err
		}
		return detailStories(w.Tx, []tracker.Story{story})
	})
}

// filledIn is the story that the params and the template's contents ask for.
func (w *work) filledIn(p tracker.StoryFromTemplate, c tracker.StoryContents) (tracker.StoryParams, error) {
	out := p.Own
	out.TemplateID = tracker.Some(p.TemplateID)
	if out.Name.State == tracker.Absent {
		if strings.TrimSpace(c.Name) == "" {
			return out, tracker.Impossible("name", "is needed, since the template has none")
		}
		out.Name = tracker.Some(c.Name)
	}
	if c.Description != "" {
		fill(&out.Description, &c.Description)
	}
	if c.Type != "" {
		fill(&out.Type, &c.Type)
	}
	fill(&out.EpicID, c.EpicID)
	fill(&out.IterationID, c.IterationID)
	fill(&out.GroupID, c.GroupID)
	fill(&out.Estimate, c.Estimate)
	fill(&out.Deadline, c.Deadline)
	for _, step := range []func() error{
		func() error { return w.fillTarget(&out, c) },
		func() error { return w.fillLists(&out, p, c) },
		func() error { return w.fillFields(&out, p, c) },
		func() error { return w.fillParts(&out, p, c) },
	} {
		if err := step(); err != nil {
			return out, err
		}
	}
	return out, nil
}

// fill sets what the request leaves open.
func fill[T any](o *tracker.Opt[T], v *T) {
	if o.State == tracker.Absent && v != nil {
		*o = tracker.Some(*v)
	}
}

// fillTarget fills in the state and the project. Where they are of different workflows, that of the
// template gives way, and of its own two the state.
func (w *work) fillTarget(out *tracker.StoryParams, c tracker.StoryContents) error {
	own, ownProject := out.StateID, out.ProjectID
	fill(&out.StateID, c.StateID)
	fill(&out.ProjectID, c.ProjectID)
	stateID, hasState := out.StateID.Get()
	projectID, hasProject := out.ProjectID.Get()
	if !hasState || !hasProject || own.State == tracker.Given && ownProject.State == tracker.Given {
		return nil
	}
	state, err := w.WorkflowState(stateID)
	if err != nil {
		return absent(err, "workflow_state_id", "names no existing state")
	}
	project, err := w.Project(projectID)
	if err != nil {
		return absent(err, "project_id", "names no existing project")
	}
	if state.WorkflowID != project.WorkflowID {
		if own.State == tracker.Given {
			out.ProjectID = ownProject
		} else {
			out.StateID = own
		}
	}
	return nil
}

// fillLists fills in the lists of the template and adjusts them.
func (w *work) fillLists(out *tracker.StoryParams, p tracker.StoryFromTemplate, c tracker.StoryContents) error {
	for _, err := range []error{
		mustExist(w, "file", "file_ids_add", p.Files.Add.Value...),
		mustExist(w, "linked-file", "linked_file_ids_add", p.LinkedFiles.Add.Value...),
	} {
		if err != nil {
			return err
		}
	}
	found, err := w.LabelsByID(c.LabelIDs)
	if err != nil {
		return err
	}
	labels := make([]tracker.LabelParams, len(found))
	for _, l := range found {
		labels[slices.Index(c.LabelIDs, l.ID)] = tracker.LabelParams{Name: l.Name}
	}
	fill(&out.Labels, &labels)
	out.LabelsAdd, out.LabelsRemove = p.Labels.Add.Value, p.Labels.Remove.Value
	fill(&out.OwnerIDs, &c.OwnerIDs)
	out.OwnersAdd, out.OwnersRemove = p.Owners.Add.Value, p.Owners.Remove.Value
	fill(&out.FollowerIDs, &c.FollowerIDs)
	out.FollowersAdd, out.FollowersRemove = p.Followers.Add.Value, p.Followers.Remove.Value
	fillAdjusted(&out.FileIDs, c.FileIDs, p.Files)
	fillAdjusted(&out.LinkedFileIDs, c.LinkedFileIDs, p.LinkedFiles)
	fillAdjusted(&out.ExternalLinks, c.ExternalLinks, p.ExternalLinks)
	return nil
}

func fillAdjusted[T comparable](o *tracker.Opt[[]T], list []T, a tracker.Adjustment[T]) {
	list = edited(list, tracker.Opt[[]T]{}, a.Add.Value, a.Remove.Value)
	fill(o, &list)
}

// fillFields fills in the custom fields that apply to the type of the story.
func (w *work) fillFields(out *tracker.StoryParams, p tracker.StoryFromTemplate, c tracker.StoryContents) error {
	if len(c.CustomFields)+len(p.FieldsAdd.Value)+len(p.FieldsRemove.Value) == 0 || out.CustomFields.State == tracker.Given {
		return nil
	}
	fields, err := w.CustomFields()
	if err != nil {
		return err
	}
	for _, id := range p.FieldsRemove.Value {
		if indexOfField(fields, id) < 0 {
			return tracker.Impossible("custom_fields_remove", "names no existing custom field: %s", id)
		}
	}
	kept := slices.DeleteFunc(slices.Clone(c.CustomFields), func(f tracker.StoryField) bool {
		i := indexOfField(fields, f.FieldID)
		return i < 0 || fields[i].Offers(f.ValueID, out.Type.Or(tracker.Feat)) != nil || slices.Contains(p.FieldsRemove.Value, f.FieldID)
	})
	out.CustomFields, out.FieldsAdd = tracker.Some(kept), p.FieldsAdd.Value
	return nil
}

// fillParts fills in the tasks and, where the workspace has them, the sub-tasks.
func (w *work) fillParts(out *tracker.StoryParams, p tracker.StoryFromTemplate, c tracker.StoryContents) error {
	out.Tasks, out.SubTasks = p.Tasks.Value, p.SubTasks.Value
	if p.Tasks.State == tracker.Absent {
		for _, t := range c.Tasks {
			out.Tasks = append(out.Tasks, tracker.TaskParams{
				Description: t.Description, Complete: tracker.Some(t.Complete), OwnerIDs: tracker.Some(t.OwnerIDs), ExternalID: optional(t.ExternalID),
			})
		}
	}
	ws, err := w.Workspace()
	if err != nil || p.SubTasks.State != tracker.Absent || ws.Require(tracker.SubTasks) != nil {
		return err
	}
	for _, s := range c.SubTasks {
		out.SubTasks = append(out.SubTasks, tracker.SubTaskParams{
			Name: tracker.Some(s.Name), OwnerIDs: tracker.Some(s.OwnerIDs), StateID: optional(s.StateID),
		})
	}
	return nil
}
