package db

import (
	"errors"
	"fmt"
	"reflect"
	"unsafe"

	"milepost/internal/tracker"
)

// Kind is what a Value holds.
type Kind byte

// The kinds of values that the engines have in common.
const (
	Null Kind = iota
	Integer
	Real
	Text
	Bytes
)

// Value is a column of a row.
type Value struct {
	Kind Kind
	Int  int64 // an integer, or a boolean as 0 or 1
	Real float64
	// Text is a text or bytes, in the engine's own memory: it is gone with the row.
	Text string
}

// ErrNull is the error of a null that is read into a place that takes none.
var ErrNull = errors.New("a null is read into a place that takes none")

// Put reads a value into the place that dest points to. It knows pointers to the basic kinds, to
// pointers of these (nil is null) and TextScanner. Rows are wide, so the places that hot
// statements have come first.
func (r *Rows) Put(dest any, v *Value) error {
	switch v.Kind {
	case Null:
		return putNull(dest)
	case Integer:
		switch d := dest.(type) {
		case *int64:
			*d = v.Int
		case *tracker.Time:
			*d = tracker.Time(v.Int)
		case **int64:
			*d = placeOf(&r.ints, v.Int)
		case **tracker.Time:
			*d = placeOf(&r.times, tracker.Time(v.Int))
		case *bool:
			*d = v.Int != 0
		default:
			return r.putOther(dest, v)
		}
	case Text:
		switch d := dest.(type) {
		case TextScanner:
			return d.ScanText(v.Text, r)
		case *string:
			*d = r.Text(v.Text)
		case *tracker.UUID:
			*d = tracker.UUID(r.Text(v.Text))
		case **string:
			*d = placeOf(&r.texts, r.Text(v.Text))
		case **tracker.UUID:
			*d = placeOf(&r.ids, tracker.UUID(r.Text(v.Text)))
		default:
			return r.putOther(dest, v)
		}
	case Real, Bytes:
		return r.putOther(dest, v)
	}
	return nil
}

func (r *Rows) putOther(dest any, v *Value) error {
	switch d := dest.(type) {
	case *[]byte:
		*d = []byte(v.Text)
	case *any:
		*d = v.any()
	default:
		return r.putKind(reflect.ValueOf(dest).Elem(), v)
	}
	return nil
}

func putNull(dest any) error {
	switch d := dest.(type) {
	case **int64:
		*d = nil
	case **tracker.Time:
		*d = nil
	case **string:
		*d = nil
	case **tracker.UUID:
		*d = nil
	default:
		place := reflect.ValueOf(dest)
		if place.Kind() != reflect.Pointer {
			return ErrNull
		}
		if k := place.Elem().Kind(); k != reflect.Pointer && k != reflect.Interface && k != reflect.Slice {
			return ErrNull
		}
		place.Elem().SetZero()
	}
	return nil
}

func (r *Rows) putKind(place reflect.Value, v *Value) error {
	kind := place.Kind()
	switch {
	case kind == reflect.Pointer:
		to := reflect.New(place.Type().Elem())
		place.Set(to)
		return r.putKind(to.Elem(), v)
	case kind == reflect.String && v.Kind == Text:
		place.SetString(r.Text(v.Text))
	case kind == reflect.Bool && v.Kind == Integer:
		place.SetBool(v.Int != 0)
	case place.CanInt() && v.Kind == Integer:
		place.SetInt(v.Int)
	case place.CanFloat() && v.Kind == Integer:
		place.SetFloat(float64(v.Int))
	case place.CanFloat() && v.Kind == Real:
		place.SetFloat(v.Real)
	default:
		return fmt.Errorf("a value of kind %d is read into a %s", v.Kind, place.Type())
	}
	return nil
}

func (v *Value) any() any {
	switch v.Kind {
	case Integer:
		return v.Int
	case Real:
		return v.Real
	case Text:
		return string([]byte(v.Text))
	case Bytes:
		return []byte(v.Text)
	default:
		return nil
	}
}

func viewOf(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
