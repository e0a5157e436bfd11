package store_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"milepost/internal/query"
	"milepost/internal/store"
	"milepost/internal/testkit"
	"milepost/internal/tracker"
)

// The index follows every write; after each of them it agrees with the tables.
func TestIndexFollows(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		other := s.NewWorkspace(t, "second")
		other.Want(t, 201, "POST", "/stories", `{"name":"one two","description":"three"}`)
		texts := 0
		step := func(more int, status int, method, path string, body any) int64 {
			t.Helper()
			a := s.Owner.Want(t, status, method, path, body)
			texts += more
			wantIndex(t, s, s.Owner.Workspace, texts)
			if status != 201 || strings.HasSuffix(path, "/bulk") {
				return 0
			}
			return a.ID(t)
		}
		story := step(4, 201, "POST", "/stories", `{"name":"one two","description":"three","comments":[{"text":"four"},{"text":"five"}]}`)
		at := fmt.Sprintf("/stories/%d", story)
		step(0, 200, "PUT", at, `{"name":"two one"}`)
		step(-1, 200, "PUT", at, `{"description":""}`)
		step(1, 200, "PUT", at, `{"description":"three"}`)
		step(0, 200, "PUT", at, `{"estimate":3,"archived":true}`)
		comment := step(1, 201, "POST", at+"/comments", `{"text":"six"}`)
		step(0, 200, "PUT", fmt.Sprintf("%s/comments/%d", at, comment), `{"text":"seven eight"}`)
		step(1, 201, "POST", at+"/comments", fmt.Sprintf(`{"text":"nine","parent_id":%d}`, comment))
		step(-1, 204, "DELETE", fmt.Sprintf("%s/comments/%d", at, comment), nil) // stays without its text
		comment = step(0, 201, "POST", at+"/comments", `{"text":"!!!"}`)         // nothing to index
		step(0, 204, "DELETE", fmt.Sprintf("%s/comments/%d", at, comment), nil)
		step(2, 201, "POST", "/stories/bulk", `{"stories":[{"name":"a"},{"name":"b"}]}`)
		step(0, 200, "PUT", "/stories/bulk", map[string]any{"story_ids": []int64{story}, "estimate": 1})

		epic := step(2, 201, "POST", "/epics", `{"name":"one","description":"two"}`)
		first := step(1, 201, "POST", fmt.Sprintf("/epics/%d/comments", epic), `{"text":"three"}`)
		step(1, 201, "POST", fmt.Sprintf("/epics/%d/comments/%d", epic, first), `{"text":"four"}`)
		step(0, 200, "PUT", fmt.Sprintf("/epics/%d/comments/%d", epic, first), `{"text":"five"}`)
		second := step(1, 201, "POST", fmt.Sprintf("/epics/%d/comments", epic), `{"text":"six"}`)
		step(-1, 204, "DELETE", fmt.Sprintf("/epics/%d/comments/%d", epic, second), nil)
		step(0, 200, "PUT", fmt.Sprintf("/epics/%d", epic), `{"name":"other"}`)
		step(-4, 204, "DELETE", fmt.Sprintf("/epics/%d", epic), nil)

		for path, body := range map[string]string{
			"/iterations": `{"name":"one","description":"two","start_date":"2026-01-05","end_date":"2026-01-09"}`,
			"/milestones": `{"name":"one","description":"two"}`,
		} {
			id := step(2, 201, "POST", path, body)
			step(0, 200, "PUT", fmt.Sprintf("%s/%d", path, id), `{"name":"three"}`)
			step(-2, 204, "DELETE", fmt.Sprintf("%s/%d", path, id), nil)
		}
		step(-5, 204, "DELETE", "/stories/bulk", map[string]any{"story_ids": []int64{story}})
		if texts != 2 {
			t.Errorf("%d texts are left", texts)
		}
		wantIndex(t, s, other.Workspace, 2)

		// What is undone is not indexed either.
		undone := errors.New("undone")
		err := s.Store.Write(t.Context(), s.Owner.Workspace, func(tx *store.Tx) error {
			e := tracker.Milestone{ID: tx.NextID(), Name: "undone", State: tracker.MilestoneToDo}
			if err := tx.InsertMilestone(&e); err != nil {
				return err
			}
			return undone
		})
		if !errors.Is(err, undone) {
			t.Fatal(err)
		}
		wantIndex(t, s, s.Owner.Workspace, texts)
	})
}

func wantIndex(t *testing.T, s *testkit.Server, workspace tracker.UUID, texts int) {
	t.Helper()
	check, err := s.Store.CheckSearch(t.Context(), workspace)
	if err != nil {
		t.Fatal(err)
	}
	if check.Texts != texts || len(check.Wrong) > 0 {
		t.Errorf("%d texts, want %d; %v", check.Texts, texts, check.Wrong)
	}
}

// A damaged index is noticed, text by text, and built anew.
func TestReindex(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		var ids []int64
		for _, name := range []string{"gone", "other", "kept"} {
			ids = append(ids, s.Owner.Want(t, 201, "POST", "/stories", fmt.Sprintf(`{"name":"%s words","comments":[{"text":"a comment"}]}`, name)).ID(t))
		}
		label := s.Owner.Want(t, 201, "POST", "/labels", `{"name":"A label"}`).ID(t)
		ws := s.Owner.Workspace
		beside := testkit.Beside(t, address, ws)
		damage := func() {
			beside(`delete from search where workspace_id = $1 and entity_id = $2 and comment_id = 0`, ids[0])
			beside(`update story set name = 'changed words' where workspace_id = $1 and id = $2`, ids[1])
			beside(`update label set search_key = '' where workspace_id = $1 and id = $2`, label)
			beside(`insert into search (workspace_id, entity, entity_id, part, comment_id, words) values ($1, 'epic', $2, 1, 0, 'stray')`, ids[2])
		}
		damage()
		check, err := s.Store.CheckSearch(t.Context(), ws)
		if err != nil {
			t.Fatal(err)
		}
		want := []string{
			fmt.Sprintf("label %d is not found by its name", label),
			fmt.Sprintf("the title of story %d is not in the index", ids[0]), fmt.Sprintf("the title of story %d stands differently in the index", ids[1]),
			fmt.Sprintf("the description of epic %d is in the index only", ids[2]),
		}
		if fmt.Sprint(check.Wrong) != fmt.Sprint(want) || check.Texts != 6 {
			t.Errorf("%d texts, %v, want %v", check.Texts, check.Wrong, want)
		}
		entities := 0
		if err := s.Store.Reindex(t.Context(), ws, func(n int) { entities = n }); err != nil || entities != 3 {
			t.Errorf("%d entities: %v", entities, err)
		}
		wantIndex(t, s, ws, 6)

		// A workspace that is older than the index is indexed when the database is opened.
		damage()
		beside(`delete from search where workspace_id = $1`)
		beside(`update workspace set search_ready = false where workspace_id = $1`)
		again, err := store.Open(context.Background(), address)
		if err != nil {
			t.Fatal(err)
		}
		if err := again.Close(); err != nil {
			t.Fatal(err)
		}
		wantIndex(t, s, ws, 6)
		beside(`delete from search where workspace_id = $1`) // which opening it once more does not repair
		if again, err = store.Open(context.Background(), address); err != nil {
			t.Fatal(err)
		}
		if err := again.Close(); err != nil {
			t.Fatal(err)
		}
		if check, err := s.Store.CheckSearch(t.Context(), ws); err != nil || len(check.Wrong) != 6 {
			t.Errorf("%v, %v", check.Wrong, err)
		}
	})
}

// Reindexing goes on behind the first chunk.
func TestReindexChunks(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		const n = 2*store.ReindexChunk + 1
		testkit.PutStories(t, s, s.Owner.Workspace, n, func(story *tracker.Story) { story.Name = "word" })
		testkit.Beside(t, address, s.Owner.Workspace)(`delete from search where workspace_id = $1`)
		entities := 0
		if err := s.Store.Reindex(t.Context(), s.Owner.Workspace, func(n int) { entities = n }); err != nil || entities != n {
			t.Errorf("%d entities: %v", entities, err)
		}
		wantIndex(t, s, s.Owner.Workspace, n)
	})
}

// Long texts are indexed as far as both engines can, words that come often without their last places.
func TestLongTexts(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		var many strings.Builder
		for i := range 20_000 {
			fmt.Fprintf(&many, "w%d ", i)
		}
		long := testkit.PutStory(t, s, s.Owner.Workspace, func(story *tracker.Story) { story.Name, story.Description = "long", many.String() })
		often := testkit.PutStory(t, s, s.Owner.Workspace, func(story *tracker.Story) {
			story.Name, story.Description = "often", strings.Repeat("tick ", 300)+"tock"
		})
		wide := testkit.PutStory(t, s, s.Owner.Workspace, func(story *tracker.Story) {
			story.Name, story.Description = "wide", strings.Repeat("\U0001D4B6", 64)+" "+strings.Repeat("ﷺ ", 50_000)+"end"
		})
		wantIndex(t, s, s.Owner.Workspace, 6)
		for _, c := range []struct {
			words string
			want  int64
		}{
			{"w15000", long.ID}, {"w19999", 0}, {"w14997 w14998", long.ID}, {"tick tick", often.ID}, {"tock", often.ID}, {"tick tock", 0},
			{strings.Repeat("a", 64), wide.ID}, {"wide", wide.ID},
		} {
			err := s.Store.Read(t.Context(), s.Owner.Workspace, func(tx *store.Tx) error {
				page, err := tx.Search(store.SearchQuery{Entity: query.Stories, Expr: query.Text{Words: strings.Fields(c.words)}, Limit: 2})
				if err == nil && (c.want == 0) != (page.Total == 0) || c.want != 0 && (page.Total != 1 || page.Hits[0].ID != c.want) {
					t.Errorf("%.40s finds %v", c.words, page)
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	})
}
