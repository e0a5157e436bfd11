package tracker

import "reflect"

// Change is one entry of a workspace's change log: everything one write did.
type Change struct {
	Number    int64
	Member    UUID // empty when no member acted
	Actor     string
	Via       string
	RequestID string
	At        int64 // milliseconds since the Unix epoch
	Items     []ChangeItem
}

// ChangeItem says what a change did to one entity.
type ChangeItem struct {
	EntityType string
	EntityID   string
	Action     string // create, update or delete
	// Data holds the fields of the entity (create, delete) or, for an update,
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
