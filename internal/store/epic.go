package store

import (
	"slices"
	"strconv"

	"milepost/internal/store/db"
	"milepost/internal/tracker"
)

var epics = newTable("epic", "position, id", nil, func(e *tracker.Epic) []column {
	return []column{
		{"id", &e.ID}, {"name", &e.Name}, {"description", &e.Description}, {"epic_state_id", &e.StateID}, {"position", &e.Position},
		{"archived", &e.Archived}, {"deadline", &e.Deadline}, {"planned_start_date", &e.PlannedStartDate},
		{"external_id", &e.ExternalID}, {"external_tickets", jsonText{&e.ExternalTickets}}, {"requested_by_id", &e.RequestedBy},
		{"owner_ids", uuids{&e.OwnerIDs}}, {"follower_ids", uuids{&e.FollowerIDs}}, {"label_ids", ints{&e.LabelIDs}},
		{"group_ids", uuids{&e.GroupIDs}}, {"objective_ids", ints{&e.ObjectiveIDs}},
		{"document_ids", uuids{&e.DocumentIDs}}, {"member_mention_ids", uuids{&e.MemberMentions}}, {"group_mention_ids", uuids{&e.GroupMentions}},
		{"started_at", &e.StartedAt}, {"started_at_override", &e.StartedAtOverride}, {"completed_at", &e.CompletedAt},
		{"completed_at_override", &e.CompletedAtOverride}, {"created_at", &e.CreatedAt}, {"updated_at", &e.UpdatedAt},
	}
})

// epicRefs is what epics are found by.
func epicRefs(e *tracker.Epic) refs {
	return refs{
		"label": intRefs(e.LabelIDs), "owner": refsOf(e.OwnerIDs), "follower": refsOf(e.FollowerIDs), "group": refsOf(e.GroupIDs),
		"objective": intRefs(e.ObjectiveIDs), "document": refsOf(e.DocumentIDs),
	}
}

func (tx *Tx) Epics() ([]tracker.Epic, error)           { return epics.find(tx, "") }
func (tx *Tx) Epic(id int64) (tracker.Epic, error)      { return epics.get(tx, id) }
func (tx *Tx) EpicStates() ([]tracker.EpicState, error) { return epicStates.find(tx, "") }

// EpicsByID lists the epics with the ids in their order.
func (tx *Tx) EpicsByID(ids []int64) ([]tracker.Epic, error) {
	return epics.byID(tx, ids, func(e *tracker.Epic) int64 { return e.ID })
}

// EpicPage lists limit epics after the first offset.
func (tx *Tx) EpicPage(limit, offset int64) ([]tracker.Epic, error) {
	return epics.scan(tx, epics.selectSQL+` order by `+epics.order+` limit $2 offset $3`, limit, offset)
}

func (tx *Tx) CountEpics() (n int64, err error) {
	err = tx.one([]any{&n}, `select count(*) from epic where workspace_id = $1`)
	return n, err
}

// EpicsReferring lists the epics that have the target in their list of that kind: label,
// objective and the like.
func (tx *Tx) EpicsReferring(kind, target string) ([]tracker.Epic, error) {
	return epics.find(tx, `id in (select id from ref where workspace_id = $1 and entity = 'epic' and kind = $2 and target = $3)`, kind, target)
}

// SomeEpicsReferring is EpicsReferring for up to limit of them.
func (tx *Tx) SomeEpicsReferring(kind, target string, limit int) ([]tracker.Epic, error) {
	ids, err := tx.Referring("epic", kind, target, limit)
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	return epics.find(tx, tx.anyOf("id", "$2"), tx.list(ids))
}

func (tx *Tx) InsertEpic(e *tracker.Epic) error {
	if err := epics.insert(tx, e); err != nil {
		return err
	}
	if err := tx.saveRefs("epic", e.ID, nil, epicRefs(e)); err != nil {
		return err
	}
	return tx.saveTexts(searchedEpic, e.ID, texts{}, texts{e.Name, e.Description})
}

func (tx *Tx) UpdateEpic(before, after *tracker.Epic) error {
	if err := epics.change(tx, before, after); err != nil {
		return err
	}
	if err := tx.saveRefs("epic", after.ID, epicRefs(before), epicRefs(after)); err != nil {
		return err
	}
	return tx.saveTexts(searchedEpic, after.ID, texts{before.Name, before.Description}, texts{after.Name, after.Description})
}

func (tx *Tx) DeleteEpic(e *tracker.Epic) error {
	if err := tx.saveRefs("epic", e.ID, epicRefs(e), nil); err != nil {
		return err
	}
	if err := tx.forget(searchedEpic, e.ID); err != nil {
		return err
	}
	return epics.delete(tx, e.ID)
}

// EpicStats counts the stories of several epics in two queries. Epics without stories are absent.
func (tx *Tx) EpicStats(ids []int64) (map[int64]tracker.EpicStats, error) {
	byEpic, err := tx.StoryStats("epic_id", ids)
	if err != nil {
		return nil, err
	}
	stats := map[int64]tracker.EpicStats{}
	for key, s := range byEpic {
		id, err := strconv.ParseInt(key, 10, 64)
		if err != nil {
			return nil, err
		}
		stats[id] = tracker.EpicStats{StoryStats: s}
	}
	err = tx.each(func(row db.Row) error {
		var epic, n int64
		var group *tracker.UUID
		var project *int64
		var updated tracker.Time
		if err := row.Scan(&epic, &group, &project, &n, &updated); err != nil {
			return err
		}
		s := stats[epic]
		addPlaces(&s, group, project, n)
		if s.LastUpdate == nil || updated > *s.LastUpdate {
			s.LastUpdate = &updated
		}
		stats[epic] = s
		return nil
	}, `select epic_id, group_id, project_id, count(*), max(updated_at) from story
		where workspace_id = $1 and archived = false and (`+tx.anyOf("epic_id", "$2")+`)
		group by epic_id, group_id, project_id order by epic_id, group_id, project_id`, tx.list(ids))
	return stats, err
}

// addPlaces adds n stories of one group and project; the rows come in the order of the groups.
func addPlaces(s *tracker.EpicStats, group *tracker.UUID, project *int64, n int64) {
	if group != nil {
		if last := len(s.Groups) - 1; last >= 0 && s.Groups[last].GroupID == *group {
			s.Groups[last].Stories += n
		} else {
			s.Groups = append(s.Groups, tracker.GroupStories{GroupID: *group, Stories: n})
		}
	}
	if project == nil {
		s.WithoutProjects += n
	} else if !slices.Contains(s.ProjectIDs, *project) {
		s.ProjectIDs = append(s.ProjectIDs, *project)
	}
}
