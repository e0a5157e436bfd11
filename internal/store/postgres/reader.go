package postgres

import (
	"encoding/binary"
	"errors"
	"io"
)

const (
	// readAhead is how much is read at once; only a larger message needs more.
	readAhead = 16 << 10
	// maxMessage is more than PostgreSQL sends in one message.
	maxMessage = 1 << 30
	// headSize is the size of a message's kind and length.
	headSize = 5
)

// The kinds of messages that the server sends.
const (
	bindComplete    = '2'
	dataRow         = 'D'
	commandComplete = 'C'
	emptyQuery      = 'I'
	errorResponse   = 'E'
	readyForQuery   = 'Z'
	rowDescription  = 'T'
	noData          = 'n'
	noticeResponse  = 'N'
	notification    = 'A'
	parameterStatus = 'S'
)

var errMessage = errors.New("PostgreSQL sends a message that makes no sense")

// reader takes the messages of the server one by one.
type reader struct {
	from       io.Reader
	buffer     []byte
	start, end int // of what is read and not yet taken
}

// next gives the kind and the body of a message, which is gone with the one after.
func (r *reader) next() (kind byte, body []byte, err error) {
	if err := r.fill(headSize); err != nil {
		return 0, nil, err
	}
	size := int(binary.BigEndian.Uint32(r.buffer[r.start+1:])) + 1
	if size < headSize || size > maxMessage {
		return 0, nil, errMessage
	}
	if err := r.fill(size); err != nil {
		return 0, nil, err
	}
	message := r.buffer[r.start : r.start+size]
	r.start += size
	return message[0], message[headSize:], nil
}

// fill makes sure that n bytes are there.
func (r *reader) fill(n int) error {
	if r.end-r.start >= n {
		return nil
	}
	if r.start == r.end || r.start+n > len(r.buffer) {
		to := r.buffer
		if n > len(to) || n <= readAhead && len(to) > readAhead {
			to = make([]byte, max(n, readAhead))
		}
		r.end = copy(to, r.buffer[r.start:r.end])
		r.start, r.buffer = 0, to
	}
	got, err := io.ReadAtLeast(r.from, r.buffer[r.end:], n-(r.end-r.start))
	r.end += got
	return err
}
