package tracker

import (
	"reflect"
	"slices"
)

// Change is one entry of a workspace's change log: everything one write did.
type Change struct {
	Number     int64
	ID         UUID
	PrimaryID  string // of the entity the request was about; empty for many at once
	Member     UUID   // empty when no member acted
	Actor      string
	Via        string
	RequestID  string
	WebhookID  UUID   // of the integration that told of it, if one did
	ExternalID string // of the delivery by which it did
	At         int64  // milliseconds since the Unix epoch
	Items      []ChangeItem
}

// ChangeItem says what a change did to one entity.
type ChangeItem struct {
	EntityType string
	EntityID   string
	Action     string // create, update, delete, or another word for an update such as push or close
	// StoryIDs are the stories in whose history the item stands: none, one, or the two of a link.
	StoryIDs []int64
	// About holds, for an update, what identifies the entity to people beside what changed: the
	// entity may be gone by the time somebody reads this.
	About map[string]any
	// Data holds the fields of the entity (create, open, delete) or, for an update,
	// a Delta for each field that changed.
	Data map[string]any
}

// Delta is how one field changed: old and new of a scalar, adds and removes of a collection.
type Delta struct {
	Old     any   `json:"old,omitempty"`
	New     any   `json:"new,omitempty"`
	Adds    []any `json:"adds,omitempty"`
	Removes []any `json:"removes,omitempty"`
}

// Field is one named value of an entity as the change log keeps it.
type Field struct {
	Name  string
	Value any
}

// Entity is what the change log can record. Fields lists everything worth keeping,
// so that one declaration serves creation, update and deletion.
type Entity interface {
	EntityType() string
	EntityID() string
	Fields() []Field
}

// OfStory is an entity that stands in the history of stories.
type OfStory interface{ StoryIDs() []int64 }

// identity names the fields that identify entities to people; those of other types are known by
// their name.
var identity = map[string][]string{
	"story":         {"name", "story_type", "parent_story_id"},
	"story-task":    {"description", "complete", "story_id"},
	"story-comment": {"text", "author_id", "story_id"},
	"story-link":    {"subject_id", "verb", "object_id"},
	"epic-comment":  {"text", "author_id", "epic_id"},
	"document":      {"title"},
	"health":        {"status", "epic_id"},
	"reaction":      {"emoji", "comment_id", "story_id"},
	"branch":        {"name", "url"},
	"commit":        {"message", "url"},
	"pull-request":  {"number", "title", "url"},
}

// Identifies reports whether the field identifies entities of the type.
func Identifies(entityType, field string) bool {
	if fields, ok := identity[entityType]; ok {
		return slices.Contains(fields, field)
	}
	return field == "name"
}

// Updates reports whether the action is some kind of update: what it did is told by deltas.
func Updates(action string) bool { return action != "create" && action != "open" && action != "delete" }

// NewItem is what a change did to an entity: data is its snapshot or, for an update, its delta.
func NewItem(action string, e Entity, data map[string]any) ChangeItem {
	item := ChangeItem{EntityType: e.EntityType(), EntityID: e.EntityID(), Action: action, Data: data}
	if of, ok := e.(OfStory); ok {
		item.StoryIDs = of.StoryIDs()
	}
	if Updates(action) {
		item.About = map[string]any{}
		for _, f := range e.Fields() {
			if v := plain(f.Value); v != nil && data[f.Name] == nil && Identifies(item.EntityType, f.Name) {
				item.About[f.Name] = v
			}
		}
	}
	return item
}

// Snapshot is the whole entity, without its empty fields.
func Snapshot(e Entity) map[string]any {
	data := map[string]any{}
	for _, f := range e.Fields() {
		if v := plain(f.Value); v != nil {
			data[f.Name] = v
		}
	}
	return data
}

// Diff lists the fields in which after differs from before.
func Diff(before, after Entity) map[string]any {
	data := map[string]any{}
	was, is := before.Fields(), after.Fields()
	for i, f := range is {
		oldValue, newValue := plain(was[i].Value), plain(f.Value)
		if reflect.DeepEqual(oldValue, newValue) {
			continue
		}
		if isCollection(f.Value) {
			adds, removes := missing(newValue, oldValue), missing(oldValue, newValue)
			if len(adds)+len(removes) > 0 {
				data[f.Name] = Delta{Adds: adds, Removes: removes}
				continue
			}
		}
		data[f.Name] = Delta{Old: oldValue, New: newValue}
	}
	return data
}

// plain follows pointers and turns nil pointers and empty slices into nil.
func plain(v any) any {
	r := reflect.ValueOf(v)
	for r.Kind() == reflect.Pointer {
		if r.IsNil() {
			return nil
		}
		r = r.Elem()
	}
	if !r.IsValid() || r.Kind() == reflect.Slice && r.Len() == 0 {
		return nil
	}
	return r.Interface()
}

func isCollection(v any) bool { return reflect.TypeOf(v).Kind() == reflect.Slice }

// missing lists the elements of a that b lacks.
func missing(a, b any) []any {
	if a == nil {
		return nil
	}
	has := map[any]bool{}
	if b != nil {
		for _, v := range reflect.ValueOf(b).Seq2() {
			has[v.Interface()] = true
		}
	}
	var out []any
	for _, v := range reflect.ValueOf(a).Seq2() {
		if !has[v.Interface()] {
			out = append(out, v.Interface())
		}
	}
	return out
}
