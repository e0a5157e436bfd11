package tracker

import "strconv"

// Label is a free tag on stories, epics and iterations.
type Label struct {
	ID          int64
	Name        string
	Description *string
	Color       *string
	ExternalID  *string
	Archived    bool
	CreatedAt   Time
	UpdatedAt   Time
}

// LabelStats counts what carries a label; archived stories and epics are left out.
type LabelStats struct {
	Stories                                        StoryStats
	Epics, EpicsUnstarted, EpicsStarted, EpicsDone int64
	RelatedDocuments                               int64
}

// LabelParams is what a label can be created with, also inline in another request.
type LabelParams struct {
	Name        string
	Description Opt[string]
	Color       Opt[string]
	ExternalID  Opt[string]
}

// LabelChange is what can be changed of a label.
type LabelChange struct {
	Name        Opt[string]
	Description Opt[string]
	Color       Opt[string]
	Archived    Opt[bool]
}

// NewLabel is the label that p asks for.
func NewLabel(id int64, p LabelParams, now Time) Label {
	return Label{
		ID: id, Name: p.Name, Description: p.Description.Ptr(), Color: p.Color.Ptr(), ExternalID: p.ExternalID.Ptr(),
		CreatedAt: now, UpdatedAt: now,
	}
}

// Apply makes the changes that ch asks for.
func (l *Label) Apply(ch LabelChange) {
	ch.Name.Apply(&l.Name)
	ch.Description.ApplyPtr(&l.Description)
	ch.Color.ApplyPtr(&l.Color)
	ch.Archived.Apply(&l.Archived)
}

// Touch moves the time of the last update.
func (l *Label) Touch(now Time) { l.UpdatedAt = now }

func (l Label) EntityType() string { return "label" }
func (l Label) EntityID() string   { return strconv.FormatInt(l.ID, 10) }

func (l Label) Fields() []Field {
	return []Field{
		{"name", l.Name}, {"description", l.Description}, {"color", l.Color}, {"external_id", l.ExternalID}, {"archived", l.Archived},
	}
}
