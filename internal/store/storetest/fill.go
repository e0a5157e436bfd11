package storetest

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"milepost/internal/query"
	"milepost/internal/store"
	"milepost/internal/tracker"
)

// A world is what the rows of a workspace are made of: every number that is not a time, every
// UUID and every text of theirs is the same, so that all references among them lead somewhere.
type world struct {
	text string
	id   int64
	uuid tracker.UUID
}

// fill makes a row in every table that a Tx can insert into. A row that refers to one that is not
// there yet is tried again when others have been made.
func (w world) fill(t *testing.T, st *store.Store, workspace tracker.UUID) {
	t.Helper()
	mustWrite(t, st, workspace, func(tx *store.Tx) error {
		_, err := tx.Account(string(w.uuid)+"@example.org", w.uuid, now) // worlds with the same ids share the person
		return err
	})
	var left []reflect.Method
	for m := range methods() {
		inserts := func(prefix string) bool { return strings.HasPrefix(m.Name, prefix) }
		if slices.ContainsFunc([]string{"Insert", "Append", "Keep"}, inserts) {
			left = append(left, m)
		}
	}
	for len(left) > 0 {
		var refused []reflect.Method
		var why error
		for _, m := range left {
			err := st.Write(t.Context(), workspace, func(tx *store.Tx) error {
				_, err := w.call(m, tx, 0)
				return err
			})
			if err != nil {
				refused, why = append(refused, m), fmt.Errorf("%s: %w", m.Name, err)
			}
		}
		if len(refused) == len(left) {
			t.Fatal(why)
		}
		left = refused
	}
}

// methods are those of Tx.
func methods() func(yield func(reflect.Method) bool) {
	all := reflect.TypeFor[*store.Tx]()
	return func(yield func(reflect.Method) bool) {
		for i := range all.NumMethod() {
			if !yield(all.Method(i)) {
				return
			}
		}
	}
}

// given is what the first parameters of a method are when one id for all of them would not do: a
// kind or a column that must fit the id, an id and another one, a page. A row is for one variant.
func (w world) given(method string) [variants][]any {
	id, member, other := strconv.FormatInt(w.id, 10), string(w.uuid), int64(5)
	switch method {
	case "StoryPage":
		return [variants][]any{{store.StoriesOfEpic(w.id), int64(0), true}, {store.StoriesWithLabel(tracker.Label{ID: w.id}), int64(0), false}}
	case "Search":
		found := store.SearchQuery{Entity: query.Stories, Expr: query.Text{Words: query.Words(w.text)}, Limit: 10}
		named := store.SearchQuery{Entity: query.Epics, Expr: query.Name{Field: query.Label, ID: w.id}, Limit: 10}
		return [variants][]any{{found}, {named}}
	case "EpicsReferring", "SomeEpicsReferring", "SomeStoriesReferring":
		return [variants][]any{{"owner", member}, {"label", id}}
	case "StoriesByTarget":
		return [variants][]any{{"label"}, {"label"}}
	case "IterationsReferring":
		return [variants][]any{{"group", member}, {"label", id}}
	case "Referring":
		return [variants][]any{{"story", "owner", member}, {"epic", "label", id}}
	case "StoryStats", "SomeStoriesOf":
		return [variants][]any{{"epic_id", w.id}, {"project_id", w.id}}
	case "HasStoryLink":
		link := tracker.StoryLink{SubjectID: w.id, Verb: tracker.Verb(w.text), ObjectID: w.id}
		return [variants][]any{{&link}, {&link}}
	case "ProjectHasStories":
		return [variants][]any{{w.id, other}, {w.id, other}}
	case "EpicBeside", "MilestoneBeside":
		return [variants][]any{{other, w.id}, {other, w.id}}
	case "StoryBeside":
		return [variants][]any{{other, w.id, w.id}, {other, w.id, w.id}}
	case "CustomFieldBeside":
		return [variants][]any{{uuid(5)}, {uuid(5)}}
	case "Audit":
		return [variants][]any{{tracker.UUID("")}, {tracker.UUID("")}}
	case "Changes":
		return [variants][]any{{int64(0)}, {int64(0)}}
	case "LastWithin":
		return [variants][]any{{int64(0), int64(10), int64(1000)}, {int64(0), int64(10), int64(1000)}}
	case "Deliveries":
		return [variants][]any{{w.id, tracker.UUID("")}, {w.id, tracker.UUID("")}}
	case "MembersByEmail":
		return [variants][]any{{[]string{member + "@example.org"}}, {[]string{member + "@example.org"}}}
	case "KeptAnswer":
		return [variants][]any{{w.text, tracker.Time(0)}, {w.text, tracker.Time(0)}}
	case "EpicPage":
		return [variants][]any{{int64(10), int64(0)}, {int64(10), int64(0)}}
	case "StoriesOfGroup":
		return [variants][]any{{w.uuid, int64(10), int64(0)}, {w.uuid, int64(10), int64(0)}}
	}
	return [variants][]any{}
}

// variants is how often a method is called: with flags unset and set, without filters and with them.
const variants = 2

// call calls the method with values of the world and gives what it returns.
func (w world) call(m reflect.Method, tx *store.Tx, variant int) (out []any, err error) {
	args := []reflect.Value{reflect.ValueOf(tx)}
	for _, value := range w.given(m.Name)[variant] {
		args = append(args, reflect.ValueOf(value))
	}
	for i := len(args); i < m.Type.NumIn(); i++ {
		arg := reflect.New(m.Type.In(i)).Elem()
		w.set(m.Name, arg, variant)
		args = append(args, arg)
	}
	results := m.Func.Call
	if m.Type.IsVariadic() {
		results = m.Func.CallSlice
	}
	for _, result := range results(args) {
		switch value := result.Interface().(type) {
		case error:
			err = value
		case store.StoryQuery:
			list, failed := tx.StoryPage(value, 0, true)
			out, err = append(out, list), failed
		default:
			out = append(out, value) // also the nil of no error
		}
	}
	return out, err
}

// set fills v with an id, or another value, of the world.
func (w world) set(method string, v reflect.Value, variant int) {
	switch v.Interface().(type) {
	case tracker.UUID:
		v.SetString(string(w.uuid))
		return
	case tracker.Time:
		v.SetInt(int64(now) + 1)
		return
	case *tracker.Time:
		return // nothing is finished, revoked or over
	case tracker.Role:
		v.SetString(string(tracker.Owner))
		return
	case tracker.StateType:
		v.SetString(string(tracker.Started))
		return
	case tracker.OptState:
		v.SetUint([]uint64{uint64(tracker.Absent), uint64(tracker.Given)}[variant])
		return
	case []byte:
		v.SetBytes([]byte(w.text))
		return
	}
	switch v.Kind() {
	case reflect.Int64:
		v.SetInt(w.id)
	case reflect.Int:
		v.SetInt(100)
	case reflect.String:
		v.SetString(w.text)
	case reflect.Bool:
		v.SetBool(variant == 1)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		w.set(method, v.Elem(), variant)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		w.set(method, v.Index(0), variant)
	case reflect.Struct:
		for i := range v.NumField() {
			w.set(method, v.Field(i), variant)
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
	case reflect.Func: // which tells what is wanted
		out := reflect.New(v.Type().Out(0)).Elem()
		w.set(method, out, variant)
		v.Set(reflect.MakeFunc(v.Type(), func([]reflect.Value) []reflect.Value { return []reflect.Value{out} }))
	case reflect.Interface:
	default:
		panic(fmt.Sprintf("%s takes a %s: say in set what to call it with", method, v.Type()))
	}
}
