package testkit

import (
	"context"
	"database/sql"
	"strings"
	"testing"

	"milepost/internal/store"
	"milepost/internal/tracker"
)

// PutStory stores a story as it is, past all rules: in the default state of the workspace's
// default workflow and requested by its owner, unless change says otherwise.
func PutStory(t testing.TB, s *Server, workspace tracker.UUID, change func(*tracker.Story)) tracker.Story {
	t.Helper()
	return PutStories(t, s, workspace, 1, change)[0]
}

// PutStories stores n stories in one transaction.
func PutStories(t testing.TB, s *Server, workspace tracker.UUID, n int, change func(*tracker.Story)) []tracker.Story {
	t.Helper()
	out := make([]tracker.Story, n)
	err := s.Store.Write(context.Background(), workspace, func(tx *store.Tx) error {
		ws, err := tx.Workspace()
		if err != nil {
			return err
		}
		flow, err := tx.Workflow(ws.DefaultWorkflowID)
		if err != nil {
			return err
		}
		owner, err := tx.Owner()
		if err != nil {
			return err
		}
		now := tracker.TimeOf(s.Clock.Now())
		for i := range out {
			story := tracker.Story{
				ID: tx.NextID(), Name: "Story", Type: tracker.Feat, WorkflowID: flow.ID, StateID: flow.DefaultStateID, RequestedBy: owner.ID,
				MovedAt: now, CreatedAt: now, UpdatedAt: now,
			}
			change(&story)
			if story.Position, err = tx.StoryLast(story.ID, story.StateID); err != nil {
				return err
			}
			if err := tx.InsertStory(&story); err != nil {
				return err
			}
			out[i] = story
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// GetStory reads a story as it is stored.
func GetStory(t testing.TB, s *Server, workspace tracker.UUID, id int64) (story tracker.Story) {
	t.Helper()
	err := s.Store.Read(context.Background(), workspace, func(tx *store.Tx) (err error) {
		story, err = tx.Story(id)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return story
}

// InsertStories puts a story at each position of a workflow state, past all rules, and returns
// their ids in the order of the positions given.
func (s *Server) InsertStories(t *testing.T, workspace tracker.UUID, state int64, positions ...int64) []int64 {
	t.Helper()
	ids := make([]int64, len(positions))
	for i, story := range PutStories(t, s, workspace, len(positions), func(story *tracker.Story) { story.StateID = state }) {
		ids[i] = story.ID
	}
	err := s.Store.Write(t.Context(), workspace, func(tx *store.Tx) error {
		for i, id := range ids {
			before, err := tx.Story(id)
			if err != nil {
				return err
			}
			after := before
			after.Position = positions[i]
			if err := tx.UpdateStory(&before, &after); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return ids
}

// InsertEpics puts n epics in an epic state, past all rules, and returns their ids.
func (s *Server) InsertEpics(t *testing.T, workspace tracker.UUID, state int64, n int) []int64 {
	t.Helper()
	ids := make([]int64, n)
	err := s.Store.Write(t.Context(), workspace, func(tx *store.Tx) error {
		for i := range ids {
			epic := tracker.Epic{ID: tx.NextID(), Name: "Epic", StateID: state, Position: int64(i)}
			if err := tx.InsertEpic(&epic); err != nil {
				return err
			}
			ids[i] = epic.ID
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return ids
}

// StoriesIn lists the stories of a workflow state in their order.
func StoriesIn(t *testing.T, address string, workspace tracker.UUID, state int64) []int64 {
	t.Helper()
	return idsOf(t, address, `select id from story where workspace_id = $1 and workflow_state_id = $2 order by position`, workspace, state)
}

// EpicsIn lists the epics of an epic state.
func EpicsIn(t *testing.T, address string, workspace tracker.UUID, state int64) []int64 {
	t.Helper()
	return idsOf(t, address, `select id from epic where workspace_id = $1 and epic_state_id = $2 order by id`, workspace, state)
}

func idsOf(t *testing.T, address, query string, workspace tracker.UUID, state int64) []int64 {
	t.Helper()
	rows, err := openRaw(t, address).QueryContext(t.Context(), query, string(workspace), state)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var ids []int64
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return ids
}

// Beside gives a function that runs statements on the database of a running server, for what has
// no operation; $1 is the workspace.
func Beside(t *testing.T, address string, workspace tracker.UUID) func(statement string, args ...any) {
	t.Helper()
	db := openRaw(t, address)
	return func(statement string, args ...any) {
		t.Helper()
		if _, err := db.ExecContext(t.Context(), statement, append([]any{string(workspace)}, args...)...); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
}

// openRaw opens the database of a running server beside it.
func openRaw(t *testing.T, address string) *sql.DB {
	t.Helper()
	driver := "pgx"
	if !strings.Contains(address, "://") {
		driver, address = "sqlite", "file:"+address+"?_pragma=busy_timeout(10000)"
	}
	db, err := sql.Open(driver, address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}
