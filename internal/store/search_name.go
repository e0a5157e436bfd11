package store

import (
	"fmt"
	"strings"

	"milepost/internal/query"
	"milepost/internal/store/db"
	"milepost/internal/tracker"
)

// named is something that a query can name. Its id is an int64 or, of members, groups and values, a
// UUID.
type named struct {
	id        any
	names     []string
	stateType tracker.StateType // of milestones only
}

// namers are the SELECTs of ids and names.
var namers = map[query.Field]string{
	query.Project:   `select id, name from project where workspace_id = $1`,
	query.Epic:      `select id, name from epic where workspace_id = $1`,
	query.Objective: `select id, name from milestone where workspace_id = $1`,
	query.Iteration: `select id, name from iteration where workspace_id = $1`,
	query.Branch:    `select id, name from branch where workspace_id = $1`,
}

// finders are the SELECTs of the ids, as the table ref has them, of what is found without reading all
// there is.
var finders = map[query.Field]func(*conditions, query.Name) string{
	query.Label: func(c *conditions, e query.Name) string {
		const labels = `select cast(id as text) from label where workspace_id = $1 and `
		return labels + `search_key = ` + c.bind(e.Key) + ` union all ` + labels + `id = ` + c.bind(e.ID)
	},
	query.Commit: func(c *conditions, e query.Name) string {
		return `select cast(id as text) from vcs_commit where workspace_id = $1 and (hash = ` + c.bind(e.Key) + ` or url = ` + c.bind(e.Text) + `)`
	},
	query.PR: func(c *conditions, e query.Name) string {
		return `select cast(id as text) from pull_request where workspace_id = $1 and (cast(number as text) = ` + c.bind(e.Key) + ` or url = ` + c.bind(e.Text) + `)`
	},
}

// stateTables are the tables of states.
var stateTables = map[string]string{"story": "workflow_state", "epic": "epic_state"}

// ids lists the ids of what the condition names; it is empty when there is no such thing.
func (s *searcher) ids(e query.Name) ([]any, error) {
	all, err := s.namesOf(e.Field)
	var ids []any
	for _, n := range all {
		if n.is(e) {
			ids = append(ids, n.id)
		}
	}
	return ids, err
}

func (n named) is(e query.Name) bool {
	switch id := n.id.(type) {
	case int64:
		if e.ID == id {
			return true
		}
	case tracker.UUID:
		if e.UUID == id {
			return true
		}
	}
	for _, name := range n.names {
		key := query.Key(name)
		if key == e.Key || e.Fragment && strings.Contains(key, e.Key) {
			return true
		}
	}
	return false
}

// namesOf reads everything that a field can refer to, once for each query.
func (s *searcher) namesOf(f query.Field) ([]named, error) {
	if known, ok := s.names[f]; ok {
		return known, nil
	}
	read := s.readNames
	switch f {
	case query.Owner, query.Requester:
		read = s.readMembers
	case query.Team:
		read = s.readGroups
	case query.SkillSet, query.ProductArea, query.TechnicalArea, query.Priority, query.Severity:
		read = s.readValues
	}
	list, err := read(f)
	s.names[f] = list
	return list, err
}

func (s *searcher) readNames(f query.Field) (list []named, err error) {
	statement := namers[f]
	if f == query.StateName {
		states, kept := stateTables[s.name]
		if !kept {
			return milestoneStates, nil
		}
		statement = `select id, name from ` + states + ` where workspace_id = $1`
	}
	err = s.tx.each(func(row db.Row) error {
		var id int64
		var name string
		err := row.Scan(&id, &name)
		list = append(list, named{id: id, names: []string{name}})
		return err
	}, statement)
	return list, err
}

var milestoneStates = func() (list []named) {
	for _, s := range []tracker.MilestoneState{tracker.MilestoneToDo, tracker.MilestoneInProgress, tracker.MilestoneDone} {
		list = append(list, named{id: s, names: []string{string(s)}, stateType: s.Type()})
	}
	return list
}()

func (s *searcher) readMembers(query.Field) (list []named, err error) {
	members, err := s.tx.Members()
	for _, m := range members {
		list = append(list, named{id: m.ID, names: []string{m.MentionName}})
	}
	return list, err
}

func (s *searcher) readGroups(query.Field) (list []named, err error) {
	groups, err := s.tx.Groups()
	for _, g := range groups {
		list = append(list, named{id: g.ID, names: []string{g.Name, g.MentionName}})
	}
	return list, err
}

// readValues reads the values of a custom field that stories show.
func (s *searcher) readValues(f query.Field) (list []named, err error) {
	fields, err := s.tx.CustomFields()
	for _, field := range fields {
		if field.CanonicalName == nil || *field.CanonicalName != string(f) || !field.Enabled {
			continue
		}
		for _, v := range field.Values {
			if v.Enabled {
				list = append(list, named{id: v.ID, names: []string{v.Value}})
			}
		}
	}
	if err != nil {
		err = fmt.Errorf("custom fields: %w", err)
	}
	return list, err
}
