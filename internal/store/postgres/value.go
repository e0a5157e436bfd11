package postgres

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"unsafe"

	"github.com/jackc/pgx/v5/pgtype"

	"milepost/internal/store/db"
)

// kind is the form in which the server sends a column.
type kind byte

const (
	asText kind = iota // of all types that have no other
	asNumber
	asInt8
	asInt4
	asInt2
	asBool
	asFloat8
	asFloat4
	asBytes
)

var kinds = map[uint32]kind{
	pgtype.NumericOID: asNumber, // such as the sum of integers
	pgtype.Int8OID:    asInt8, pgtype.Int4OID: asInt4, pgtype.Int2OID: asInt2, pgtype.BoolOID: asBool,
	pgtype.Float8OID: asFloat8, pgtype.Float4OID: asFloat4, pgtype.ByteaOID: asBytes,
}

func (k kind) isBinary() bool { return k > asNumber }

// row is the row that was received last.
type row struct {
	columns []kind
	values  []byte  // as they were sent; gone with the next message
	rows    db.Rows // of one transaction
}

// Scan implements db.Row.
func (r *row) Scan(dest ...any) error {
	if len(dest) != len(r.columns) {
		return fmt.Errorf("a row of %d columns is read into %d places", len(r.columns), len(dest))
	}
	if len(r.values) < 2 || int(binary.BigEndian.Uint16(r.values)) != len(dest) {
		return errMessage
	}
	rest := r.values[2:]
	var v db.Value
	for i, d := range dest {
		value, after, err := cut(rest)
		if err == nil {
			rest = after
			err = valueOf(r.columns[i], value, &v)
		}
		if err == nil {
			err = r.rows.Put(d, &v)
		}
		if err != nil {
			return fmt.Errorf("column %d: %w", i, err)
		}
	}
	return nil
}

// cut takes a value with its length off the front; nil is null.
func cut(from []byte) (value, rest []byte, err error) {
	if len(from) < 4 {
		return nil, nil, errMessage
	}
	size := int32(binary.BigEndian.Uint32(from))
	if from = from[4:]; size < 0 {
		return nil, from, nil
	}
	if int(size) > len(from) {
		return nil, nil, errMessage
	}
	return from[:size:size], from[size:], nil
}

// valueOf reads a value as the server sent it.
func valueOf(k kind, from []byte, to *db.Value) (err error) {
	if from == nil {
		to.Kind = db.Null
		return nil
	}
	switch k {
	case asText:
		to.Kind, to.Text = db.Text, view(from)
	case asInt8:
		to.Kind, to.Int = db.Integer, int64(binary.BigEndian.Uint64(from))
	case asInt4:
		to.Kind, to.Int = db.Integer, int64(int32(binary.BigEndian.Uint32(from)))
	case asInt2:
		to.Kind, to.Int = db.Integer, int64(int16(binary.BigEndian.Uint16(from)))
	case asBool:
		to.Kind, to.Int = db.Integer, int64(from[0])
	case asFloat8:
		to.Kind, to.Real = db.Real, math.Float64frombits(binary.BigEndian.Uint64(from))
	case asFloat4:
		to.Kind, to.Real = db.Real, float64(math.Float32frombits(binary.BigEndian.Uint32(from)))
	case asBytes:
		to.Kind, to.Text = db.Bytes, view(from)
	case asNumber:
		to.Kind = db.Integer
		if to.Int, err = strconv.ParseInt(view(from), 10, 64); err != nil {
			to.Kind = db.Real
			to.Real, err = strconv.ParseFloat(view(from), 64)
		}
	}
	return err
}

// view is a text in the buffer of the connection.
func view(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
