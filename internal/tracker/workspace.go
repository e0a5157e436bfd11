package tracker

import (
	"slices"
	"time"
)

// Workspace is one team's world: everything belongs to exactly one workspace, and a token
// opens exactly one.
type Workspace struct {
	ID                UUID
	Organization      UUID
	Slug              string
	Name              string
	UTCOffset         string
	EstimateScale     []int64
	WorkingDays       []string
	Disabled          []Feature
	GroupAllowance    *int64 // nil is no bound
	DefaultWorkflowID int64
	CreatedAt         Time
	UpdatedAt         Time
}

// Feature is a part of the product that a workspace can switch off.
type Feature string

// The features.
const (
	Groups          Feature = "groups"
	Iterations      Feature = "iterations"
	EntityTemplates Feature = "entity-templates"
	Objectives      Feature = "objectives"
	Projects        Feature = "projects"
	CustomFields    Feature = "custom-fields"
	SubTasks        Feature = "sub-tasks"
	Documents       Feature = "documents"
)

// Features lists all of them, in the order in which they are shown.
var Features = []Feature{Groups, Iterations, EntityTemplates, Objectives, Projects, CustomFields, SubTasks, Documents}

// NewWorkspace is a workspace with the settings of a new one.
func NewWorkspace(id, organization UUID, slug, name string, now Time) Workspace {
	return Workspace{
		ID: id, Organization: organization, Slug: slug, Name: name, UTCOffset: "+00:00",
		EstimateScale: []int64{0, 1, 2, 4, 8},
		WorkingDays:   []string{"monday", "tuesday", "wednesday", "thursday", "friday"},
		Disabled:      []Feature{},
		CreatedAt:     now, UpdatedAt: now,
	}
}

// Has reports whether the feature is on.
func (w *Workspace) Has(f Feature) bool { return !slices.Contains(w.Disabled, f) }

// Switch turns a feature on or off.
func (w *Workspace) Switch(f Feature, on bool) {
	if on == w.Has(f) {
		return
	}
	if on {
		w.Disabled = slices.DeleteFunc(slices.Clone(w.Disabled), func(d Feature) bool { return d == f })
		return
	}
	w.Disabled = append(slices.Clone(w.Disabled), f)
}

// Require fails when the feature is off.
func (w *Workspace) Require(f Feature) error {
	switch {
	case w.Has(f):
		return nil
	case f == Groups:
		return NotEntitledTo(Groups, "Groups are disabled in this workspace.")
	default:
		return &Error{Code: FeatureOff, Tag: string(f), Message: "The feature " + string(f) + " is disabled in this workspace."}
	}
}

// NotEntitledTo says that the workspace may not have (more of) something.
func NotEntitledTo(f Feature, message string) *Error {
	return &Error{Code: NotEntitled, Tag: string(f), Message: message}
}

// WorkspaceChange is what administrators can change of a workspace.
type WorkspaceChange struct {
	Name           Opt[string]
	UTCOffset      Opt[string]
	EstimateScale  Opt[[]int64]
	WorkingDays    Opt[[]string]
	GroupAllowance Opt[int64]
	Features       map[Feature]bool
}

// WeekDays are the days of the week, in their order.
var WeekDays = []string{"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"}

// Check says what of the change cannot be.
func (ch WorkspaceChange) Check() error {
	scale := ch.EstimateScale.Value
	for i := 1; i < len(scale); i++ {
		if scale[i] <= scale[i-1] {
			return Impossible("estimate_scale", "must ascend")
		}
	}
	days := slices.Clone(ch.WorkingDays.Value)
	slices.Sort(days)
	if len(slices.Compact(days)) < len(ch.WorkingDays.Value) {
		return Impossible("working_days", "must name each day once")
	}
	return nil
}

// Apply makes the changes that ch asks for.
func (w *Workspace) Apply(ch WorkspaceChange) {
	ch.Name.Apply(&w.Name)
	ch.UTCOffset.Apply(&w.UTCOffset)
	ch.EstimateScale.Apply(&w.EstimateScale)
	if days, ok := ch.WorkingDays.Get(); ok {
		w.WorkingDays = slices.Clone(days)
		slices.SortFunc(w.WorkingDays, func(a, b string) int { return slices.Index(WeekDays, a) - slices.Index(WeekDays, b) })
	}
	ch.GroupAllowance.ApplyPtr(&w.GroupAllowance)
	for f, on := range ch.Features {
		w.Switch(f, on)
	}
}

// Touch moves the time of the last update.
func (w *Workspace) Touch(now Time) { w.UpdatedAt = now }

func (w Workspace) EntityType() string { return "workspace2" }
func (w Workspace) EntityID() string   { return string(w.ID) }

func (w Workspace) Fields() []Field {
	return []Field{
		{"name", w.Name}, {"utc_offset", w.UTCOffset}, {"estimate_scale", w.EstimateScale}, {"working_days", w.WorkingDays},
		{"disabled_features", w.Disabled}, {"group_allowance", w.GroupAllowance}, {"default_workflow_id", w.DefaultWorkflowID},
	}
}

// Today is the midnight UTC that stands for the current day in the workspace's own time zone.
func (w *Workspace) Today(now Time) Time {
	local := now + w.Offset()
	return local - local%daySeconds
}

// Offset is how many seconds the workspace's clocks are ahead of UTC.
func (w *Workspace) Offset() Time {
	t, err := time.Parse("-07:00", w.UTCOffset)
	if err != nil {
		return 0 // the form of the offset is checked when it is set
	}
	_, seconds := t.Zone()
	return Time(seconds)
}

const daySeconds = 24 * 60 * 60
