package store

import (
	"milepost/internal/store/db"
	"milepost/internal/tracker"
)

var groups = newTable("member_group", "created_at, group_id", map[string]string{"mention_key": "mention_name"}, func(g *tracker.Group) []column {
	return []column{
		{"group_id", &g.ID}, {"name", &g.Name}, {"mention_name", &g.MentionName}, {"mention_key", derived{tracker.Fold(g.MentionName)}},
		{"description", &g.Description}, {"color", &g.Color}, {"color_key", &g.ColorKey}, {"display_icon_id", &g.DisplayIconID},
		{"archived", &g.Archived}, {"default_workflow_id", &g.DefaultWorkflowID}, {"member_ids", uuids{&g.MemberIDs}},
		{"workflow_ids", ints{&g.WorkflowIDs}}, {"created_at", &g.CreatedAt}, {"updated_at", &g.UpdatedAt},
	}
})

func (tx *Tx) Groups() ([]tracker.Group, error)             { return groups.find(tx, "") }
func (tx *Tx) Group(id tracker.UUID) (tracker.Group, error) { return groups.get(tx, id) }
func (tx *Tx) InsertGroup(g *tracker.Group) error           { return groups.insert(tx, g) }
func (tx *Tx) UpdateGroup(g *tracker.Group) error           { return groups.update(tx, g) }

// GroupsArchived lists the groups that are, or are not, archived.
func (tx *Tx) GroupsArchived(archived bool) ([]tracker.Group, error) {
	return groups.find(tx, "archived = $2", archived)
}

// CountUnarchivedGroups counts the groups that the workspace's allowance bounds.
func (tx *Tx) CountUnarchivedGroups() (n int64, err error) {
	err = tx.one([]any{&n}, `select count(*) from member_group where workspace_id = $1 and archived = false`)
	return n, err
}

// EpicsStarted counts the unarchived epics in a started state that each group has, of one group
// or, with the empty id, of all. Groups without any are absent.
func (tx *Tx) EpicsStarted(group tracker.UUID) (map[tracker.UUID]int64, error) {
	counts := map[tracker.UUID]int64{}
	err := tx.each(func(row db.Row) error {
		var id tracker.UUID
		var n int64
		err := row.Scan(&id, &n)
		counts[id] = n
		return err
	}, `select r.target, count(*) from ref r join epic e on (e.workspace_id = $1 and e.id = r.id)
		join epic_state t on (t.workspace_id = $1 and t.id = e.epic_state_id)
		where r.workspace_id = $1 and r.entity = 'epic' and r.kind = 'group' and (r.target = $2 or cast($2 as text) = '')
			and e.archived = false and t.type = 'started' group by r.target`, group)
	return counts, err
}
