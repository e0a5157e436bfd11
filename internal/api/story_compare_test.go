package api_test

import (
	"encoding/json"
	"fmt"
	"slices"

	"milepost/internal/testkit"
)

// shownStory is a story as an engine shows it.
type shownStory struct {
	storyView
	Position int64    `json:"position"`
	OwnerIDs []string `json:"owner_ids"`
}

// compare fails unless each engine shows what the model shows.
func (r *storyRun) compare() {
	for i, c := range r.clients {
		var stories []shownStory
		if err := json.Unmarshal([]byte(c.Want(r.t, 201, "POST", "/stories/search", `{}`).Text), &stories); err != nil {
			r.Fatal(err)
		}
		if len(stories) != len(r.model.stories) {
			r.Fatalf("engine %d has %d stories, the model %d", i, len(stories), len(r.model.stories))
		}
		columns := map[int64][]int64{}
		slices.SortFunc(stories, func(a, b shownStory) int { return int(a.Position - b.Position) })
		for _, s := range stories {
			s.Owners = len(s.OwnerIDs)
			columns[s.State] = append(columns[s.State], s.ID)
			want := r.model.stories[s.ID]
			if want == nil {
				r.Fatalf("engine %d has story %d, the model has not", i, s.ID)
			}
			same(r, fmt.Sprintf("engine %d, story %d", i, s.ID), emptied(s.storyView), emptied(r.model.view(want)))
		}
		for state, want := range r.model.columns {
			if !slices.Equal(columns[state], want) {
				r.Fatalf("engine %d, state %d: order %v, want %v", i, state, columns[state], want)
			}
		}
		r.compareStats(i, c)
	}
}

func (r *storyRun) compareStats(i int, c *testkit.Client) {
	var labels []struct {
		ID    int64
		Stats struct {
			Total       int64 `json:"num_stories_total"`
			Unstarted   int64 `json:"num_stories_unstarted"`
			Started     int64 `json:"num_stories_in_progress"`
			Done        int64 `json:"num_stories_completed"`
			Unestimated int64 `json:"num_stories_unestimated"`
			Points      int64 `json:"num_points_total"`
			PointsDone  int64 `json:"num_points_completed"`
		}
	}
	var epics []struct {
		ID    int64
		Stats struct {
			Total       int64 `json:"num_stories_total"`
			Unstarted   int64 `json:"num_stories_unstarted"`
			Started     int64 `json:"num_stories_started"`
			Done        int64 `json:"num_stories_done"`
			Unestimated int64 `json:"num_stories_unestimated"`
			Points      int64 `json:"num_points"`
			PointsDone  int64 `json:"num_points_done"`
		}
	}
	for path, dest := range map[string]any{"/labels": &labels, "/epics": &epics} {
		if err := json.Unmarshal([]byte(c.Want(r.t, 200, "GET", path, nil).Text), dest); err != nil {
			r.Fatal(err)
		}
	}
	for _, l := range labels {
		same(r, fmt.Sprintf("engine %d, label %d", i, l.ID), statsView(l.Stats), r.model.stats(func(s *modelStory) bool { return slices.Contains(s.labels, l.ID) }))
	}
	for _, e := range epics {
		same(r, fmt.Sprintf("engine %d, epic %d", i, e.ID), statsView(e.Stats), r.model.stats(func(s *modelStory) bool { return s.epic != nil && *s.epic == e.ID }))
	}
}

// emptied makes nil and empty lists equal.
func emptied(v storyView) storyView {
	for _, list := range []*[]int64{&v.Labels, &v.SubTasks, &v.Tasks, &v.Comments, &v.Unresolved} {
		if len(*list) == 0 {
			*list = nil
		}
	}
	if len(v.Links) == 0 {
		v.Links = nil
	}
	return v
}

func same(r *storyRun, what string, got, want any) {
	g, _ := json.Marshal(got)
	w, _ := json.Marshal(want)
	if string(g) != string(w) {
		r.Fatalf("%s is\n%s\nwant\n%s", what, g, w)
	}
}
