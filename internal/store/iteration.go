package store

import (
	"milepost/internal/store/db"
	"milepost/internal/tracker"
)

var iterations = newTable("iteration", "start_date, id", nil, func(i *tracker.Iteration) []column {
	return []column{
		{"id", &i.ID}, {"name", &i.Name}, {"description", &i.Description}, {"start_date", &i.StartDate}, {"end_date", &i.EndDate},
		{"follower_ids", uuids{&i.FollowerIDs}}, {"group_ids", uuids{&i.GroupIDs}}, {"label_ids", ints{&i.LabelIDs}},
		{"member_mention_ids", uuids{&i.MemberMentions}}, {"group_mention_ids", uuids{&i.GroupMentions}},
		{"created_at", &i.CreatedAt}, {"updated_at", &i.UpdatedAt},
	}
})

func iterationRefs(i *tracker.Iteration) refs {
	return refs{"label": intRefs(i.LabelIDs), "group": refsOf(i.GroupIDs)}
}

func (tx *Tx) Iterations() ([]tracker.Iteration, error)      { return iterations.find(tx, "") }
func (tx *Tx) Iteration(id int64) (tracker.Iteration, error) { return iterations.get(tx, id) }

// IterationsByID lists the iterations with the ids in their order.
func (tx *Tx) IterationsByID(ids []int64) ([]tracker.Iteration, error) {
	return iterations.byID(tx, ids, func(i *tracker.Iteration) int64 { return i.ID })
}

// IterationsReferring lists the iterations that have the target in their list of that kind: label
// or group.
func (tx *Tx) IterationsReferring(kind, target string) ([]tracker.Iteration, error) {
	return iterations.find(tx, `id in (select id from ref where workspace_id = $1 and entity = 'iteration' and kind = $2 and target = $3)`, kind, target)
}

func (tx *Tx) InsertIteration(i *tracker.Iteration) error {
	if err := iterations.insert(tx, i); err != nil {
		return err
	}
	if err := tx.saveRefs("iteration", i.ID, nil, iterationRefs(i)); err != nil {
		return err
	}
	return tx.saveTexts(searchedIteration, i.ID, texts{}, texts{i.Name, i.Description})
}

func (tx *Tx) UpdateIteration(before, after *tracker.Iteration) error {
	if err := iterations.change(tx, before, after); err != nil {
		return err
	}
	if err := tx.saveRefs("iteration", after.ID, iterationRefs(before), iterationRefs(after)); err != nil {
		return err
	}
	return tx.saveTexts(searchedIteration, after.ID, texts{before.Name, before.Description}, texts{after.Name, after.Description})
}

func (tx *Tx) DeleteIteration(i *tracker.Iteration) error {
	if err := tx.saveRefs("iteration", i.ID, iterationRefs(i), nil); err != nil {
		return err
	}
	if err := tx.forget(searchedIteration, i.ID); err != nil {
		return err
	}
	return iterations.delete(tx, i.ID)
}

// SomeStoriesEverIn lists up to limit stories that are in the iteration or remember to have been.
func (tx *Tx) SomeStoriesEverIn(i tracker.Iteration, limit int) ([]tracker.Story, error) {
	return stories.scan(tx, stories.selectSQL+` and (id in (select id from story where workspace_id = $1 and iteration_id = $2
			union select id from ref where workspace_id = $1 and entity = 'story' and kind = 'previous-iteration' and target = $3))
		order by id limit $4`, i.ID, i.EntityID(), limit)
}

// IterationGroups counts the unarchived stories that groups have in the iterations.
func (tx *Tx) IterationGroups(ids []int64) (map[int64][]tracker.GroupStories, error) {
	groups := map[int64][]tracker.GroupStories{}
	err := tx.each(func(row db.Row) error {
		var iteration int64
		var g tracker.GroupStories
		err := row.Scan(&iteration, &g.GroupID, &g.Stories)
		groups[iteration] = append(groups[iteration], g)
		return err
	}, `select iteration_id, group_id, count(*) from story
		where workspace_id = $1 and archived = false and group_id is not null and (`+tx.anyOf("iteration_id", "$2")+`)
		group by iteration_id, group_id order by iteration_id, group_id`, tx.list(ids))
	return groups, err
}
