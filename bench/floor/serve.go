package floor

import (
	"context"
	"database/sql"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
)

// server holds the prepared statements.
type server struct {
	*Floor
	get, list, match, count                       *sql.Stmt
	nextID, insertItem, insertText, insertHistory *sql.Stmt
	answers                                       map[string]string
	buffers                                       sync.Pool
}

// Handler serves the floor:
//
//	GET /item/{id}           one SELECT by key, sent as it is
//	GET /list/{name}         one SELECT of texts, joined
//	GET /search?query=words  one MATCH limited to 25 texts and a COUNT of the same
//	POST /write/{operation}  counter, row, text index and history in one commit
func (f *Floor) Handler(ctx context.Context) (http.Handler, error) {
	s := &server{Floor: f, answers: map[string]string{}}
	s.buffers.New = func() any { return new([]byte) }
	for statement, at := range map[string]**sql.Stmt{
		`select body from floor_item where id = $1`:                     &s.get,
		`select body from floor_slim where list = $1 order by list, id`: &s.list,
		f.dialect.match: &s.match,
		f.dialect.count: &s.count,
	} {
		var err error
		if *at, err = f.reader.PrepareContext(ctx, statement); err != nil {
			return nil, err
		}
	}
	for statement, at := range map[string]**sql.Stmt{
		`update floor_counter set n = n + 1 where name = 'item' returning n`: &s.nextID,
		`insert into floor_item (id, body) values ($1, $2)`:                  &s.insertItem,
		f.dialect.insertText: &s.insertText,
		`insert into floor_history (id, item_id, body) values ($1, $2, $3)`: &s.insertHistory,
	} {
		var err error
		if *at, err = f.writer.PrepareContext(ctx, statement); err != nil {
			return nil, err
		}
	}
	if err := s.loadAnswers(ctx); err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc("GET /item/{id}", s.serveItem)
	mux.HandleFunc("GET /list/{name}", s.serveList)
	mux.HandleFunc("GET /search", s.serveSearch)
	mux.HandleFunc("POST /write/{operation}", s.serveWrite)
	return mux, nil
}

func (s *server) loadAnswers(ctx context.Context) error {
	rows, err := s.reader.QueryContext(ctx, `select operation, body from floor_answer`)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var operation, body string
		if err := rows.Scan(&operation, &body); err != nil {
			return err
		}
		s.answers[operation] = body
	}
	return rows.Err()
}

func (s *server) serveItem(w http.ResponseWriter, r *http.Request) {
	id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
	if err != nil {
		http.NotFound(w, r)
		return
	}
	var body []byte
	if err := s.get.QueryRowContext(r.Context(), id).Scan(&body); err != nil {
		fail(w, err)
		return
	}
	send(w, http.StatusOK, body)
}

func (s *server) serveList(w http.ResponseWriter, r *http.Request) {
	buf := s.buffers.Get().(*[]byte)
	defer s.buffers.Put(buf)
	var err error
	if *buf, err = join(r.Context(), (*buf)[:0], s.list, r.PathValue("name")); err != nil {
		fail(w, err)
		return
	}
	send(w, http.StatusOK, *buf)
}

func (s *server) serveSearch(w http.ResponseWriter, r *http.Request) {
	query := strings.Join(strings.Fields(r.URL.Query().Get("query")), s.and)
	var total int64
	if err := s.count.QueryRowContext(r.Context(), query).Scan(&total); err != nil {
		fail(w, err)
		return
	}
	buf := s.buffers.Get().(*[]byte)
	defer s.buffers.Put(buf)
	*buf = strconv.AppendInt(append((*buf)[:0], `{"total":`...), total, 10)
	var err error
	if *buf, err = join(r.Context(), append(*buf, `,"data":`...), s.match, query); err != nil {
		fail(w, err)
		return
	}
	*buf = append(*buf, '}')
	send(w, http.StatusOK, *buf)
}

// join appends the texts of a statement as a JSON array.
func join(ctx context.Context, buf []byte, statement *sql.Stmt, arg any) ([]byte, error) {
	rows, err := statement.QueryContext(ctx, arg)
	if err != nil {
		return buf, err
	}
	defer rows.Close()
	buf = append(buf, '[')
	for first := true; rows.Next(); first = false {
		if !first {
			buf = append(buf, ',')
		}
		var body sql.RawBytes
		if err := rows.Scan(&body); err != nil {
			return buf, err
		}
		buf = append(buf, body...)
	}
	return append(buf, ']'), rows.Err()
}

func (s *server) serveWrite(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		fail(w, err)
		return
	}
	answer := s.answers[r.PathValue("operation")]
	if err := s.write(r.Context(), string(body), answer); err != nil {
		fail(w, err)
		return
	}
	send(w, http.StatusCreated, []byte(answer))
}

func (s *server) write(ctx context.Context, request, answer string) error {
	tx, err := s.writer.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var id int64
	if err := tx.StmtContext(ctx, s.nextID).QueryRowContext(ctx).Scan(&id); err != nil {
		return err
	}
	if _, err := tx.StmtContext(ctx, s.insertItem).ExecContext(ctx, id, answer); err != nil {
		return err
	}
	if _, err := tx.StmtContext(ctx, s.insertText).ExecContext(ctx, id, request); err != nil {
		return err
	}
	if _, err := tx.StmtContext(ctx, s.insertHistory).ExecContext(ctx, id, id, request); err != nil {
		return err
	}
	return tx.Commit()
}

func send(w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body) // the client may be gone
}

func fail(w http.ResponseWriter, err error) {
	http.Error(w, err.Error(), http.StatusInternalServerError)
}
