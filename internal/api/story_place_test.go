package api_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"milepost/internal/store"
	"milepost/internal/testkit"
)

// column lists the stories of a state in their order, and fails on two at the same position or
// one that no JavaScript client could read.
func column(t *testing.T, s *testkit.Server, state int64) (ids []int64) {
	t.Helper()
	type placed struct{ ID, Position int64 }
	list := readJSON[[]placed](t, s.Owner.Want(t, 201, "POST", "/stories/search", map[string]any{"workflow_state_id": state}))
	slices.SortFunc(list, func(a, b placed) int { return int(a.Position - b.Position) })
	for i, story := range list {
		if i > 0 && story.Position == list[i-1].Position {
			t.Errorf("stories %d and %d both stand at %d", list[i-1].ID, story.ID, story.Position)
		}
		if story.Position >= 1<<53 || story.Position <= -1<<53 {
			t.Errorf("story %d stands at %d", story.ID, story.Position)
		}
		ids = append(ids, story.ID)
	}
	return ids
}

func TestStoryPlaces(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		a, b, c, d := newStory(t, s, ""), newStory(t, s, ""), newStory(t, s, ""), newStory(t, s, `"move_to":"first"`)
		x := newStory(t, s, `"workflow_state_id":%d`, ready)
		names := map[int64]string{a: "a", b: "b", c: "c", d: "d", x: "x"}
		order := func(state int64) string {
			var out []string
			for _, id := range column(t, s, state) {
				out = append(out, names[id])
			}
			return strings.Join(out, "")
		}
		if got := order(unscheduled); got != "dabc" {
			t.Fatalf("created in the order %s, want dabc", got)
		}
		for _, step := range []struct {
			name   string
			ids    []int64 // one: an update, several: a bulk update
			change string
			want   string
		}{
			{"before", []int64{c}, fmt.Sprintf(`"before_id":%d`, a), "dcab"},
			{"after", []int64{d}, fmt.Sprintf(`"after_id":%d`, a), "cadb"},
			{"after the last", []int64{c}, fmt.Sprintf(`"after_id":%d`, b), "adbc"},
			{"before the first", []int64{c}, fmt.Sprintf(`"before_id":%d`, a), "cadb"},
			{"first", []int64{b}, `"move_to":"first"`, "bcad"},
			{"last", []int64{b}, `"move_to":"last"`, "cadb"},
			{"several first, in their order", []int64{b, d}, `"move_to":"first"`, "bdca"},
			{"several last", []int64{d, b}, `"move_to":"last"`, "cadb"},
			{"several before", []int64{b, d}, fmt.Sprintf(`"before_id":%d`, a), "cbda"},
			{"several after", []int64{d, c}, fmt.Sprintf(`"after_id":%d`, a), "badc"},
			{"a story twice", []int64{c, b, c}, `"move_to":"first"`, "cbad"},
			{"into the state, to a place", []int64{x}, fmt.Sprintf(`"workflow_state_id":%d,"before_id":%d`, unscheduled, b), "cxbad"},
			{"out and back is last", []int64{x, c}, fmt.Sprintf(`"workflow_state_id":%d`, ready), "bad"},
			{"several into the state", []int64{c, x}, fmt.Sprintf(`"workflow_state_id":%d,"after_id":%d`, unscheduled, b), "bcxad"},
		} {
			if len(step.ids) == 1 {
				s.Owner.Want(t, 200, "PUT", storyPath(step.ids[0]), `{`+step.change+`}`)
			} else {
				s.Owner.Want(t, 200, "PUT", "/stories/bulk", `{"story_ids":`+jsonInts(step.ids...)+`,`+step.change+`}`)
			}
			if got := order(unscheduled); got != step.want {
				t.Errorf("%s: order %s, want %s", step.name, got, step.want)
			}
		}
		s.Owner.Want(t, 200, "PUT", storyPath(x), fmt.Sprintf(`{"workflow_state_id":%d}`, ready))
		both := jsonInts(a, x)
		elsewhere := "names a story that is not in the same state"
		refuse := func(name, change, field, reason string) testkit.Case {
			return testkit.Case{Name: name, Method: "PUT", Path: storyPath(a), Body: `{` + change + `}`, Status: 422, Want: fmt.Sprintf(`{"errors":{%q:%q}}`, field, reason)}
		}
		testkit.Run(t, s.Owner, []testkit.Case{
			refuse("in another state", fmt.Sprintf(`"before_id":%d`, x), "before_id", elsewhere),
			refuse("in the state that is left", fmt.Sprintf(`"after_id":%d,"workflow_state_id":%d`, b, ready), "after_id", elsewhere),
			refuse("absent", `"after_id":99`, "after_id", elsewhere),
			refuse("itself", fmt.Sprintf(`"after_id":%d`, a), "after_id", "names the story itself"),
			refuse("both sides", fmt.Sprintf(`"after_id":%d,"before_id":%d`, b, c), "before_id", "cannot be combined with after_id"),
			refuse("an end and a neighbour", fmt.Sprintf(`"after_id":%d,"move_to":"last"`, b), "move_to", "cannot be combined with before_id or after_id"),
			refuse("an end and another neighbour", fmt.Sprintf(`"before_id":%d,"move_to":"first"`, b), "move_to", "cannot be combined with before_id or after_id"),
			{Name: "one of those that move", Method: "PUT", Path: "/stories/bulk", Body: `{"story_ids":` + both + fmt.Sprintf(`,"after_id":%d}`, x), Status: 422,
				Want: `{"errors":{"after_id":"names one of the stories that are to move"}}`},
			{Name: "the place of one state for two", Method: "PUT", Path: "/stories/bulk", Body: `{"story_ids":` + both + fmt.Sprintf(`,"after_id":%d}`, b), Status: 422,
				Want: `{"errors":{"after_id":"` + elsewhere + `","story_ids":[null,"after_id ` + elsewhere + `"]}}`},
			{Name: "an end of each state", Method: "PUT", Path: "/stories/bulk", Body: `{"story_ids":` + both + `,"move_to":"first"}`, Status: 200},
		})
		if got := order(unscheduled) + " " + order(ready); got != "abcd x" {
			t.Errorf("order %s", got)
		}
	})
}

func jsonInts(ids ...int64) string { return strings.ReplaceAll(fmt.Sprint(ids), " ", ",") }

// Asking for the place that a story has already is no change.
func TestStoryStaysInPlace(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		a, b, c := newStory(t, s, ""), newStory(t, s, ""), newStory(t, s, "")
		before := len(s.Changes(t, s.Owner.Workspace, 0))
		for id, changes := range map[int64][]string{
			a: {`{"move_to":"first"}`, fmt.Sprintf(`{"before_id":%d}`, b)},
			b: {fmt.Sprintf(`{"after_id":%d}`, a), fmt.Sprintf(`{"before_id":%d}`, c)},
			c: {`{"move_to":"last"}`, fmt.Sprintf(`{"after_id":%d}`, b)},
		} {
			for _, change := range changes {
				s.Owner.Want(t, 200, "PUT", storyPath(id), change)
			}
		}
		s.Owner.Want(t, 200, "PUT", "/stories/bulk", fmt.Sprintf(`{"story_ids":[%d,%d,%d],"move_to":"first"}`, a, b, c))
		if changes := s.Changes(t, s.Owner.Workspace, int64(before)); len(changes) > 0 {
			t.Errorf("nothing moved, and the log has %v", changes)
		}
	})
}

// A gap that is spent is made again by moving neighbours a little, which is told in the same
// change and is no update of theirs; the order stays.
func TestStorySpentGap(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		created := s.Owner.Want(t, 201, "POST", "/stories/bulk", map[string]any{"stories": slices.Repeat([]any{map[string]any{"name": "x"}}, 100)}).List(t)
		want := column(t, s, unscheduled)
		if len(want) != len(created) {
			t.Fatalf("%d stories in the column", len(want))
		}
		const fixed = 50
		anchor, spread := want[fixed], 0
		number := int64(len(s.Changes(t, s.Owner.Workspace, 0)))
		s.Clock.Advance(time.Hour)
		for move := range 200 {
			// The last story goes behind the anchor again and again: each time the gap is halved.
			id := want[len(want)-1]
			want = slices.Insert(want[:len(want)-1], fixed+1, id)
			s.Owner.Want(t, 200, "PUT", storyPath(id), fmt.Sprintf(`{"after_id":%d}`, anchor))
			changes := s.Changes(t, s.Owner.Workspace, number)
			if len(changes) != 1 {
				t.Fatalf("move %d made %d changes", move, len(changes))
			}
			number++
			if n := len(changes[0].Items); n > 1 {
				spread++
				if n > 1+64 {
					t.Errorf("move %d moved %d neighbours", move, n-1)
				}
				for _, item := range changes[0].Items {
					if item.Action != "update" || len(item.Data) != 1 || item.Data["position"] == nil {
						t.Errorf("move %d: item %v", move, item)
					}
				}
			}
		}
		if got := column(t, s, unscheduled); !slices.Equal(got, want) {
			t.Errorf("order %v, want %v", got, want)
		}
		if spread == 0 {
			t.Error("no gap was spent")
		}
		for _, id := range want[:fixed+1] {
			if at := s.Owner.Want(t, 200, "GET", storyPath(id), nil).Object(t)["updated_at"]; at != "2026-01-05T10:00:00Z" {
				t.Errorf("story %d made room and was updated at %v", id, at)
			}
		}
		checkLog(t, s)
	})
}

func TestStoryPlacesUnderConcurrentMoves(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		const clients, moves, stories = 20, 100, 60
		s.Owner.Want(t, 201, "POST", "/stories/bulk", map[string]any{"stories": slices.Repeat([]any{map[string]any{"name": "x"}}, stories)})
		ids := column(t, s, unscheduled)
		var wait sync.WaitGroup
		for client := range clients {
			wait.Go(func() {
				random := rand.New(rand.NewPCG(uint64(client), 1))
				for range moves {
					id, neighbour := ids[random.IntN(stories)], ids[random.IntN(stories)]
					change := []string{fmt.Sprintf(`{"before_id":%d}`, neighbour), fmt.Sprintf(`{"after_id":%d}`, neighbour), `{"move_to":"first"}`, `{"move_to":"last"}`}[random.IntN(4)]
					want := 200
					if id == neighbour && strings.Contains(change, "_id") {
						want = 422
					}
					if a := s.Owner.Do(t, "PUT", storyPath(id), change); a.Status != want {
						t.Errorf("%s: %d %s", change, a.Status, a.Text)
					}
				}
			})
		}
		wait.Wait()
		after := column(t, s, unscheduled)
		slices.Sort(after)
		if !slices.Equal(after, ids) {
			t.Errorf("stories %v went in and %v came out", ids, after)
		}
		checkLog(t, s)
	})
}

// checkLog fails unless the positions that the change log tells are those of the stories.
func checkLog(t *testing.T, s *testkit.Server) {
	t.Helper()
	positions := map[string]float64{}
	for _, c := range s.Changes(t, s.Owner.Workspace, 0) {
		for _, item := range c.Items {
			if item.EntityType != "story" {
				continue
			}
			switch p := item.Data["position"].(type) {
			case float64:
				positions[item.EntityID] = p
			case map[string]any:
				if old := p["old"]; old != positions[item.EntityID] {
					t.Errorf("change %d moves story %s from %v, which stood at %v", c.Number, item.EntityID, old, positions[item.EntityID])
				}
				positions[item.EntityID] = p["new"].(float64)
			}
		}
	}
	err := s.Store.Read(t.Context(), s.Owner.Workspace, func(tx *store.Tx) error {
		for id, want := range positions {
			var n int64
			if _, err := fmt.Sscan(id, &n); err != nil {
				return err
			}
			story, err := tx.Story(n)
			if err != nil {
				return err
			}
			if float64(story.Position) != want {
				t.Errorf("story %s stands at %d, and the log says %v", id, story.Position, want)
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
