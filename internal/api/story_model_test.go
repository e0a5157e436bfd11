package api_test

import (
	"encoding/json"
	"maps"
	"slices"

	"milepost/internal/tracker"
)

// storyModel is what the service should hold, kept in the plainest way: it knows nothing of
// positions, lists of ids or stored flags, and works everything out from what was done.
type storyModel struct {
	now     tracker.Time
	stories map[int64]*modelStory
	columns map[int64][]int64 // by state
	links   []modelLink
}

type modelStory struct {
	id, state               int64
	archived, owned         bool
	estimate, epic, parent  *int64
	labels                  []int64
	tasks                   []modelTask
	comments                []modelComment
	subTasks                []int64
	started, completed      *tracker.Time
	created, moved, updated tracker.Time
}

type modelTask struct {
	id       int64
	complete bool
}

type modelComment struct {
	id, parent                 int64
	blocker, unblocks, deleted bool
}

type modelLink struct {
	id, subject, object int64
	verb                tracker.Verb
}

// storyView is what both the model and an answer of the service can be read as.
type storyView struct {
	ID             int64         `json:"id"`
	State          int64         `json:"workflow_state_id"`
	Archived       bool          `json:"archived"`
	Blocked        bool          `json:"blocked"`
	Blocker        bool          `json:"blocker"`
	Started        bool          `json:"started"`
	StartedAt      *tracker.Time `json:"started_at"`
	Completed      bool          `json:"completed"`
	CompletedAt    *tracker.Time `json:"completed_at"`
	CycleTime      *int64        `json:"cycle_time"`
	LeadTime       *int64        `json:"lead_time"`
	CreatedAt      tracker.Time  `json:"created_at"`
	MovedAt        tracker.Time  `json:"moved_at"`
	UpdatedAt      tracker.Time  `json:"updated_at"`
	Owners         int           `json:"owners"`
	Epic           *int64        `json:"epic_id"`
	Estimate       *int64        `json:"estimate"`
	Parent         *int64        `json:"parent_story_id"`
	Labels         []int64       `json:"label_ids"`
	SubTasks       []int64       `json:"sub_task_story_ids"`
	Tasks          []int64       `json:"task_ids"`
	TasksCompleted int64         `json:"num_tasks_completed"`
	Comments       []int64       `json:"comment_ids"`
	Unresolved     []int64       `json:"unresolved_blocker_comments"`
	Links          []linkView    `json:"story_links"`
}

type linkView struct {
	ID   int64        `json:"id"`
	Type string       `json:"type"`
	Verb tracker.Verb `json:"verb"`
}

// statsView counts stories as labels and epics do.
type statsView struct{ Total, Unstarted, Started, Done, Unestimated, Points, PointsDone int64 }

func (m *storyModel) view(s *modelStory) storyView {
	v := storyView{
		ID: s.id, State: s.state, Archived: s.archived, Started: s.started != nil, StartedAt: s.started, Completed: s.completed != nil,
		CompletedAt: s.completed, CreatedAt: s.created, MovedAt: s.moved, UpdatedAt: s.updated, Epic: s.epic, Estimate: s.estimate,
		Parent: s.parent, Labels: slices.Clone(s.labels), SubTasks: slices.Clone(s.subTasks),
	}
	if s.completed != nil {
		cycle, lead := int64(*s.completed-*s.started), int64(*s.completed-s.created)
		v.CycleTime, v.LeadTime = &cycle, &lead
	}
	if s.owned {
		v.Owners = 1
	}
	for _, t := range s.tasks {
		v.Tasks = append(v.Tasks, t.id)
		if t.complete {
			v.TasksCompleted++
		}
	}
	for _, c := range s.comments {
		v.Comments = append(v.Comments, c.id)
		resolved := slices.ContainsFunc(s.comments, func(r modelComment) bool { return r.parent == c.id && r.unblocks && !r.deleted })
		if c.blocker && !c.deleted && !resolved {
			v.Unresolved = append(v.Unresolved, c.id)
		}
	}
	for _, l := range m.links {
		blocks := l.verb == tracker.Blocks && m.active(l.subject)
		switch s.id {
		case l.subject:
			v.Links = append(v.Links, linkView{l.id, "subject", l.verb})
			v.Blocker = v.Blocker || blocks
		case l.object:
			v.Links = append(v.Links, linkView{l.id, "object", l.verb})
			v.Blocked = v.Blocked || blocks
		}
	}
	return v
}

func (m *storyModel) active(id int64) bool {
	s := m.stories[id]
	return s.completed == nil && !s.archived
}

// do runs an operation and then dates the stories that look different, or that it moved.
func (m *storyModel) do(op func() (moved []int64)) {
	text := func(s *modelStory) string {
		v := m.view(s)
		v.UpdatedAt = 0
		for i := range v.Links {
			v.Links[i].Verb = "" // a matter of the link's
		}
		out, _ := json.Marshal(v)
		return string(out)
	}
	before := map[int64]string{}
	for id, s := range m.stories {
		before[id] = text(s)
	}
	moved := op()
	for id, s := range m.stories {
		if old, known := before[id]; known && old != text(s) || slices.Contains(moved, id) {
			s.updated = m.now
		}
	}
}

func stateType(state int64) tracker.StateType {
	switch state {
	case unscheduled, ready:
		return tracker.Unstarted
	case completed:
		return tracker.Done
	default:
		return tracker.Started
	}
}

// enter moves the story to a state, without a place yet.
func (m *storyModel) enter(s *modelStory, state int64) {
	now := m.now
	kind := stateType(state)
	if kind == tracker.Started && s.started == nil {
		s.owned = true
	}
	s.state, s.moved = state, now
	if kind == tracker.Unstarted {
		s.started = nil
	} else if s.started == nil {
		s.started = &now
	}
	switch {
	case kind != tracker.Done:
		s.completed = nil
	case s.completed == nil:
		s.completed = &now
	}
}

// where names a place in a column: beside a neighbour, at an end, or last.
type where struct {
	before, after int64
	first         bool
}

// put places the story in the column of its state and reports whether it was not there already.
func (m *storyModel) put(s *modelStory, at where) bool {
	old := slices.Clone(m.columns[s.state])
	for state, ids := range m.columns {
		m.columns[state] = slices.DeleteFunc(slices.Clone(ids), func(id int64) bool { return id == s.id })
	}
	column := m.columns[s.state]
	i := len(column)
	switch {
	case at.before != 0:
		i = slices.Index(column, at.before)
	case at.after != 0:
		i = slices.Index(column, at.after) + 1
	case at.first:
		i = 0
	}
	m.columns[s.state] = slices.Insert(column, i, s.id)
	return !slices.Equal(old, m.columns[s.state])
}

func (m *storyModel) remove(id int64) {
	s := m.stories[id]
	m.links = slices.DeleteFunc(m.links, func(l modelLink) bool { return l.subject == id || l.object == id })
	m.columns[s.state] = slices.DeleteFunc(m.columns[s.state], func(other int64) bool { return other == id })
	if s.parent != nil {
		p := m.stories[*s.parent]
		p.subTasks = slices.DeleteFunc(p.subTasks, func(other int64) bool { return other == id })
	}
	for _, child := range s.subTasks {
		m.stories[child].parent = nil
	}
	delete(m.stories, id)
}

func (m *storyModel) setParent(child *modelStory, parent *int64) {
	if child.parent != nil {
		p := m.stories[*child.parent]
		p.subTasks = slices.DeleteFunc(slices.Clone(p.subTasks), func(id int64) bool { return id == child.id })
	}
	child.parent = parent
	if parent != nil {
		m.stories[*parent].subTasks = append(m.stories[*parent].subTasks, child.id)
	}
}

// dropComment deletes a comment: it stays while it has answers, and so do those above it.
func (s *modelStory) dropComment(id int64) {
	at := func(id int64) int {
		return slices.IndexFunc(s.comments, func(c modelComment) bool { return c.id == id })
	}
	s.comments[at(id)].deleted = true
	for id != 0 {
		i := at(id)
		answered := slices.ContainsFunc(s.comments, func(c modelComment) bool { return c.parent == id })
		if !s.comments[i].deleted || answered {
			return
		}
		id = s.comments[i].parent
		s.comments = slices.Delete(slices.Clone(s.comments), i, i+1)
	}
}

// stats counts the unarchived stories for which has holds.
func (m *storyModel) stats(has func(*modelStory) bool) (v statsView) {
	for _, s := range m.stories {
		if s.archived || !has(s) {
			continue
		}
		v.Total++
		var points int64
		if s.estimate == nil {
			v.Unestimated++
		} else {
			points = *s.estimate
		}
		v.Points += points
		switch stateType(s.state) {
		case tracker.Done:
			v.Done++
			v.PointsDone += points
		case tracker.Started:
			v.Started++
		default:
			v.Unstarted++
		}
	}
	return v
}

func (m *storyModel) ids() []int64 { return slices.Sorted(maps.Keys(m.stories)) }
