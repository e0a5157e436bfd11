package service

import (
	"slices"

	"milepost/internal/tracker"
)

// storyEdit is a change of stories whose references have been looked up, once for all the
// stories that it is applied to.
type storyEdit struct {
	tracker.StoryChange
	w            *work
	state        *tracker.WorkflowState // the state asked for
	project      *tracker.Project       // the project asked for
	labels       []int64
	labelsAdd    []int64
	labelsRemove []int64
	fields       []tracker.CustomField // all of them, if the change is about any
	mentioned    []tracker.UUID
	groups       []tracker.UUID
	at           tracker.Time    // when what the change does happens
	previous     map[int64]int64 // by state: the story placed last, behind which the next one goes
}

// editStories checks everything that the change refers to and creates the labels it names.
func (w *work) editStories(ch tracker.StoryChange) (*storyEdit, error) {
	e := &storyEdit{StoryChange: ch, w: w, at: w.now, previous: map[int64]int64{}}
	for _, step := range []func() error{ch.Place.Check, e.checkFeatures, e.checkReferences, e.loadTargets, e.loadFields, e.findLabels, e.readMentions} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return e, nil
}

// checkFeatures refuses to make sub-tasks where the workspace does without; they can be detached.
func (e *storyEdit) checkFeatures() error {
	if e.ParentID.State == tracker.Given || len(e.SubTaskIDs.Value) > 0 {
		return e.w.require(tracker.SubTasks)
	}
	return nil
}

func (e *storyEdit) checkReferences() error {
	w := e.w
	for _, err := range []error{
		mustExistOpt(w, "epic", "epic_id", e.EpicID),
		mustExistOpt(w, "iteration", "iteration_id", e.IterationID),
		mustExistOpt(w, "group", "group_id", e.GroupID),
		mustExistOpt(w, "story", "parent_story_id", e.ParentID),
		mustExistOpt(w, "member", "requested_by_id", e.RequestedBy),
		mustExist(w, "member", "owner_ids", e.OwnerIDs.Value...),
		mustExist(w, "member", "owner_ids_add", e.OwnersAdd...),
		mustExist(w, "member", "owner_ids_remove", e.OwnersRemove...),
		mustExist(w, "member", "follower_ids", e.FollowerIDs.Value...),
		mustExist(w, "member", "follower_ids_add", e.FollowersAdd...),
		mustExist(w, "member", "follower_ids_remove", e.FollowersRemove...),
		mustExist(w, "file", "file_ids", e.FileIDs.Value...),
		mustExist(w, "linked-file", "linked_file_ids", e.LinkedFileIDs.Value...),
		mustExist(w, "branch", "branch_ids", e.BranchIDs.Value...),
		mustExist(w, "commit", "commit_ids", e.CommitIDs.Value...),
		mustExist(w, "pull-request", "pull_request_ids", e.PullRequestIDs.Value...),
		mustExistEach(w, "story", "sub_tasks", e.SubTaskIDs.Value, func(reason string) any { return map[string]any{"story_id": reason} }),
	} {
		if err != nil {
			return err
		}
	}
	return nil
}

func (e *storyEdit) loadTargets() error {
	if id, ok := e.StateID.Get(); ok {
		state, err := e.w.WorkflowState(id)
		if err != nil {
			return absent(err, "workflow_state_id", "names no existing state")
		}
		e.state = &state
	}
	if id, ok := e.ProjectID.Get(); ok {
		project, err := e.w.Project(id)
		if err != nil {
			return absent(err, "project_id", "names no existing project")
		}
		e.project = &project
	}
	return nil
}

func (e *storyEdit) loadFields() (err error) {
	if len(e.CustomFields.Value)+len(e.FieldsAdd)+len(e.FieldsRemove) > 0 || e.CustomFields.State == tracker.Given {
		e.fields, err = e.w.CustomFields()
	}
	return err
}

func (e *storyEdit) findLabels() (err error) {
	if e.labels, err = e.w.labelIDs(e.Labels.Value); err != nil {
		return err
	}
	if e.labelsAdd, err = e.w.labelIDs(e.LabelsAdd); err != nil {
		return err
	}
	e.labelsRemove, err = e.w.labelsKnown(e.LabelsRemove)
	return err
}

func (e *storyEdit) readMentions() (err error) {
	e.mentioned, e.groups, err = e.w.mentions(e.Description.Value)
	return err
}

// apply makes the change on one story. Where it needs the database, it has seen to that itself;
// what it cannot do is an error that names the field.
func (e *storyEdit) apply(s *tracker.Story) error {
	e.applyPlain(s)
	e.applyLists(s)
	if err := e.applyFields(s); err != nil {
		return err
	}
	if err := e.enterIteration(s); err != nil {
		return err
	}
	return e.move(s)
}

func (e *storyEdit) applyPlain(s *tracker.Story) {
	e.Name.Apply(&s.Name)
	e.Type.Apply(&s.Type)
	e.RequestedBy.Apply(&s.RequestedBy)
	e.Archived.Apply(&s.Archived)
	e.ProjectID.ApplyPtr(&s.ProjectID)
	e.EpicID.ApplyPtr(&s.EpicID)
	e.GroupID.ApplyPtr(&s.GroupID)
	e.Estimate.ApplyPtr(&s.Estimate)
	e.Deadline.ApplyPtr(&s.Deadline)
	e.StartedAtOverride.ApplyPtr(&s.StartedAtOverride)
	e.CompletedAtOverride.ApplyPtr(&s.CompletedAtOverride)
	if text, ok := e.Description.Get(); ok {
		s.Description, s.MemberMentions, s.GroupMentions = text, e.mentioned, e.groups
	}
}

func (e *storyEdit) applyLists(s *tracker.Story) {
	owners := s.OwnerIDs
	s.OwnerIDs = edited(s.OwnerIDs, e.OwnerIDs, e.OwnersAdd, e.OwnersRemove)
	s.FollowerIDs = edited(s.FollowerIDs, e.FollowerIDs, e.FollowersAdd, e.FollowersRemove)
	for _, owner := range s.OwnerIDs {
		if !slices.Contains(owners, owner) {
			s.Follow(owner)
		}
	}
	labels := tracker.Opt[[]int64]{Value: e.labels, State: e.Labels.State}
	s.LabelIDs = edited(s.LabelIDs, labels, e.labelsAdd, e.labelsRemove)
	s.ExternalLinks = edited(s.ExternalLinks, e.ExternalLinks, nil, nil)
	s.FileIDs = edited(s.FileIDs, e.FileIDs, nil, nil)
	s.LinkedFileIDs = edited(s.LinkedFileIDs, e.LinkedFileIDs, nil, nil)
	s.BranchIDs = edited(s.BranchIDs, e.BranchIDs, nil, nil)
	s.CommitIDs = edited(s.CommitIDs, e.CommitIDs, nil, nil)
	s.PullRequestIDs = edited(s.PullRequestIDs, e.PullRequestIDs, nil, nil)
}

// edited is the list after a replacement, additions and removals, each element once.
func edited[T comparable](list []T, replace tracker.Opt[[]T], add, remove []T) []T {
	if replace.State == tracker.Absent && len(add)+len(remove) == 0 {
		return list
	}
	if replace.State != tracker.Absent {
		list = replace.Value
	}
	list = distinct(append(slices.Clone(list), add...))
	return slices.DeleteFunc(list, func(v T) bool { return slices.Contains(remove, v) })
}

// applyFields gives the story its custom fields. What a story has and does not show, since the
// field or the value is disabled, is not touched by a list that does not name the field.
func (e *storyEdit) applyFields(s *tracker.Story) error {
	if given, ok := e.CustomFields.Get(); ok {
		if err := checkFields(e.fields, given, s.Type); err != nil {
			return err
		}
		shown := tracker.ShownValues(e.fields)
		hidden := slices.DeleteFunc(slices.Clone(s.CustomFields), func(f tracker.StoryField) bool {
			_, visible := shown[f.ValueID]
			return visible || hasField(given, f.FieldID)
		})
		s.CustomFields = append(slices.Clip(given), hidden...)
	}
	if len(e.FieldsAdd) > 0 {
		if err := checkFields(e.fields, e.FieldsAdd, s.Type); err != nil {
			return tracker.About(err, "custom_fields_add")
		}
		kept := slices.DeleteFunc(slices.Clone(s.CustomFields), func(f tracker.StoryField) bool { return hasField(e.FieldsAdd, f.FieldID) })
		s.CustomFields = append(kept, e.FieldsAdd...)
	}
	for _, f := range e.FieldsRemove {
		if indexOfField(e.fields, f.FieldID) < 0 {
			return tracker.Impossible("custom_fields_remove", "names no existing custom field: %s", f.FieldID)
		}
		s.CustomFields = without(s.CustomFields, f)
	}
	return nil
}

func hasField(list []tracker.StoryField, id tracker.UUID) bool {
	return slices.ContainsFunc(list, func(f tracker.StoryField) bool { return f.FieldID == id })
}

func (e *storyEdit) enterIteration(s *tracker.Story) error {
	to := e.IterationID.Ptr()
	if e.IterationID.State == tracker.Absent || equal(to, s.IterationID) {
		return nil
	}
	var left *tracker.Iteration
	if s.IterationID != nil {
		iteration, err := e.w.Iteration(*s.IterationID)
		if err != nil {
			return err
		}
		left = &iteration
	}
	ws, err := e.w.Workspace()
	if err != nil {
		return err
	}
	s.EnterIteration(to, left, ws.Today(e.w.now), e.at)
	return nil
}

func equal[T comparable](a, b *T) bool {
	return a == b || a != nil && b != nil && *a == *b
}

// absent turns "not found" of something named in the body into an error that names the field.
func absent(err error, field, reason string) error {
	if err == tracker.ErrNotFound { //nolint:errorlint // the store returns it as it is
		return tracker.Impossible(field, "%s", reason)
	}
	return err
}
