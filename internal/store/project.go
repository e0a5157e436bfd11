package store

import (
	"milepost/internal/store/db"
	"milepost/internal/tracker"
)

var projects = newTable("project", "id", nil, func(p *tracker.Project) []column {
	return []column{
		{"id", &p.ID}, {"name", &p.Name}, {"abbreviation", &p.Abbreviation}, {"description", &p.Description}, {"color", &p.Color},
		{"external_id", &p.ExternalID}, {"follower_ids", uuids{&p.FollowerIDs}}, {"iteration_length", &p.IterationLength},
		{"start_time", &p.StartTime}, {"team_id", &p.TeamID}, {"workflow_id", &p.WorkflowID}, {"show_thermometer", &p.ShowThermometer},
		{"days_to_thermometer", &p.DaysToThermometer}, {"archived", &p.Archived}, {"created_at", &p.CreatedAt}, {"updated_at", &p.UpdatedAt},
	}
})

func (tx *Tx) Projects() ([]tracker.Project, error)      { return projects.find(tx, "") }
func (tx *Tx) Project(id int64) (tracker.Project, error) { return projects.known(tx, id) }
func (tx *Tx) InsertProject(p *tracker.Project) error    { return projects.insert(tx, p) }
func (tx *Tx) UpdateProject(p *tracker.Project) error    { return projects.update(tx, p) }
func (tx *Tx) DeleteProject(id int64) error              { return projects.delete(tx, id) }

// ProjectHasStories reports whether the project has stories, archived ones too, in another
// workflow than the given one; with 0, in any.
func (tx *Tx) ProjectHasStories(id, otherThan int64) (has bool, err error) {
	err = tx.one([]any{&has}, `select exists (select 1 from story where workspace_id = $1 and project_id = $2 and workflow_id <> $3)`,
		id, otherThan)
	return has, err
}

func (tx *Tx) projectsByWorkflow() (map[int64][]int64, error) {
	ids := map[int64][]int64{}
	err := tx.each(func(row db.Row) error {
		var workflow, project int64
		err := row.Scan(&workflow, &project)
		ids[workflow] = append(ids[workflow], project)
		return err
	}, `select workflow_id, id from project where workspace_id = $1 order by id`)
	return ids, err
}
