package tracker

import (
	"fmt"
	"slices"
)

// Group is a team of members. Stories, epics and iterations can belong to it, and it works in
// some of the workspace's workflows.
type Group struct {
	ID                UUID
	Name              string
	MentionName       string
	Description       string
	Color             *string
	ColorKey          *string
	DisplayIconID     *UUID
	Archived          bool
	DefaultWorkflowID *int64 // one of WorkflowIDs; nil leaves it to the workspace's default
	MemberIDs         []UUID
	WorkflowIDs       []int64 // never empty
	CreatedAt         Time
	UpdatedAt         Time
}

// GroupParams is what a group can be created with.
type GroupParams struct {
	Name          string
	MentionName   string
	Description   string
	Color         Opt[string]
	ColorKey      Opt[string]
	DisplayIconID Opt[UUID]
	MemberIDs     []UUID
	WorkflowIDs   []int64
}

// GroupChange is what can be changed of a group. Null means not archived.
type GroupChange struct {
	Name              Opt[string]
	MentionName       Opt[string]
	Description       Opt[string]
	Color             Opt[string]
	ColorKey          Opt[string]
	DisplayIconID     Opt[UUID]
	Archived          Opt[bool]
	DefaultWorkflowID Opt[int64]
	MemberIDs         Opt[[]UUID]
	WorkflowIDs       Opt[[]int64]
}

// NewGroup is the group that p asks for.
func NewGroup(id UUID, p GroupParams, now Time) Group {
	return Group{
		ID: id, Name: p.Name, MentionName: p.MentionName, Description: p.Description, Color: p.Color.Ptr(), ColorKey: p.ColorKey.Ptr(),
		DisplayIconID: p.DisplayIconID.Ptr(), MemberIDs: p.MemberIDs, WorkflowIDs: p.WorkflowIDs, CreatedAt: now, UpdatedAt: now,
	}
}

// Apply makes the changes that ch asks for. A default workflow that the group no longer works in
// is given up, unless it is asked for.
func (g *Group) Apply(ch GroupChange) error {
	ch.Name.Apply(&g.Name)
	ch.MentionName.Apply(&g.MentionName)
	ch.Description.Apply(&g.Description)
	ch.Color.ApplyPtr(&g.Color)
	ch.ColorKey.ApplyPtr(&g.ColorKey)
	ch.DisplayIconID.ApplyPtr(&g.DisplayIconID)
	ch.MemberIDs.Apply(&g.MemberIDs)
	ch.WorkflowIDs.Apply(&g.WorkflowIDs)
	ch.DefaultWorkflowID.ApplyPtr(&g.DefaultWorkflowID)
	if ch.Archived.State != Absent {
		g.Archived = ch.Archived.Or(false)
	}
	if len(g.WorkflowIDs) == 0 {
		return Impossible("workflow_ids", "must name at least one workflow")
	}
	if g.DefaultWorkflowID != nil && !slices.Contains(g.WorkflowIDs, *g.DefaultWorkflowID) {
		if ch.DefaultWorkflowID.State == Given {
			return Impossible("default_workflow_id", "must be one of the group's workflows")
		}
		g.DefaultWorkflowID = nil
	}
	return nil
}

// AllowsGroup fails when the workspace has as many groups as its operator allows. Archived groups
// do not count.
func (w *Workspace) AllowsGroup(unarchived int64) error {
	if w.GroupAllowance == nil || unarchived < *w.GroupAllowance {
		return nil
	}
	return NotEntitledTo(Groups, fmt.Sprintf("This workspace may have at most %d groups that are not archived.", *w.GroupAllowance))
}

// Touch moves the time of the last update.
func (g *Group) Touch(now Time) { g.UpdatedAt = now }

func (g Group) EntityType() string { return "group" }
func (g Group) EntityID() string   { return string(g.ID) }

func (g Group) Fields() []Field {
	return []Field{
		{"name", g.Name}, {"mention_name", g.MentionName}, {"description", g.Description}, {"color", g.Color},
		{"color_key", g.ColorKey}, {"display_icon_id", g.DisplayIconID}, {"archived", g.Archived},
		{"default_workflow_id", g.DefaultWorkflowID}, {"member_ids", g.MemberIDs}, {"workflow_ids", g.WorkflowIDs},
	}
}
