package postgres

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"

	"milepost/internal/store/db"
)

const (
	// maxStatements is how many prepared statements a connection keeps.
	maxStatements = 512
	// sendAhead is how many bytes are sent before answers are read. The buffers between us and the
	// server hold more, so the two cannot wait for each other.
	sendAhead = 16 << 10
	// lateSync is how long the end of a read waits for the next use of the connection.
	lateSync = 10 * time.Millisecond
)

// conn is one connection, used by one goroutine at a time. pgx opens it; then it speaks the
// protocol itself, so that many statements need one wait and values are read straight into their
// places.
//
// Without a block, the server takes all statements up to a Sync for one transaction: a read needs
// no BEGIN, and no COMMIT that anybody waits for. That Sync goes out with what is asked next, since to
// send it costs both sides as much as a small statement; a timer sends it when nothing is asked soon.
type conn struct {
	pg         *pgconn.PgConn
	in         reader
	out        []byte // what is sent next
	statements map[string]*statement
	named      int // how many statements had a name
	row        row
	tag        pgconn.CommandTag // what the last statement did that gives no rows

	block   bool // statements stand in a transaction block: each group ends with a Sync
	before  int  // how much of out comes before the BEGIN of the block
	open    bool // something was sent since the last Sync
	owed    int  // answers to BEGIN, or to what ended the last transaction, that come before the next
	reading bool // answers are under way
	heard   bool // the server has answered this use
	lost    bool // nothing can be asked of the server any more
	late    bool // the server may still be at work on what nobody waits for

	// use counts the transactions, so that the interruption of one cannot hit the next.
	mu          sync.Mutex
	use         int
	interrupted bool
	idle        bool        // nobody uses the connection: what is still to be sent is the timer's
	timer       *time.Timer // sends it
	armed       bool
}

var errBusy = errors.New("a statement is run while the rows of another are read")

func newConn(pg *pgconn.PgConn) *conn {
	c := &conn{pg: pg, in: reader{from: pg.Conn()}, statements: map[string]*statement{}}
	c.timer = time.AfterFunc(lateSync, c.sendLate)
	return c
}

// query is a statement to run; row is called for its rows.
type query struct {
	statement string
	args      []any
	row       func(db.Row) error
}

// run sends queries at once and calls their functions for the rows in order. The last ones of a
// transaction without a block end it.
func (c *conn) run(queries []query, last bool) error {
	if c.reading {
		return errBusy
	}
	statements, err := c.prepared(queries)
	if err != nil {
		return err
	}
	for len(queries) > 0 {
		n, unsent := 0, len(c.out)
		for ; n < len(queries) && (n == 0 || len(c.out) < sendAhead); n++ {
			if err := c.bind(statements[n], queries[n].args); err != nil {
				c.out = c.out[:unsent]
				return err
			}
		}
		sync := c.block || (last && n == len(queries))
		if err := c.send(sync); err != nil {
			return err
		}
		if err := c.answers(queries[:n], statements, sync); err != nil {
			return err
		}
		queries, statements = queries[n:], statements[n:]
	}
	return nil
}

// send ends a group of messages: by a Sync, or by the wish to get the answers now.
func (c *conn) send(sync bool) error {
	if sync {
		c.sync()
	} else {
		c.finish(c.message('H'))
	}
	return c.flush(sync)
}

func (c *conn) sync() { c.finish(c.message('S')) }

func (c *conn) flush(sync bool) error {
	_, err := c.pg.Conn().Write(c.out)
	if cap(c.out) > 4*sendAhead {
		c.out = nil
	}
	c.out, c.open = c.out[:0], !sync
	if err != nil {
		c.lost = true
	}
	return err
}

// answers reads what the server says to a group of queries. An error of the server ends the group;
// one of a function ends the calls of functions only.
func (c *conn) answers(queries []query, statements []*statement, sync bool) (err error) {
	c.reading = true // and stays so when a function panics
	if err := c.settle(); err != nil {
		return err
	}
	refused := false
	for i := range queries {
		fn := queries[i].row
		if err != nil {
			fn = nil
		}
		var answered error
		if refused, answered = c.answer(statements[i], fn); answered != nil && err == nil {
			err = answered
		}
		if c.lost {
			return err
		}
		if refused {
			break
		}
	}
	if sync {
		if ready := c.ready(); ready != nil && err == nil {
			err = ready
		}
	}
	c.reading = c.lost
	return err
}

// answer reads the rows of one statement and tells whether the server refused it.
func (c *conn) answer(s *statement, fn func(db.Row) error) (refused bool, err error) {
	c.row.columns = s.columns
	for {
		kind, body, received := c.receive()
		if received != nil {
			return true, received
		}
		switch kind {
		case bindComplete:
			c.heard = true
		case dataRow:
			if fn != nil && err == nil {
				c.row.values = body
				err = fn(&c.row)
			}
		case commandComplete:
			if fn == nil {
				c.tag = tagOf(body)
			}
			return false, err
		case emptyQuery:
			return false, err
		case errorResponse:
			return true, c.refusal(body)
		default:
			return true, c.unexpected(kind)
		}
	}
}

// script runs statements that have no arguments and give no rows. In a block they are part of it.
func (c *conn) script(text string) error {
	if c.reading {
		return errBusy
	}
	c.simple(text)
	if err := c.flush(true); err != nil {
		return err
	}
	c.reading = true
	if err := c.settle(); err != nil {
		return err
	}
	err := c.ready()
	c.reading = c.lost
	return err
}

// simple queues statements for which the server answers that it is ready, as it does for a Sync.
func (c *conn) simple(text string) {
	start := c.message('Q')
	c.text(text)
	c.finish(start)
}

// beginBlock queues the BEGIN of a transaction that writes.
func (c *conn) beginBlock() {
	c.before = len(c.out)
	c.simple(beginWrite)
	c.block = true
	c.owed++
}

// end closes the transaction. Nobody waits for the answer: it is read before those of the next.
func (c *conn) end() {
	switch unsent := len(c.out) > 0; {
	case c.lost || c.reading:
		return
	case c.block && unsent: // BEGIN is still here
		c.out = c.out[:c.before]
		c.owed--
	case c.block:
		c.simple(rollback)
		c.owed++
		_ = c.flush(true)
	case c.open:
		c.owed++
		c.sync()
	}
	c.block, c.open = false, false
}

// rest leaves the connection to the timer, if there is something to send.
func (c *conn) rest() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.idle = true
	if len(c.out) > 0 && !c.armed {
		c.armed = true
		c.timer.Reset(lateSync)
	}
}

// sendLate ends the read after which nothing was asked.
func (c *conn) sendLate() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.armed = false
	if c.idle && len(c.out) > 0 {
		_ = c.flush(true) // the next use meets the error again
	}
}

// settle reads the answers that are owed.
func (c *conn) settle() error {
	for c.owed > 0 {
		if err := c.ready(); err != nil {
			c.lost = true
			return err
		}
		c.owed--
	}
	return nil
}

// ready reads to the end of what a Sync or a script is answered with.
func (c *conn) ready() (err error) {
	for {
		kind, body, received := c.receive()
		if received != nil {
			if err == nil {
				err = received
			}
			return err
		}
		switch kind {
		case readyForQuery:
			return err
		case commandComplete:
			c.tag = tagOf(body)
		case errorResponse:
			err = c.refusal(body)
		}
	}
}

// receive gives the next message that answers something.
func (c *conn) receive() (kind byte, body []byte, err error) {
	for {
		kind, body, err = c.in.next()
		if err != nil {
			c.lost, c.late = true, errors.Is(err, os.ErrDeadlineExceeded)
			return 0, nil, err
		}
		switch kind {
		case noticeResponse, notification, parameterStatus:
		default:
			return kind, body, nil
		}
	}
}

func tagOf(body []byte) pgconn.CommandTag {
	return pgconn.NewCommandTag(string(bytes.TrimSuffix(body, []byte{0})))
}

func (c *conn) refusal(body []byte) error {
	var m pgproto3.ErrorResponse
	if err := m.Decode(body); err != nil {
		c.lost = true
		return err
	}
	err := pgconn.ErrorResponseToPgError(&m)
	if err.SeverityUnlocalized == "FATAL" || err.Code == otherPlan {
		c.lost = true
	}
	return err
}

func (c *conn) unexpected(kind byte) error {
	c.lost = true
	return fmt.Errorf("PostgreSQL answers with a message of kind %q", kind)
}

// begin counts a new use of the connection and returns its number.
func (c *conn) begin() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.use++
	c.idle, c.heard, c.row = false, false, row{}
	if c.interrupted {
		c.interrupted = false
		c.lost = c.lost || c.pg.Conn().SetDeadline(time.Time{}) != nil
	}
	return c.use
}

// interrupt stops what the use of that number is waiting for, from another goroutine.
func (c *conn) interrupt(use int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.use == use {
		c.interrupted = true
		_ = c.pg.Conn().SetDeadline(time.Unix(0, 0)) // fails only where reading fails, too
	}
}

// close ends the connection, and on the server what it is doing.
func (c *conn) close() {
	ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	if c.late {
		_ = c.pg.CancelRequest(ctx) // or the statement goes on to its own time-out
	}
	_ = c.pg.Close(ctx)
}

func (c *conn) nextName() string {
	c.named++
	return "s" + strconv.Itoa(c.named)
}
