package store

import (
	"fmt"
	"strings"

	"milepost/internal/query"
	"milepost/internal/tracker"
)

// conditions gathers the parts of a WHERE clause with their parameters.
type conditions struct {
	tx    *Tx
	parts []string
	args  []any
}

// bind adds a parameter and returns its mark.
func (c *conditions) bind(v any) string {
	c.args = append(c.args, v)
	return fmt.Sprintf("$%d", len(c.args)+1)
}

func (c *conditions) add(format string, marks ...any) {
	c.parts = append(c.parts, "("+fmt.Sprintf(format, marks...)+")")
}

func equals[T any](c *conditions, column string, o tracker.Opt[T]) {
	switch o.State {
	case tracker.Null:
		c.add("%s is null", column)
	case tracker.Given:
		c.add("%s = %s", column, c.bind(o.Value))
	}
}

func oneOf[T any](c *conditions, column string, o tracker.Opt[[]T]) {
	if list, ok := o.Get(); ok {
		c.add("%s", c.tx.anyOf(column, c.bind(c.tx.list(list))))
	}
}

func (c *conditions) within(column string, r tracker.TimeRange) {
	if start, ok := r.Start.Get(); ok {
		c.add("%s >= %s", column, c.bind(start))
	}
	if end, ok := r.End.Get(); ok {
		c.add("%s <= %s", column, c.bind(end))
	}
}

// refersTo asks for stories whose list of the kind holds one of the targets.
func (c *conditions) refersTo(kind string, targets []string) {
	c.add(`id in (select id from ref where workspace_id = $1 and entity = 'story' and kind = '%s' and %s)`,
		kind, c.tx.anyOf("target", c.bind(c.tx.list(targets))))
}

// StoriesLike picks the stories that pass the filter.
func (tx *Tx) StoriesLike(f tracker.StoryFilter) StoryQuery {
	c := &conditions{tx: tx, parts: []string{"true"}}
	equals(c, "archived", f.Archived)
	equals(c, "story_type", f.Type)
	equals(c, "estimate", f.Estimate)
	c.externalID(f.ExternalID)
	equals(c, "requested_by_id", f.RequestedBy)
	equals(c, "workflow_state_id", f.StateID)
	equals(c, "epic_id", f.EpicID)
	equals(c, "project_id", f.ProjectID)
	equals(c, "iteration_id", f.IterationID)
	equals(c, "group_id", f.GroupID)
	oneOf(c, "epic_id", f.EpicIDs)
	oneOf(c, "project_id", f.ProjectIDs)
	oneOf(c, "iteration_id", f.Iterations)
	oneOf(c, "group_id", f.GroupIDs)
	c.within("created_at", f.Created)
	c.within("updated_at", f.Updated)
	c.within("completed_at", f.Completed)
	c.within("deadline", f.Deadline)
	if types, ok := f.StateTypes.Get(); ok {
		c.add(`workflow_state_id in (select id from workflow_state where workspace_id = $1 and %s)`, tx.anyOf("type", c.bind(tx.list(types))))
	}
	c.owners(f)
	c.labels(f)
	c.text(f.Text)
	return StoryQuery{condition: strings.Join(c.parts, " and "), args: c.args}
}

// externalID compares the head, which alone is in an index, and the tail.
func (c *conditions) externalID(o tracker.Opt[string]) {
	if id, ok := o.Get(); ok {
		c.add("substr(external_id, 1, 64) = substr(cast(%[1]s as text), 1, 64) and substr(external_id, 65) = substr(cast(%[1]s as text), 65)", c.bind(id))
	}
}

func (c *conditions) owners(f tracker.StoryFilter) {
	switch f.OwnerID.State {
	case tracker.Null:
		c.add("owner_ids = ''")
	case tracker.Given:
		c.refersTo("owner", []string{string(f.OwnerID.Value)})
	}
	if ids, ok := f.OwnerIDs.Get(); ok {
		c.refersTo("owner", refsOf(ids))
	}
}

func (c *conditions) labels(f tracker.StoryFilter) {
	if ids, ok := f.LabelIDs.Get(); ok {
		c.refersTo("label", intRefs(ids))
	}
	if name, ok := f.LabelName.Get(); ok {
		c.add(`id in (select ref.id from ref join label on (label.workspace_id = $1 and cast(label.id as text) = ref.target)
			where ref.workspace_id = $1 and ref.entity = 'story' and ref.kind = 'label' and label.name_key = %s)`, c.bind(tracker.Fold(name)))
	}
}

// text asks for stories that have all the words, of which the last may go on.
func (c *conditions) text(o tracker.Opt[string]) {
	text, ok := o.Get()
	if !ok {
		return
	}
	words := query.Words(text)
	if len(words) == 0 {
		c.add("false")
	}
	s := &searcher{tx: c.tx, searchTable: searchTables[query.Stories]}
	for i, w := range words {
		t := s.text(query.Text{Words: []string{w}, Prefix: i == len(words)-1})
		c.add("id in (select id from (%s) as matching)", t.source(c))
	}
}
