package rest_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"

	"milepost/internal/api/rest"
	"milepost/internal/tracker"
)

// shown has every form of field that an answer can have.
type shown struct {
	ID      int64          `json:"id"`
	Name    string         `json:"name"`
	Owner   tracker.UUID   `json:"owner_id"`
	At      tracker.Time   `json:"at"`
	Ended   *tracker.Time  `json:"ended_at"`
	Text    *string        `json:"text" is:"enum=a|b"`
	Done    bool           `json:"done"`
	Stats   *shownStats    `json:"stats,omitzero"`
	Count   int            `json:"count,omitzero"`
	IDs     []int64        `json:"ids"`
	Owners  []tracker.UUID `json:"owner_ids"`
	Grid    [][]string     `json:"grid"`
	Replies []shown        `json:"replies"`
	shownStats
}

type shownStats struct {
	Total int64 `json:"num_total"`
}

var appendShown = rest.NewAppender(reflect.TypeFor[[]shown]())

// reading is what encoding/json reads, with numbers as they are written.
func reading(t testing.TB, text []byte) (v any) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&v); err != nil || d.More() {
		t.Fatalf("%v in %q", err, text)
	}
	return v
}

// sameAsStandard fails unless the list is written as encoding/json would, but for nil slices.
func sameAsStandard(t testing.TB, list []shown) {
	t.Helper()
	standard, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := reading(t, appendShown(nil, list)), reading(t, standard); !reflect.DeepEqual(got, want) {
		t.Errorf("written as %v\nencoding/json has %v", got, want)
	}
}

func TestAppend(t *testing.T) {
	t.Parallel()
	text, at := "<ä>\u2028\"\\\x01", tracker.Time(1_769_860_800)
	full := shown{
		ID: -1 << 63, Name: text, Owner: "0198c8a6-0000-7000-8000-000000000000", At: at, Ended: &at, Text: &text, Done: true,
		Stats: &shownStats{7}, Count: 3, IDs: []int64{1, 1<<63 - 1}, Owners: []tracker.UUID{}, Grid: [][]string{{}, {"", "x"}},
		Replies: []shown{}, shownStats: shownStats{8},
	}
	parent := full
	parent.Replies = []shown{full, full}
	sameAsStandard(t, []shown{full, parent})

	const empty = `[{"id":0,"name":"","owner_id":"","at":"1970-01-01T00:00:00Z","ended_at":null,"text":null,"done":false,` +
		`"ids":[],"owner_ids":[],"grid":[],"replies":[],"num_total":0}]`
	if got := appendShown(nil, []shown{{}}); string(got) != empty {
		t.Errorf("empty: %s", got)
	}
	if got := appendShown([]byte("x"), []shown(nil)); string(got) != "x[]" {
		t.Errorf("nothing: %s", got)
	}
	if got := reading(t, appendShown(nil, []shown{{Name: "a\xffb"}})).([]any)[0].(map[string]any)["name"]; got != "a\uFFFDb" {
		t.Errorf("what is not UTF-8 is written as %q", got)
	}
}

func FuzzEncode(f *testing.F) {
	f.Add(int64(0), "", "", int64(0), true, uint8(0))
	f.Fuzz(func(t *testing.T, id int64, name, text string, seconds int64, is bool, n uint8) {
		v := shown{ID: id, Name: name, Owner: tracker.UUID(text), Done: is, Count: int(n), IDs: []int64{}, Owners: []tracker.UUID{},
			Grid: [][]string{}, Replies: []shown{}}
		v.At = tracker.Time(seconds % (1 << 36)) // about two thousand years to both sides
		if is {
			v.Text, v.Ended, v.Stats = &text, &v.At, &shownStats{id}
		}
		for i := range n % 8 {
			v.IDs = append(v.IDs, int64(i)*id)
			v.Grid = append(v.Grid, []string{name, text}[:i%3])
		}
		parent := v
		parent.Replies = []shown{v}
		sameAsStandard(t, []shown{v, parent})
	})
}
