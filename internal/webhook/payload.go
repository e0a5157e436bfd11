// Package webhook delivers the changes of workspaces to the addresses that their administrators
// have named: every change at least once, and in order.
package webhook

import (
	"encoding/json"
	"slices"

	"milepost/internal/activity"
	"milepost/internal/tracker"
)

// payload is what a receiver gets: version v1, whose keys are left out where they have no value.
type payload struct {
	ID         tracker.UUID      `json:"id"`
	ChangedAt  string            `json:"changed_at"`
	Version    string            `json:"version"`
	PrimaryID  any               `json:"primary_id,omitempty"`
	MemberID   tracker.UUID      `json:"member_id,omitempty"`
	ActorName  string            `json:"actor_name,omitempty"`
	Actions    []activity.Object `json:"actions"`
	References []activity.Object `json:"references,omitempty"`
}

// encode is the body that tells of the event. It is the same whenever the event is told.
func encode(e activity.Event) ([]byte, error) {
	p := payload{
		ID: e.ID, ChangedAt: e.ChangedAt(), Version: "v1", MemberID: e.Member, ActorName: e.Actor,
		Actions: e.Actions, References: e.References,
	}
	if e.PrimaryID != "" {
		p.PrimaryID = activity.PublicID(e.PrimaryID)
	}
	return json.Marshal(p)
}

// told are the types of entities that leave the workspace: its work. People, settings and what else
// belongs to administration stay inside.
var told = map[string]bool{
	"story": true, "story-task": true, "story-comment": true, "story-link": true, "reaction": true,
	"epic": true, "epic-comment": true, "health": true, "milestone": true, "key-result": true, "iteration": true,
	"label": true, "category": true, "project": true, "group": true, "linked-file": true, "file": true, "doc": true,
	"branch": true, "commit": true, "pull-request": true,
}

// outward takes out of the changes what stays inside.
func outward(changes []tracker.Change) []tracker.Change {
	for i := range changes {
		changes[i].Items = slices.DeleteFunc(changes[i].Items, func(item tracker.ChangeItem) bool { return !told[item.EntityType] })
	}
	return changes
}
