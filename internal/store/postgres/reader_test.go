package postgres

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"testing"
	"testing/iotest"
)

func messageOf(kind byte, size int) []byte {
	m := binary.BigEndian.AppendUint32([]byte{kind}, uint32(size+4))
	return append(m, bytes.Repeat([]byte{kind}, size)...)
}

// TestReader reads messages of all sizes however they arrive, and keeps no large buffer.
func TestReader(t *testing.T) {
	t.Parallel()
	sizes := []int{0, 1, 7, readAhead - headSize - 1, readAhead - headSize, readAhead - headSize + 1, 3, 5 * readAhead, 0, 2}
	var sent []byte
	for i, size := range sizes {
		sent = append(sent, messageOf(byte('a'+i), size)...)
	}
	for name, from := range map[string]func(io.Reader) io.Reader{
		"as it comes": func(r io.Reader) io.Reader { return r }, "byte by byte": iotest.OneByteReader, "by halves": iotest.HalfReader,
		"with its end": iotest.DataErrReader,
	} {
		r := reader{from: from(bytes.NewReader(sent))}
		for i, size := range sizes {
			kind, body, err := r.next()
			if want := messageOf(byte('a'+i), size); err != nil || kind != want[0] || !bytes.Equal(body, want[headSize:]) {
				t.Fatalf("%s: message %d is %c of %d bytes, want %d; %v", name, i, kind, len(body), size, err)
			}
		}
		if _, _, err := r.next(); !errors.Is(err, io.EOF) {
			t.Errorf("%s: at the end %v", name, err)
		}
		if len(r.buffer) > readAhead {
			t.Errorf("%s: %d bytes are kept", name, len(r.buffer))
		}
	}
}

func TestBadMessages(t *testing.T) {
	t.Parallel()
	whole := messageOf('D', 9)
	for name, c := range map[string]struct {
		sent []byte
		want error
	}{
		"nothing":            {nil, io.EOF},
		"cut in its head":    {whole[:3], io.ErrUnexpectedEOF},
		"cut in its body":    {whole[:9], io.EOF},
		"shorter than short": {[]byte{'D', 0, 0, 0, 3}, errMessage},
		"too long":           {[]byte{'D', 0x40, 0, 0, 0}, errMessage},
	} {
		r := reader{from: bytes.NewReader(c.sent)}
		if _, _, err := r.next(); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
	for name, values := range map[string][]byte{
		"no count": {0}, "another count": {0, 2, 0, 0, 0, 0}, "no length": {0, 1, 0, 0}, "longer than the row": {0, 1, 0, 0, 0, 2, 'x'},
	} {
		r := row{columns: []kind{asText}, values: values}
		if err := r.Scan(new(string)); !errors.Is(err, errMessage) {
			t.Errorf("a row with %s: %v", name, err)
		}
	}
}
