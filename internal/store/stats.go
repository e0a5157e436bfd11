package store

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"milepost/internal/store/db"
	"milepost/internal/tracker"
)

// statsColumns counts unarchived stories by the type of their state; s is the story, t its state.
const statsColumns = `count(*),
	count(*) filter (where t.type = 'backlog'), count(*) filter (where t.type = 'unstarted'),
	count(*) filter (where t.type = 'started'), count(*) filter (where t.type = 'done'),
	count(*) filter (where s.estimate is null),
	cast(coalesce(sum(s.estimate), 0) as bigint),
	cast(coalesce(sum(s.estimate) filter (where t.type = 'backlog'), 0) as bigint),
	cast(coalesce(sum(s.estimate) filter (where t.type = 'unstarted'), 0) as bigint),
	cast(coalesce(sum(s.estimate) filter (where t.type = 'started'), 0) as bigint),
	cast(coalesce(sum(s.estimate) filter (where t.type = 'done'), 0) as bigint),
	cast(coalesce(sum(coalesce(s.completed_at_override, s.completed_at) - coalesce(s.started_at_override, s.started_at))
		filter (where s.completed_at is not null
			and coalesce(s.completed_at_override, s.completed_at) > coalesce(s.started_at_override, s.started_at)), 0) as bigint),
	cast(coalesce(sum(coalesce(s.completed_at_override, s.completed_at) - s.created_at)
		filter (where s.completed_at is not null and coalesce(s.completed_at_override, s.completed_at) > s.created_at), 0) as bigint)`

func statsDest(s *tracker.StoryStats) []any {
	return []any{
		&s.Total, &s.Backlog, &s.Unstarted, &s.Started, &s.Done, &s.Unestimated,
		&s.Points, &s.PointsBacklog, &s.PointsUnstarted, &s.PointsStarted, &s.PointsDone,
		&s.CycleSeconds, &s.LeadSeconds,
	}
}

// StoryStats counts the stories that each epic, iteration, project or group has (column is its
// reference in story), of one of them, of a list of ids or, with nil, of all. Those without
// stories are absent.
func (tx *Tx) StoryStats(column string, id any) (map[string]tracker.StoryStats, error) {
	condition, args := fmt.Sprintf("s.%s = $2", column), []any{id}
	switch ids := id.(type) {
	case nil:
		condition, args = fmt.Sprintf("s.%s is not null", column), nil
	case []int64:
		condition, args = tx.anyOf("s."+column, "$2"), []any{tx.list(ids)}
	}
	return tx.stats(fmt.Sprintf(`select cast(s.%s as text), `+statsColumns+`
		from story s join workflow_state t on (t.workspace_id = $1 and t.id = s.workflow_state_id)
		where s.workspace_id = $1 and s.archived = false and (%s) group by s.%s`, column, condition, column), args...)
}

// labelStoryStats counts the stories that carry each label.
func (tx *Tx) labelStoryStats(labels []int64) (map[string]tracker.StoryStats, error) {
	condition, args := tx.amongTargets(labels)
	return tx.stats(`select r.target, `+statsColumns+`
		from ref r join story s on (s.workspace_id = $1 and s.id = r.id)
		join workflow_state t on (t.workspace_id = $1 and t.id = s.workflow_state_id)
		where r.workspace_id = $1 and r.entity = 'story' and r.kind = 'label' and (`+condition+`)
			and s.archived = false group by r.target`, args...)
}

// MilestoneStats counts the stories in the epics of each milestone. Those without stories are absent. It counts by
// epic: in one statement with the references of the epics, the engines went through all stories for each of them.
func (tx *Tx) MilestoneStats(ids []int64) (map[string]tracker.StoryStats, error) {
	milestones := map[int64][]string{} // of each epic
	err := tx.each(func(row db.Row) error {
		var epic int64
		var milestone string
		err := row.Scan(&epic, &milestone)
		milestones[epic] = append(milestones[epic], milestone)
		return err
	}, `select id, target from ref where workspace_id = $1 and entity = 'epic' and kind = 'objective'
		and (`+tx.anyOf("target", "$2")+`)`, tx.list(intRefs(ids)))
	if err != nil {
		return nil, err
	}
	byEpic, err := tx.StoryStats("epic_id", slices.Collect(maps.Keys(milestones)))
	stats := map[string]tracker.StoryStats{}
	for epic, of := range milestones {
		found, counted := byEpic[strconv.FormatInt(epic, 10)]
		for _, milestone := range of {
			if counted {
				stats[milestone] = stats[milestone].Plus(found)
			}
		}
	}
	return stats, err
}

// amongTargets is the condition that an entry r of the index points to one of the ids, or to
// anything when there are none.
func (tx *Tx) amongTargets(ids []int64) (condition string, args []any) {
	if len(ids) == 0 {
		return "true", nil
	}
	return tx.anyOf("r.target", "$2"), []any{tx.list(intRefs(ids))}
}

func (tx *Tx) stats(statement string, args ...any) (map[string]tracker.StoryStats, error) {
	out := map[string]tracker.StoryStats{}
	err := tx.each(func(row db.Row) error {
		var key string
		var s tracker.StoryStats
		err := row.Scan(append([]any{&key}, statsDest(&s)...)...)
		out[key] = s
		return err
	}, statement, args...)
	return out, err
}
