// Package activity turns the change log into actions and references: the one shape of story
// history, outgoing webhooks and the change feed.
package activity

import (
	"context"
	"slices"
	"strings"
	"time"

	"milepost/internal/service"
	"milepost/internal/tracker"
)

// Object is a JSON object whose keys follow from what it is about.
type Object = map[string]any

// Event is one change as it is told.
type Event struct {
	tracker.Change
	Actions    []Object // what was done, one for each entity
	References []Object // what the actions name by id and is not their own entity
}

// ChangedAt is when it happened, to the millisecond.
func (e Event) ChangedAt() string {
	return time.UnixMilli(e.At).UTC().Format("2006-01-02T15:04:05.000Z")
}

// Reader tells the changes of one workspace.
type Reader struct {
	Service   *service.Service
	By        tracker.Actor
	PublicURL string // the base of every link
}

// StoryHistory tells everything that happened to a story, oldest first: to the story itself, its
// tasks, comments and links, and what else the same requests did to labels and projects. What they
// did to other stories is told in the history of those.
func (r Reader) StoryHistory(ctx context.Context, id int64) ([]Event, error) {
	changes, err := r.Service.StoryChanges(ctx, r.By, id)
	if err != nil {
		return nil, err
	}
	for i := range changes {
		c := &changes[i]
		kept := c.Items[:0]
		for _, item := range c.Items {
			// What one of many stories needed cannot be told when all were made in one request.
			if companion := len(item.StoryIDs) == 0; inHistory(item) && !(companion && c.PrimaryID == "") {
				kept = append(kept, item)
			}
		}
		c.Items = kept
	}
	events, err := r.Tell(ctx, changes)
	return slices.DeleteFunc(events, func(e Event) bool { return len(e.Actions) == 0 }), err
}

// historyActions are the actions that the history of a story knows, by entity type.
var historyActions = map[string]string{
	"story": "create update delete", "story-task": "create update delete", "story-link": "create update delete",
	"story-comment": "create update", "label": "create update delete", "project": "update",
	"branch": "create push merge", "pull-request": "open update reopen close sync",
}

func inHistory(item tracker.ChangeItem) bool {
	return strings.Contains(historyActions[item.EntityType], item.Action)
}

// Tell turns each change into an event, in a fixed number of queries. An event has no actions where
// nothing of the change is to be told.
func (r Reader) Tell(ctx context.Context, changes []tracker.Change) ([]Event, error) {
	events := make([]Event, 0, len(changes))
	var all refs
	named := make([]refs, 0, len(changes))
	for _, c := range changes {
		e := Event{Change: c}
		var names refs
		own := map[tracker.Ref]bool{}
		for _, item := range c.Items {
			if action := r.action(item); action != nil {
				e.Actions = append(e.Actions, action)
				names.collect(item, action)
				own[tracker.Ref{EntityType: item.EntityType, ID: item.EntityID}] = true
			}
		}
		names.drop(own)
		all.add(names.list...)
		events, named = append(events, e), append(named, names)
	}
	found, err := r.Service.Referents(ctx, r.By, all.list)
	for i := range events {
		for _, ref := range named[i].list {
			if referent, ok := found[ref]; ok {
				events[i].References = append(events[i].References, r.reference(ref, referent))
			}
		}
	}
	return events, err
}
