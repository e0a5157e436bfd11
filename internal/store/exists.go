package store

import (
	"fmt"

	"milepost/internal/store/db"
)

// tablesByKind names the table and key column of what other entities refer to.
var tablesByKind = map[string][2]string{
	"member": {"member", "member_id"}, "group": {"member_group", "group_id"}, "project": {"project", "id"}, "epic": {"epic", "id"},
	"iteration": {"iteration", "id"}, "milestone": {"milestone", "id"}, "story": {"story", "id"}, "label": {"label", "id"},
	"workflow": {"workflow", "id"}, "workflow-state": {"workflow_state", "id"}, "category": {"category", "id"}, "icon": {"icon", "icon_id"},
	"task": {"task", "id"}, "file": {"file", "id"}, "linked-file": {"linked_file", "id"}, "entity-template": {"entity_template", "template_id"},
	"branch": {"branch", "id"}, "commit": {"vcs_commit", "id"}, "pull-request": {"pull_request", "id"},
}

// exists is what a memo keeps of a table for an id that is in it.
type exists[T comparable] struct{ id T }

// Missing lists those of the ids that do not exist in the workspace, in one query. Of a kind that
// has no table it is all of them.
func Missing[T comparable](tx *Tx, kind string, ids []T) ([]T, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	table, kept := tablesByKind[kind]
	if !kept {
		return ids, nil
	}
	found := map[T]bool{}
	var asked []T
	for _, id := range ids {
		if found[id] = tx.recall(table[0], exists[T]{id}) != nil; !found[id] {
			asked = append(asked, id)
		}
	}
	if len(asked) == 0 {
		return nil, nil
	}
	err := tx.each(func(row db.Row) error {
		var id T
		err := row.Scan(&id)
		found[id] = true
		tx.keep(table[0], exists[T]{id}, true)
		return err
	}, fmt.Sprintf(`select %[2]s from %[1]s where workspace_id = $1 and `, table[0], table[1])+tx.anyOf(table[1], "$2"), tx.list(asked))
	var missing []T
	for _, id := range ids {
		if !found[id] {
			missing = append(missing, id)
		}
	}
	return missing, err
}
