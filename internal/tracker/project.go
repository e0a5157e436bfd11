package tracker

import "strconv"

// Project is a set of stories that run through one workflow. Like the legacy team, which stands
// for that workflow, it comes from before groups.
type Project struct {
	ID                int64
	Name              string
	Abbreviation      *string
	Description       *string
	Color             *string
	ExternalID        *string
	FollowerIDs       []UUID
	IterationLength   int64 // weeks
	StartTime         Time
	TeamID            int64
	WorkflowID        int64 // the one that the team stands for
	ShowThermometer   bool
	DaysToThermometer int64 // a started story that has not changed for so long is stale
	Archived          bool
	CreatedAt         Time
	UpdatedAt         Time
}

const (
	defaultIterationLength   = 2
	defaultDaysToThermometer = 5
)

// ProjectParams is what a project can be created with.
type ProjectParams struct {
	Name            string
	Abbreviation    Opt[string]
	Description     Opt[string]
	Color           Opt[string]
	ExternalID      Opt[string]
	FollowerIDs     []UUID
	IterationLength Opt[int64]
	StartTime       Opt[Time]
	TeamID          Opt[int64] // without one, that of the workspace's default workflow
	CreatedAt       Opt[Time]
	UpdatedAt       Opt[Time]
}

// ProjectChange is what can be changed of a project.
type ProjectChange struct {
	Name              Opt[string]
	Abbreviation      Opt[string]
	Description       Opt[string]
	Color             Opt[string]
	FollowerIDs       Opt[[]UUID]
	TeamID            Opt[int64]
	ShowThermometer   Opt[bool]
	DaysToThermometer Opt[int64]
	Archived          Opt[bool]
}

// NewProject is the project that p asks for, in the workflow of its team.
func NewProject(id int64, p ProjectParams, flow Workflow, now Time) Project {
	return Project{
		ID: id, Name: p.Name, Abbreviation: p.Abbreviation.Ptr(), Description: p.Description.Ptr(), Color: p.Color.Ptr(),
		ExternalID: p.ExternalID.Ptr(), FollowerIDs: p.FollowerIDs, IterationLength: p.IterationLength.Or(defaultIterationLength),
		StartTime: p.StartTime.Or(now), TeamID: flow.TeamID, WorkflowID: flow.ID, DaysToThermometer: defaultDaysToThermometer,
		CreatedAt: p.CreatedAt.Or(now), UpdatedAt: p.UpdatedAt.Or(now),
	}
}

// Apply makes the changes that ch asks for, except that of the team: see Join.
func (p *Project) Apply(ch ProjectChange) {
	ch.Name.Apply(&p.Name)
	ch.Abbreviation.ApplyPtr(&p.Abbreviation)
	ch.Description.ApplyPtr(&p.Description)
	ch.Color.ApplyPtr(&p.Color)
	ch.FollowerIDs.Apply(&p.FollowerIDs)
	ch.ShowThermometer.Apply(&p.ShowThermometer)
	ch.DaysToThermometer.Apply(&p.DaysToThermometer)
	ch.Archived.Apply(&p.Archived)
}

// Join moves the project to the team that stands for the workflow.
func (p *Project) Join(flow Workflow) { p.TeamID, p.WorkflowID = flow.TeamID, flow.ID }

// Touch moves the time of the last update.
func (p *Project) Touch(now Time) { p.UpdatedAt = now }

func (p Project) EntityType() string { return "project" }
func (p Project) EntityID() string   { return strconv.FormatInt(p.ID, 10) }

func (p Project) Fields() []Field {
	return []Field{
		{"name", p.Name}, {"abbreviation", p.Abbreviation}, {"description", p.Description}, {"color", p.Color},
		{"external_id", p.ExternalID}, {"follower_ids", p.FollowerIDs}, {"iteration_length", p.IterationLength},
		{"start_time", p.StartTime}, {"team_id", p.TeamID}, {"workflow_id", p.WorkflowID}, {"show_thermometer", p.ShowThermometer},
		{"days_to_thermometer", p.DaysToThermometer}, {"archived", p.Archived},
	}
}
