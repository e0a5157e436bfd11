package store

import (
	"fmt"
	"strings"

	"milepost/internal/store/db"
	"milepost/internal/tracker"
)

// referents says how to read what changes refer to, by entity type: the key and the columns of a
// Referent, and the table.
var referents = map[string][2]string{
	"story":          {"id, name, story_type, parent_story_id", "story"},
	"story-task":     {"id, description, '', null", "task"},
	"workflow-state": {"id, name, type, null", "workflow_state"},
	"epic-state":     {"id, name, type, null", "epic_state"},
	"epic":           {"id, name, '', null", "epic"},
	"iteration":      {"id, name, '', null", "iteration"},
	"milestone":      {"id, name, '', null", "milestone"},
	"project":        {"id, name, '', null", "project"},
	"label":          {"id, name, '', null", "label"},
	"category":       {"id, name, '', null", "category"},
	"file":           {"id, name, '', null", "file"},
	"linked-file":    {"id, name, '', null", "linked_file"},
	"document":       {"document_id, title, '', null", "document"},
	"branch":         {"id, name, url, null", "branch"},
	"commit":         {"id, message, url, null", "vcs_commit"},
	"group":          {"group_id, name, '', null", "member_group"},
}

// Referents reads those of the entities that exist, by id, in one query.
func Referents[T comparable](tx *Tx, entityType string, ids []T) (map[T]tracker.Referent, error) {
	out := make(map[T]tracker.Referent, len(ids))
	from, known := referents[entityType]
	if !known {
		return out, nil
	}
	key, _, _ := strings.Cut(from[0], ",")
	err := tx.each(func(row db.Row) error {
		var id T
		var r tracker.Referent
		err := row.Scan(&id, &r.Name, &r.Type, &r.ParentID)
		out[id] = r
		return err
	}, fmt.Sprintf(`select %s from %s where workspace_id = $1 and `, from[0], from[1])+tx.anyOf(key, "$2"), tx.list(ids))
	return out, err
}
