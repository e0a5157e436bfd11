package api_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"milepost/internal/query"
	"milepost/internal/tracker"
)

// searchItem is what a query can ask of a story, epic, iteration or objective, put together from
// what the API shows of it.
type searchItem struct {
	id      int64
	texts   map[query.Part][]string
	numbers map[query.Field]*int64
	kind    tracker.StoryType
	names   map[query.Field][]searchName
	state   tracker.StateType
	dates   map[query.Field]*tracker.Time
	flags   map[query.Flag]bool
}

// searchName is something that others are connected with: its id as text and its names.
type searchName struct {
	id    string
	names []string
}

// hit judges the item in the plainest way: whether it matches, and the best part with a hit of
// text, one beyond the last if there is none.
func (i searchItem) hit(e query.Expr) (matches bool, tier query.Part) {
	const nowhere = query.Comment + 1
	tier = nowhere
	switch e := e.(type) {
	case query.And:
		matches = true
		for _, sub := range e {
			m, t := i.hit(sub)
			matches, tier = matches && m, min(tier, t)
		}
	case query.Or:
		for _, sub := range e {
			m, t := i.hit(sub)
			matches, tier = matches || m, min(tier, t)
		}
	case query.Not:
		m, _ := i.hit(e.Of)
		matches = !m
	case query.Text:
		for part := query.Title; part <= query.Comment; part++ {
			if (e.Part == query.Anywhere || e.Part == part) && slices.ContainsFunc(i.texts[part], holds(e)) {
				return true, part
			}
		}
	case query.Number:
		n := i.numbers[e.Field]
		matches = n != nil && *n == e.Value
	case query.Type:
		matches = i.kind == e.Of
	case query.Name:
		matches = slices.ContainsFunc(i.names[e.Field], func(n searchName) bool { return n.is(e) })
	case query.State:
		matches = slices.Contains(e.Types, i.state)
	case query.Dates:
		t := i.dates[e.Field]
		matches = t != nil && e.From <= *t && *t < e.To
	case query.Flag:
		matches = i.flags[e]
	default:
		panic(fmt.Sprintf("no such condition: %T", e))
	}
	return matches, tier
}

func holds(q query.Text) func(text string) bool {
	return func(text string) bool {
		words := query.Words(text)
		for start := 0; start+len(q.Words) <= len(words); start++ {
			run := slices.Clone(words[start : start+len(q.Words)])
			if last := len(run) - 1; q.Prefix && strings.HasPrefix(run[last], q.Words[last]) {
				run[last] = q.Words[last]
			}
			if slices.Equal(run, q.Words) {
				return true
			}
		}
		return false
	}
}

func (n searchName) is(q query.Name) bool {
	if n.id == fmt.Sprint(q.ID) || n.id == string(q.UUID) {
		return true
	}
	return slices.ContainsFunc(n.names, func(name string) bool {
		return query.Key(name) == q.Key || q.Fragment && strings.Contains(query.Key(name), q.Key)
	})
}

// naiveSearch gives the ids of the items that match, in their order.
func naiveSearch(items []searchItem, e query.Expr) []string {
	type found struct {
		id   int64
		tier query.Part
	}
	var all []found
	for _, i := range items {
		if matches, tier := i.hit(e); matches {
			all = append(all, found{i.id, tier})
		}
	}
	slices.SortFunc(all, func(a, b found) int {
		if a.tier != b.tier {
			return int(a.tier - b.tier)
		}
		return int(b.id - a.id)
	})
	ids := make([]string, len(all))
	for i, f := range all {
		ids[i] = fmt.Sprint(f.id)
	}
	return ids
}

// searchWire is what the four kinds of entities show, as far as it can be searched.
type searchWire struct {
	ID          int64
	Name        string
	Description string
	Comments    []struct {
		Text    string
		Deleted bool
	}
	Type        tracker.StoryType      `json:"story_type"`
	Estimate    *int64                 `json:"estimate"`
	ProjectID   *int64                 `json:"project_id"`
	EpicID      *int64                 `json:"epic_id"`
	Objectives  []int64                `json:"objective_ids"`
	IterationID *int64                 `json:"iteration_id"`
	StateID     int64                  `json:"workflow_state_id"`
	EpicStateID int64                  `json:"epic_state_id"`
	State       tracker.MilestoneState `json:"state"`
	Labels      []struct {
		ID   int64
		Name string
	}
	Owners      []string `json:"owner_ids"`
	RequestedBy string   `json:"requested_by_id"`
	GroupID     string   `json:"group_id"`
	GroupIDs    []string `json:"group_ids"`
	Fields      []struct {
		FieldID string `json:"field_id"`
		ValueID string `json:"value_id"`
	} `json:"custom_fields"`
	Archived    bool
	Blocked     bool
	Blocker     bool
	Files       []any
	LinkedFiles []any `json:"linked_files"`
	Tasks       []any
	CreatedAt   *tracker.Time `json:"created_at"`
	UpdatedAt   *tracker.Time `json:"updated_at"`
	MovedAt     *tracker.Time `json:"moved_at"`
	CompletedAt *tracker.Time `json:"completed_at"`
	Deadline    *tracker.Time `json:"deadline"`
	StartDate   *tracker.Time `json:"start_date"`
	EndDate     *tracker.Time `json:"end_date"`
}

// searchItems reads the whole workspace by the lists and single entities of v3, never by a search.
func (w *searchWorld) searchItems(t *testing.T) map[query.Entity][]searchItem {
	t.Helper()
	d := directory{
		names: map[string]searchName{}, states: map[string]tracker.StateType{}, fields: map[string]query.Field{},
		objectives: map[int64][]int64{}, projects: map[int64][]int64{},
	}
	d.read(t, w)
	out := map[query.Entity][]searchItem{}
	for _, story := range list[struct{ ID int64 }](t, w, "POST", "/stories/search", `{}`) {
		wire := get[searchWire](t, w, fmt.Sprintf("/stories/%d", story.ID))
		if wire.EpicID != nil && wire.ProjectID != nil {
			d.projects[*wire.EpicID] = append(d.projects[*wire.EpicID], *wire.ProjectID)
		}
		out[query.Stories] = append(out[query.Stories], d.item(wire, false))
	}
	for _, epic := range d.epics {
		wire := get[searchWire](t, w, fmt.Sprintf("/epics/%d", epic))
		wire.Comments = list[struct {
			Text    string
			Deleted bool
		}](t, w, "GET", fmt.Sprintf("/epics/%d/comments", epic), "")
		out[query.Epics] = append(out[query.Epics], d.item(wire, false))
	}
	for _, id := range d.iterations {
		out[query.Iterations] = append(out[query.Iterations], d.item(get[searchWire](t, w, fmt.Sprintf("/iterations/%d", id)), false))
	}
	for _, wire := range list[searchWire](t, w, "GET", "/milestones", "") {
		out[query.Objectives] = append(out[query.Objectives], d.item(wire, true))
	}
	return out
}

func list[T any](t *testing.T, w *searchWorld, method, path, body string) (out []T) {
	t.Helper()
	a := w.Owner.Do(t, method, path, body)
	if err := json.Unmarshal([]byte(a.Text), &out); err != nil || a.Status >= 300 {
		t.Fatalf("%s: %d %s: %v", path, a.Status, a.Text, err)
	}
	return out
}

func get[T any](t *testing.T, w *searchWorld, path string) (out T) {
	t.Helper()
	a := w.Owner.Want(t, 200, "GET", path, nil)
	if err := json.Unmarshal([]byte(a.Text), &out); err != nil {
		t.Fatalf("%s: %s: %v", path, a.Text, err)
	}
	return out
}

// directory knows the names behind ids. Ids of all kinds are distinct.
type directory struct {
	names      map[string]searchName
	states     map[string]tracker.StateType
	objectives map[int64][]int64 // of an epic
	projects   map[int64][]int64 // of an epic's stories
	fields     map[string]query.Field
	epics      []int64
	iterations []int64
}

func (d *directory) read(t *testing.T, w *searchWorld) {
	type state struct {
		ID   int64
		Name string
		Type tracker.StateType
	}
	add := func(id any, names ...string) { d.names[fmt.Sprint(id)] = searchName{fmt.Sprint(id), names} }
	for _, path := range []string{"/projects", "/iterations", "/milestones", "/epics"} {
		for _, e := range list[searchWire](t, w, "GET", path, "") {
			add(e.ID, e.Name)
			switch path {
			case "/epics":
				d.epics = append(d.epics, e.ID)
				d.objectives[e.ID] = e.Objectives
			case "/iterations":
				d.iterations = append(d.iterations, e.ID)
			}
		}
	}
	states := get[struct {
		States []state `json:"epic_states"`
	}](t, w, "/epic-workflow").States
	for _, flow := range list[struct{ States []state }](t, w, "GET", "/workflows", "") {
		states = append(states, flow.States...)
	}
	for _, s := range states {
		add(s.ID, s.Name)
		d.states[fmt.Sprint(s.ID)] = s.Type
	}
	for _, m := range list[struct {
		ID      string
		Profile struct {
			MentionName string `json:"mention_name"`
		}
	}](t, w, "GET", "/members", "") {
		add(m.ID, m.Profile.MentionName)
	}
	for _, g := range list[struct {
		ID, Name    string
		MentionName string `json:"mention_name"`
	}](t, w, "GET", "/groups", "") {
		add(g.ID, g.Name, g.MentionName)
	}
	for _, f := range list[struct {
		ID     string
		Name   string `json:"canonical_name"`
		Values []struct{ ID, Value string }
	}](t, w, "GET", "/custom-fields", "") {
		d.fields[f.ID] = query.Field(f.Name)
		for _, v := range f.Values {
			add(v.ID, v.Value)
		}
	}
}

func (d *directory) item(e searchWire, objective bool) searchItem {
	i := searchItem{
		id: e.ID, kind: e.Type,
		texts:   map[query.Part][]string{query.Title: {e.Name}, query.Description: {e.Description}},
		numbers: map[query.Field]*int64{query.ID: &e.ID, query.Estimate: e.Estimate},
		names:   map[query.Field][]searchName{},
		dates: map[query.Field]*tracker.Time{
			query.Created: e.CreatedAt, query.Updated: e.UpdatedAt, query.Moved: e.MovedAt, query.Completed: e.CompletedAt, query.Due: e.Deadline,
			query.StartDate: e.StartDate, query.EndDate: e.EndDate,
		},
		flags: map[query.Flag]bool{
			query.Archived: e.Archived, query.Blocked: e.Blocked, query.Blocker: e.Blocker, query.Unestimated: e.Estimate == nil || *e.Estimate == 0,
			query.HasAttachment: len(e.Files)+len(e.LinkedFiles) > 0, query.HasTask: len(e.Tasks) > 0, query.HasEpic: e.EpicID != nil,
			query.HasLabel: len(e.Labels) > 0, query.HasOwner: len(e.Owners) > 0,
		},
	}
	for _, c := range e.Comments {
		if !c.Deleted {
			i.texts[query.Comment] = append(i.texts[query.Comment], c.Text)
			i.flags[query.HasComment] = true
		}
	}
	i.connect(d, e)
	if objective {
		i.state = e.State.Type()
	}
	return i
}

func (i *searchItem) connect(d *directory, e searchWire) {
	add := func(f query.Field, id any) {
		if n, ok := d.names[fmt.Sprint(id)]; ok {
			i.names[f] = append(i.names[f], n)
		}
	}
	one := func(f query.Field, id *int64) {
		if id != nil {
			add(f, *id)
		}
	}
	one(query.Project, e.ProjectID)
	one(query.Epic, e.EpicID)
	one(query.Iteration, e.IterationID)
	add(query.StateName, e.StateID)
	add(query.StateName, e.EpicStateID)
	i.state = d.states[fmt.Sprint(max(e.StateID, e.EpicStateID))]
	objectives := e.Objectives
	if e.EpicID != nil {
		objectives = d.objectives[*e.EpicID]
	}
	for _, id := range objectives {
		add(query.Objective, id)
	}
	for _, id := range d.projects[e.ID] {
		add(query.Project, id)
	}
	for _, l := range e.Labels {
		i.names[query.Label] = append(i.names[query.Label], searchName{fmt.Sprint(l.ID), []string{l.Name}})
	}
	for _, id := range e.Owners {
		add(query.Owner, id)
	}
	add(query.Requester, e.RequestedBy)
	add(query.Team, e.GroupID)
	for _, id := range e.GroupIDs {
		add(query.Team, id)
	}
	for _, f := range e.Fields {
		add(d.fields[f.FieldID], f.ValueID)
	}
}
