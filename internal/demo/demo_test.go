package demo_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"milepost/internal/demo"
	"milepost/internal/service"
	"milepost/internal/store"
	"milepost/internal/testkit"
	"milepost/internal/tracker"
)

var until = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

func config(stories int, seed uint64) demo.Config {
	return demo.Config{Slug: "demo", Stories: stories, Seed: seed, Until: until}
}

func open(t *testing.T, address string) *service.Service {
	t.Helper()
	st, err := store.Open(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := st.Close(); err != nil {
			t.Error(err)
		}
	})
	return service.New(st, time.Now, service.Files{})
}

func fill(t *testing.T, svc *service.Service, c demo.Config) demo.Made {
	t.Helper()
	made, err := demo.Fill(t.Context(), svc, c)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

func operator(t *testing.T, svc *service.Service, slug string) tracker.Actor {
	t.Helper()
	ws, err := svc.Store().WorkspaceBySlug(t.Context(), slug)
	if err != nil {
		t.Fatal(err)
	}
	return testkit.Operator(ws.ID)
}

func changes(t *testing.T, svc *service.Service, workspace tracker.UUID) (out []tracker.Change) {
	t.Helper()
	err := svc.Store().Read(t.Context(), workspace, func(tx *store.Tx) (err error) {
		out, err = tx.Changes(0, 1_000_000)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// everything is all that was ever done in the workspace, as text.
func everything(t *testing.T, svc *service.Service) string {
	t.Helper()
	text, err := json.Marshal(changes(t, svc, operator(t, svc, "demo").Workspace))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The same seed gives the same data, ids and times included, on every engine; another gives other data.
func TestSeed(t *testing.T) {
	t.Parallel()
	addresses := append(testkit.Addresses(t), testkit.Addresses(t)...)
	var first string
	for i, address := range addresses {
		svc := open(t, address)
		fill(t, svc, config(40, 7))
		if text := everything(t, svc); i == 0 {
			first = text
		} else if text != first {
			t.Errorf("database %d holds other data than the first one", i)
		}
	}
	other := open(t, testkit.Addresses(t)[0])
	fill(t, other, config(40, 8))
	if everything(t, other) == first {
		t.Error("another seed gave the same data")
	}
}

func TestFill(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		svc := open(t, address)
		var progress []int
		c := config(300, 1)
		c.Progress = func(n int) { progress = append(progress, n) }
		made := fill(t, svc, c)
		if made.Stories != 300 || !slices.IsSorted(progress) || progress[len(progress)-1] != 300 {
			t.Errorf("made %d stories, told %v", made.Stories, progress)
		}
		by := operator(t, svc, "demo")
		var stories []tracker.Story
		for page, err := range svc.FindStories(t.Context(), by, tracker.StoryFilter{})(true) {
			if err != nil {
				t.Fatal(err)
			}
			stories = append(stories, page.Stories...)
		}
		checkCounts(t, stories, made)
		checkEpics(t, svc, by, stories, made)
		checkHistory(t, changes(t, svc, by.Workspace))
	})
}

func checkCounts(t *testing.T, stories []tracker.Story, made demo.Made) {
	t.Helper()
	var tasks, comments, links, done int
	for _, s := range stories {
		tasks, comments, links = tasks+len(s.TaskIDs), comments+len(s.CommentIDs), links+len(s.SubjectLinkIDs)
		if s.Completed() {
			done++
		}
	}
	got := []int{len(stories), tasks, comments, links}
	if want := []int{made.Stories, made.Tasks, made.Comments, made.Links}; !slices.Equal(got, want) || slices.Contains(got, 0) {
		t.Errorf("stories, tasks, comments and links are %v, but %v were counted", got, want)
	}
	if done < len(stories)/4 || done > len(stories)*9/10 {
		t.Errorf("%d of %d stories are done", done, len(stories))
	}
}

// checkEpics compares the statistics of epics with the stories, and wants them to differ in size.
func checkEpics(t *testing.T, svc *service.Service, by tracker.Actor, stories []tracker.Story, made demo.Made) {
	t.Helper()
	sizes := map[int64]int64{}
	for _, s := range stories {
		if s.EpicID != nil && !s.Archived {
			sizes[*s.EpicID]++
		}
	}
	epics, err := svc.Epics(t.Context(), by)
	if err != nil {
		t.Fatal(err)
	}
	if len(epics.Epics) != made.Epics {
		t.Errorf("%d epics, %d counted", len(epics.Epics), made.Epics)
	}
	var all []int64
	for _, e := range epics.Epics {
		if got := epics.Stats[e.ID].StoryStats.Total; got != sizes[e.ID] {
			t.Errorf("epic %d counts %d stories and has %d", e.ID, got, sizes[e.ID])
		}
		all = append(all, sizes[e.ID])
	}
	slices.Sort(all)
	if median, largest := all[len(all)/2], all[len(all)-1]; largest < 4*median {
		t.Errorf("the largest epic has %d stories, one in the middle %d", largest, median)
	}
}

// checkHistory wants changes without gaps, in the order of time, all over the year and by many people.
func checkHistory(t *testing.T, changes []tracker.Change) {
	t.Helper()
	months, people := map[time.Month]bool{}, map[tracker.UUID]bool{}
	for i, c := range changes {
		at := time.UnixMilli(c.At).UTC()
		if c.Number != int64(i+1) || at.After(until) || at.Before(until.AddDate(-1, 0, -1)) || (i > 0 && c.At < changes[i-1].At) {
			t.Fatalf("change %d has number %d and was made %v", i, c.Number, at)
		}
		months[at.Month()], people[c.Member] = true, true
	}
	if len(months) < 12 || len(people) < 8 {
		t.Errorf("changes in %d months by %d people", len(months), len(people))
	}
}

func TestNonEmptyWorkspace(t *testing.T) {
	t.Parallel()
	svc := open(t, testkit.Addresses(t)[0])
	fill(t, svc, config(5, 1))
	_, err := demo.Fill(context.Background(), svc, config(5, 2))
	if err == nil || !strings.Contains(err.Error(), "--into") {
		t.Errorf("a workspace with stories was filled again: %v", err)
	}
	c := config(5, 2)
	c.Into = true
	fill(t, svc, c)
	c = config(5, 1)
	c.Slug = "other"
	fill(t, svc, c)
}
