package rest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"

	"github.com/go-json-experiment/json/jsontext"

	"milepost/internal/tracker"
)

// Reasons that clients match on.
const (
	missingKey    = "missing-required-key"
	disallowedKey = "disallowed-key"
	duplicateKey  = "duplicate-key"
)

// reasons mirrors an object of the request: under the name of each bad field stands a reason, or
// the reasons inside of it. The zero value is ready for use.
type reasons map[string]any

func (r *reasons) add(name string, reason any) {
	if *r == nil {
		*r = reasons{}
	}
	(*r)[name] = reason
}

// orNil is r, or an untyped nil when it is empty.
func (r reasons) orNil() any {
	if r == nil {
		return nil
	}
	return map[string]any(r)
}

// sight is where a field has been seen.
type sight uint8

const (
	unseen sight = iota
	inQuery
	inBody
)

// A decoder reads JSON by shapes. Reasons are nil, a string, or a structure that mirrors the
// value; errors are returned only when the text is not JSON.
type decoder struct {
	json jsontext.Decoder
	// left is how many more reasons can be told: an answer must not outgrow its request many times.
	left int
}

const maxReasons = 20_000

// decodeBody reads the whole JSON text of a body into the struct v, but for the fields that the
// query string has given already.
func (s *shape) decodeBody(text []byte, v reflect.Value, seen []sight) reasons {
	var bad reasons
	if len(bytes.TrimSpace(text)) == 0 {
		s.checkMissing(seen, func(name string) { bad.add(name, missingKey) })
		return bad
	}
	d := decoder{left: maxReasons}
	// Names are held against the declaration, which finds every duplicate, not only the first one.
	d.json.Reset(bytes.NewBuffer(text), jsontext.AllowDuplicateNames(true))
	if d.json.PeekKind() != '{' {
		if err := d.json.SkipValue(); err != nil {
			return syntaxReason(err)
		}
		return reasons{"body": s.expected()}
	}
	bad, err := s.decodeObject(&d, v, seen)
	if err != nil {
		return syntaxReason(err)
	}
	if _, err := d.json.ReadToken(); !errors.Is(err, io.EOF) {
		bad.add("body", "must hold nothing after the JSON object")
	} else if d.left <= 0 {
		bad.add("body", "holds more mistakes than can be listed")
	}
	return bad
}

func syntaxReason(err error) reasons {
	var syntax *jsontext.SyntacticError
	if !errors.As(err, &syntax) {
		return reasons{"body": "ends before the JSON object does"}
	}
	return reasons{"body": fmt.Sprintf("is not well-formed JSON at byte %d", syntax.ByteOffset)}
}

func (s *shape) decode(d *decoder, v reflect.Value) (reason any, err error) {
	k := d.json.PeekKind()
	switch {
	case s.kind == kindObject && k == '{':
		var buf [64]sight
		seen := buf[:]
		if len(s.fields) > len(buf) {
			seen = make([]sight, len(s.fields))
		}
		bad, err := s.decodeObject(d, v, seen)
		return bad.orNil(), err
	case s.kind == kindArray && k == '[':
		return s.decodeArray(d, v)
	case s.kind == kindInt && k == '0', s.kind == kindBool && (k == 't' || k == 'f'), s.isText() && k == '"':
		raw, err := d.json.ReadValue()
		if err != nil {
			return nil, err
		}
		if reason := s.set(v, scalarText(raw)); reason != "" {
			return reason, nil
		}
		return nil, nil
	case k == 'n':
		return "must not be null", d.json.SkipValue()
	default:
		return s.expected(), d.json.SkipValue()
	}
}

func (s *shape) isText() bool {
	return s.kind == kindString || s.kind == kindUUID || s.kind == kindTime
}

func (s *shape) decodeObject(d *decoder, v reflect.Value, seen []sight) (bad reasons, err error) {
	note := func(name string, reason any) {
		if d.left--; d.left > 0 {
			bad.add(name, reason)
		}
	}
	if _, err := d.json.ReadToken(); err != nil {
		return nil, err
	}
	for d.json.PeekKind() != '}' {
		raw, err := d.json.ReadValue()
		if err != nil {
			return nil, err
		}
		f := s.byName[string(raw[1:len(raw)-1])]
		name := ""
		if f == nil {
			name = unquoted(raw)
			f = s.byName[name]
		}
		var reason any
		switch {
		case f == nil:
			reason, err = disallowedKey, d.json.SkipValue()
		case seen[f.number] == inBody:
			reason, err = duplicateKey, d.json.SkipValue()
		case seen[f.number] == inQuery: // which beats the body
			err = d.json.SkipValue()
		default:
			seen[f.number] = inBody
			reason, err = f.decode(d, v.FieldByIndex(f.index))
		}
		if err != nil {
			return nil, err
		}
		if reason != nil {
			if f != nil {
				name = f.name
			}
			note(name, reason)
		}
	}
	s.checkMissing(seen, func(name string) { note(name, missingKey) })
	_, err = d.json.ReadToken()
	return bad, err
}

func (s *shape) checkMissing(seen []sight, missing func(name string)) {
	for _, f := range s.fields {
		if f.required && seen[f.number] == unseen {
			missing(f.name)
		}
	}
}

func (s *shape) decodeArray(d *decoder, v reflect.Value) (any, error) {
	if _, err := d.json.ReadToken(); err != nil {
		return nil, err
	}
	v.Set(reflect.MakeSlice(s.typ, 0, 0))
	var bad []any
	n := 0
	for ; d.json.PeekKind() != ']'; n++ {
		if n >= s.rule.maxItems {
			if err := d.json.SkipValue(); err != nil {
				return nil, err
			}
			continue
		}
		v.Grow(1)
		v.SetLen(n + 1)
		reason, err := s.elem.decode(d, v.Index(n))
		if err != nil {
			return nil, err
		}
		if reason != nil {
			bad = s.mirror(d, bad, n, reason)
		}
	}
	_, err := d.json.ReadToken()
	if reason := s.checkCount(n); reason != "" {
		return reason, err
	}
	if bad != nil {
		return bad, err
	}
	return nil, err
}

// mirror puts the reason of item n at its place, behind nulls for the good items before it.
func (s *shape) mirror(d *decoder, bad []any, n int, reason any) []any {
	if d.left -= n + 1 - len(bad); d.left <= 0 {
		return bad
	}
	for len(bad) < n {
		bad = append(bad, nil)
	}
	return append(bad, reason)
}

func (s *shape) checkCount(n int) string {
	if n < s.rule.minItems {
		return fmt.Sprintf("must hold at least %d items", s.rule.minItems)
	}
	if n > s.rule.maxItems {
		return fmt.Sprintf("must hold at most %d items", s.rule.maxItems)
	}
	return ""
}

// decode reads the field's value, with null and absence kept apart when the field is an Opt.
func (f *field) decode(d *decoder, v reflect.Value) (any, error) {
	if !f.optional {
		return f.shape.decode(d, v)
	}
	if f.nullable && d.json.PeekKind() == 'n' {
		v.Field(1).SetUint(uint64(tracker.Null))
		return nil, d.json.SkipValue()
	}
	reason, err := f.shape.decode(d, v.Field(0))
	if err == nil && reason == nil {
		v.Field(1).SetUint(uint64(tracker.Given))
	}
	if f.shape.rule.lenient() {
		reason = nil
	}
	return reason, err
}
