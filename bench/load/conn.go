package load

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"time"
)

// answerTimeout is how long after the end of a run an answer may still come.
const answerTimeout = 20 * time.Second

type connection struct {
	net.Conn
	in *bufio.Reader
}

func dial(ctx context.Context, address string) (*connection, error) {
	var d net.Dialer
	conn, err := d.DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	return &connection{Conn: conn, in: bufio.NewReaderSize(conn, 64<<10)}, nil
}

func (c *connection) close() { c.Conn.Close() }

// roundTrip sends a request and reads its answer to the end, whose body it only counts.
func (c *connection) roundTrip(request []byte, deadline time.Time) (status int, size int64, err error) {
	if err := c.SetDeadline(deadline); err != nil {
		return 0, 0, err
	}
	if _, err := c.Write(request); err != nil {
		return 0, 0, err
	}
	line, err := c.line()
	if err != nil {
		return 0, 0, err
	}
	if status, err = parseStatus(line); err != nil {
		return 0, 0, err
	}
	length, err := c.header()
	if err != nil {
		return status, 0, err
	}
	if status == 204 || status == 304 {
		return status, 0, nil
	}
	if length == chunked {
		size, err = c.chunks()
		return status, size, err
	}
	return status, length, c.skip(length)
}

func parseStatus(line []byte) (int, error) {
	if !bytes.HasPrefix(line, []byte("HTTP/1.1 ")) || len(line) < 12 {
		return 0, fmt.Errorf("the answer begins with %q", line)
	}
	return strconv.Atoi(string(line[9:12]))
}

const chunked = -1

// header reads to the end of the header and returns the length of the body, or chunked.
func (c *connection) header() (length int64, err error) {
	length = -2
	for {
		line, err := c.line()
		if err != nil {
			return 0, err
		}
		if len(line) == 0 {
			if length == -2 {
				return 0, errors.New("the answer does not say how long it is")
			}
			return length, nil
		}
		name, value, _ := bytes.Cut(line, []byte(": "))
		switch {
		case bytes.EqualFold(name, []byte("Content-Length")):
			if length, err = strconv.ParseInt(string(value), 10, 64); err != nil {
				return 0, err
			}
		case bytes.EqualFold(name, []byte("Transfer-Encoding")):
			length = chunked
		case bytes.EqualFold(name, []byte("Connection")) && bytes.EqualFold(value, []byte("close")):
			return 0, errors.New("the server closes the connection")
		}
	}
}

func (c *connection) chunks() (total int64, err error) {
	for {
		line, err := c.line()
		if err != nil {
			return total, err
		}
		n, err := strconv.ParseInt(string(line), 16, 64)
		if err != nil {
			return total, err
		}
		if err := c.skip(n + 2); err != nil || n == 0 {
			return total, err
		}
		total += n
	}
}

func (c *connection) skip(n int64) error {
	_, err := c.in.Discard(int(n))
	return err
}

// line reads a line and leaves its end away.
func (c *connection) line() ([]byte, error) {
	line, err := c.in.ReadSlice('\n')
	if err != nil {
		return nil, err
	}
	return bytes.TrimRight(line, "\r\n"), nil
}

type statusError int

func (e statusError) Error() string { return fmt.Sprintf("status %d", int(e)) }
