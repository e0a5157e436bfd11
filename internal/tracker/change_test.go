package tracker

import (
	"encoding/json"
	"testing"
)

// thing has a field of every kind that the change log meets.
type thing struct {
	Text   string
	Maybe  *string
	Number *int64
	Flag   bool
	IDs    []int64
	At     *Time
}

func (thing) EntityType() string { return "thing" }
func (thing) EntityID() string   { return "1" }

func (x thing) Fields() []Field {
	return []Field{{"text", x.Text}, {"maybe", x.Maybe}, {"number", x.Number}, {"flag", x.Flag}, {"ids", x.IDs}, {"at", x.At}}
}

func TestSnapshot(t *testing.T) {
	t.Parallel()
	for want, x := range map[string]thing{
		`{"flag":false,"text":""}`: {},
		`{"at":"1970-01-01T00:00:09Z","flag":true,"ids":[2,1],"maybe":"m","number":0,"text":"t"}`: {
			Text: "t", Maybe: ptr("m"), Number: ptr(int64(0)), Flag: true, IDs: []int64{2, 1}, At: ptr(Time(9)),
		},
		`{"flag":false,"text":"only"}`: {Text: "only", IDs: []int64{}},
	} {
		if got := text(t, Snapshot(x)); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func TestDiff(t *testing.T) {
	t.Parallel()
	full := thing{Text: "t", Maybe: ptr("m"), Number: ptr(int64(5)), Flag: true, IDs: []int64{1, 2, 3}, At: ptr(Time(9))}
	change := func(fn func(*thing)) thing { x := full; fn(&x); return x }
	for _, c := range []struct {
		before, after thing
		want          string
	}{
		{full, full, `{}`},
		{full, change(func(x *thing) { x.Maybe = ptr("m"); x.IDs = []int64{1, 2, 3} }), `{}`},
		{thing{}, thing{IDs: []int64{}}, `{}`},
		{full, change(func(x *thing) { x.Text = "u" }), `{"text":{"old":"t","new":"u"}}`},
		{full, change(func(x *thing) { x.Flag = false }), `{"flag":{"old":true,"new":false}}`},
		{full, change(func(x *thing) { x.Maybe = nil }), `{"maybe":{"old":"m"}}`},
		{change(func(x *thing) { x.Number = nil }), change(func(x *thing) { x.Number = ptr(int64(0)) }), `{"number":{"new":0}}`},
		{full, change(func(x *thing) { x.IDs = []int64{2, 3, 4} }), `{"ids":{"adds":[4],"removes":[1]}}`},
		{full, change(func(x *thing) { x.IDs = nil }), `{"ids":{"removes":[1,2,3]}}`},
		{thing{}, thing{IDs: []int64{7}}, `{"ids":{"adds":[7]}}`},
		{full, change(func(x *thing) { x.IDs = []int64{3, 2, 1} }), `{"ids":{"old":[1,2,3],"new":[3,2,1]}}`},
		{full, change(func(x *thing) { x.At = ptr(Time(10)); x.Text = "" }), `{"at":{"old":"1970-01-01T00:00:09Z","new":"1970-01-01T00:00:10Z"},"text":{"old":"t","new":""}}`},
	} {
		if got := text(t, Diff(c.before, c.after)); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

func text(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
