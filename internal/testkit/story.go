package testkit

import (
	"database/sql"
	"strings"
	"testing"

	"milepost/internal/store"
	"milepost/internal/tracker"
)

// InsertStories puts a story at each position of a workflow state, past the API, and returns their
// ids in the order of the positions given.
func (s *Server) InsertStories(t *testing.T, address string, workspace tracker.UUID, state int64, positions ...int64) []int64 {
	t.Helper()
	return s.insert(t, address, workspace, positions, `insert into story (workspace_id, id, name, story_type, workflow_id, workflow_state_id,
			position, archived, created_at, updated_at, moved_at)
		select workspace_id, $2, 'Story', 'feature', workflow_id, id, $3, false, 0, 0, 0
		from workflow_state where workspace_id = $1 and id = $4`, state)
}

// InsertEpics puts n epics in an epic state, past the API, and returns their ids.
func (s *Server) InsertEpics(t *testing.T, address string, workspace tracker.UUID, state int64, n int) []int64 {
	t.Helper()
	return s.insert(t, address, workspace, make([]int64, n), `insert into epic (workspace_id, id, name, epic_state_id, archived, created_at, updated_at)
		values ($1, $2, 'Epic', $4, false, $3, 0)`, state)
}

// insert runs the statement once for each value, with the workspace, a new id, the value and the state.
func (s *Server) insert(t *testing.T, address string, workspace tracker.UUID, values []int64, statement string, state int64) []int64 {
	t.Helper()
	ids := make([]int64, len(values))
	err := s.Store.Write(t.Context(), workspace, func(tx *store.Tx) error {
		for i := range ids {
			ids[i] = tx.NextID()
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	tx, err := openRaw(t, address).BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range values {
		if _, err := tx.ExecContext(t.Context(), statement, string(workspace), ids[i], v, state); err != nil {
			t.Fatal(err)
		}
	}
	if err := tx.Commit(); err != nil {
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
