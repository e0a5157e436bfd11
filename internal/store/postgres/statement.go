package postgres

import (
	"encoding/binary"
	"fmt"

	"github.com/jackc/pgx/v5/pgproto3"
)

// statement is a prepared statement of a connection.
type statement struct {
	name    string
	columns []kind
	formats []byte // the end of the message that binds it
}

// prepared gives the statements of the queries. All of them are known before the first is bound,
// since the server's answer tells how to read the rows.
func (c *conn) prepared(queries []query) ([]*statement, error) {
	if len(c.statements)+len(queries) > maxStatements {
		if err := c.forget(); err != nil {
			return nil, err
		}
	}
	found := make([]*statement, len(queries))
	for i := range queries {
		s, ok := c.statements[queries[i].statement]
		if !ok {
			var err error
			if s, err = c.prepare(queries[i].statement); err != nil {
				return nil, err
			}
			c.statements[queries[i].statement] = s
		}
		found[i] = s
	}
	return found, nil
}

func (c *conn) prepare(text string) (*statement, error) {
	s := &statement{name: c.nextName()}
	start := c.message('P')
	c.text(s.name)
	c.text(text)
	c.out = append(c.out, 0, 0) // the server finds the types of the parameters
	c.finish(start)
	start = c.message('D')
	c.out = append(c.out, 'S')
	c.text(s.name)
	c.finish(start)
	return s, c.exchange(func(kind byte, body []byte) (last bool, err error) {
		var m pgproto3.RowDescription
		switch kind {
		case rowDescription:
			err = m.Decode(body)
		case noData:
		default:
			return false, nil
		}
		s.describe(m.Fields)
		return true, err
	})
}

// forget drops all statements.
func (c *conn) forget() error {
	left := len(c.statements)
	for _, s := range c.statements {
		start := c.message('C')
		c.out = append(c.out, 'S')
		c.text(s.name)
		c.finish(start)
	}
	clear(c.statements)
	return c.exchange(func(byte, []byte) (bool, error) {
		left--
		return left == 0, nil
	})
}

// exchange sends what is queued and reads answers until the last one.
func (c *conn) exchange(take func(kind byte, body []byte) (last bool, err error)) error {
	if err := c.send(c.block); err != nil {
		return err
	}
	c.reading = true
	if err := c.settle(); err != nil {
		return err
	}
	var refused error
	for done := false; !done && refused == nil; {
		kind, body, err := c.receive()
		if err != nil {
			return err
		}
		if kind == errorResponse {
			refused = c.refusal(body)
			continue
		}
		c.heard = true
		if done, err = take(kind, body); err != nil {
			c.lost = true
			return err
		}
	}
	if c.block && !c.lost {
		if err := c.ready(); err != nil && refused == nil {
			refused = err
		}
	}
	c.reading = c.lost
	return refused
}

// describe keeps of the columns what reading them needs.
func (s *statement) describe(fields []pgproto3.FieldDescription) {
	s.columns = make([]kind, len(fields))
	s.formats = binary.BigEndian.AppendUint16(nil, uint16(len(fields)))
	for i, f := range fields {
		s.columns[i] = kinds[f.DataTypeOID]
		if s.formats = append(s.formats, 0, 0); s.columns[i].isBinary() {
			s.formats[len(s.formats)-1] = 1
		}
	}
}

// bind queues the execution of a statement.
func (c *conn) bind(s *statement, args []any) error {
	start := c.message('B')
	c.out = append(c.out, 0) // the portal without a name
	c.text(s.name)
	c.count(len(args))
	formats := len(c.out)
	for range args {
		c.out = append(c.out, 0, 0)
	}
	c.count(len(args))
	for i, a := range args {
		isBinary, err := c.value(a)
		if err != nil {
			return fmt.Errorf("argument $%d: %w", i+1, err)
		}
		if isBinary {
			c.out[formats+2*i+1] = 1
		}
	}
	c.out = append(c.out, s.formats...)
	c.finish(start)
	start = c.message('E')
	c.out = append(c.out, 0, 0, 0, 0, 0) // of that portal, all rows
	c.finish(start)
	return nil
}

// message begins a message and returns the place of its length, which finish fills in.
func (c *conn) message(kind byte) int {
	c.out = append(c.out, kind, 0, 0, 0, 0)
	return len(c.out) - 4
}

func (c *conn) finish(start int) {
	binary.BigEndian.PutUint32(c.out[start:], uint32(len(c.out)-start))
}

func (c *conn) text(s string) {
	c.out = append(c.out, s...)
	c.out = append(c.out, 0)
}

func (c *conn) count(n int) { c.out = binary.BigEndian.AppendUint16(c.out, uint16(n)) }
