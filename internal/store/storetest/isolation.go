package storetest

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"testing"

	"milepost/internal/store"
	"milepost/internal/tracker"
)

// The second workspace's texts and ids are such that they can be told in any output.
const (
	foreignText   = "foreign"
	foreignID     = 7_770_000
	foreignHighID = 777_000_000
	// variants is how many ids of each kind a method is tried with; fill uses fewer.
	variants = 24
)

var foreignForm = regexp.MustCompile(`foreign|77777777-|\b777\d{4}\b|\b777\d{6}\b`)

func foreignUUID(n int) tracker.UUID {
	return tracker.UUID(fmt.Sprintf("77777777-0000-7000-8000-%012d", n))
}

// global lists the methods that may tell of other workspaces.
var global = map[string]bool{"Account": true} // a person is the same in all of them

// isolation calls every method of Tx in one workspace with the ids of another. Methods are found by
// reflection, so a new one is tried without being named here.
func isolation(t *testing.T, address string) {
	st := openStore(t, address)
	home, away := newWorkspace(t, st, uuid(1), "home"), newWorkspace(t, st, foreignUUID(1), foreignText)
	mustWrite(t, st, home, func(tx *store.Tx) error { return fill(tx, uuid, "home") })
	mustWrite(t, st, away, func(tx *store.Tx) error {
		tx.SkipIDs(foreignID, foreignHighID)
		return fill(tx, foreignUUID, foreignText)
	})
	db, tables := openRaw(t, address), catalog(t, address)
	for _, statement := range storylessRows {
		exec(t.Context(), t, db, statement, string(away))
	}
	before := dump(t, db, tables, string(away))
	for name, rows := range before {
		if len(rows) == 0 {
			t.Errorf("table %s: no row of it is tried; let fill make one", name)
		}
	}
	look(t, st, home)
	if t.Failed() {
		return
	}
	// With the foreign ids now also in the home workspace, there is no looking any more.
	touch(t, st, home, func(method string) {
		if after := dump(t, db, tables, string(away)); !reflect.DeepEqual(before, after) {
			t.Fatalf("%s changed another workspace:\n%v\n%v", method, before, after)
		}
	})
}

// look fails when a method shows anything of the other workspace. All it does is undone.
func look(t *testing.T, st *store.Store, home tracker.UUID) {
	t.Helper()
	undone := errors.New("undone")
	eachMethod(t, func(m reflect.Method, n int) {
		var shown string
		err := st.Write(t.Context(), home, func(tx *store.Tx) error {
			shown = call(m, tx, n)
			return undone
		})
		if !errors.Is(err, undone) {
			t.Fatal(err)
		}
		if !global[m.Name] && foreignForm.MatchString(shown) {
			t.Errorf("%s shows another workspace: %s", m.Name, shown)
		}
	})
}

// touch lets the methods do what they can and checks after each.
func touch(t *testing.T, st *store.Store, home tracker.UUID, check func(method string)) {
	t.Helper()
	eachMethod(t, func(m reflect.Method, n int) {
		_ = st.Write(t.Context(), home, func(tx *store.Tx) error {
			call(m, tx, n)
			return nil // what it met, such as a taken name, does not matter
		})
		if n == variants-1 {
			check(m.Name)
		}
	})
}

func eachMethod(t *testing.T, fn func(m reflect.Method, n int)) {
	t.Helper()
	methods := reflect.TypeFor[*store.Tx]()
	if methods.NumMethod() < 30 {
		t.Fatalf("Tx has only %d methods", methods.NumMethod())
	}
	for i := range methods.NumMethod() {
		for n := range variants {
			fn(methods.Method(i), n)
		}
	}
}

// call gives what the method returns, as JSON; its error is left out.
func call(m reflect.Method, tx *store.Tx, n int) string {
	args := []reflect.Value{reflect.ValueOf(tx)}
	for i := 1; i < m.Type.NumIn(); i++ {
		arg := reflect.New(m.Type.In(i)).Elem()
		setForeign(m.Name, arg, n)
		args = append(args, arg)
	}
	var shown []any
	for _, out := range m.Func.Call(args) {
		if _, ok := out.Interface().(error); !ok {
			shown = append(shown, out.Interface())
		}
	}
	text, err := json.Marshal(shown)
	if err != nil {
		panic(fmt.Sprintf("%s returns what cannot be shown: %v", m.Name, err))
	}
	return string(text)
}

// setForeign fills v with the nth id, or another value, of the other workspace.
func setForeign(method string, v reflect.Value, n int) {
	switch v.Interface().(type) {
	case tracker.UUID:
		v.SetString(string(foreignUUID(n)))
		return
	case tracker.Time:
		v.SetInt(int64(now) + 1)
		return
	}
	switch v.Kind() {
	case reflect.Int64:
		v.SetInt([]int64{foreignID, foreignHighID}[n%2] + int64(n/2))
	case reflect.Int:
		v.SetInt(100)
	case reflect.String:
		v.SetString(foreignText)
	case reflect.Bool:
		v.SetBool(n%2 == 0)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		setForeign(method, v.Elem(), n)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		setForeign(method, v.Index(0), n)
	case reflect.Struct:
		for i := range v.NumField() {
			setForeign(method, v.Field(i), n)
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
	case reflect.Interface:
	default:
		panic(fmt.Sprintf("%s takes a %s: say in setForeign what to call it with", method, v.Type()))
	}
}
