package rest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"milepost/internal/tracker"
)

// Reasons that clients match on.
const (
	missingKey    = "missing-required-key"
	disallowedKey = "disallowed-key"
)

// decode reads the next JSON value into v. The reason is nil, a string, or a structure that
// mirrors the value; err is set only when the text is not JSON.
func (s *shape) decode(d *jsontext.Decoder, v reflect.Value) (reason any, err error) {
	switch k := d.PeekKind(); {
	case s.kind == kindObject && k == '{':
		return s.decodeObject(d, v)
	case s.kind == kindArray && k == '[':
		return s.decodeArray(d, v)
	case s.kind == kindInt && k == '0', s.kind == kindBool && (k == 't' || k == 'f'), s.isText() && k == '"':
		tok, err := d.ReadToken()
		if err != nil {
			return nil, err
		}
		if reason := s.set(v, tok.String()); reason != "" {
			return reason, nil
		}
		return nil, nil
	case k == 'n':
		return "must not be null", d.SkipValue()
	default:
		return s.expected(), d.SkipValue()
	}
}

func (s *shape) isText() bool {
	return s.kind == kindString || s.kind == kindUUID || s.kind == kindTime
}

func (s *shape) decodeObject(d *jsontext.Decoder, v reflect.Value) (any, error) {
	if _, err := d.ReadToken(); err != nil {
		return nil, err
	}
	reasons := map[string]any{}
	seen := make([]bool, v.NumField())
	for d.PeekKind() != '}' {
		tok, err := d.ReadToken()
		if err != nil {
			return nil, err
		}
		name := tok.String()
		f := s.byName[name]
		if f == nil {
			reasons[name] = disallowedKey
			if err := d.SkipValue(); err != nil {
				return nil, err
			}
			continue
		}
		seen[f.index] = true
		reason, err := f.decode(d, v.Field(f.index))
		if err != nil {
			return nil, err
		}
		if reason != nil {
			reasons[name] = reason
		}
	}
	s.checkMissing(seen, reasons)
	_, err := d.ReadToken()
	if len(reasons) > 0 {
		return reasons, err
	}
	return nil, err
}

func (s *shape) checkMissing(seen []bool, reasons map[string]any) {
	for _, f := range s.fields {
		if f.required && !seen[f.index] && reasons[f.name] == nil {
			reasons[f.name] = missingKey
		}
	}
}

func (s *shape) decodeArray(d *jsontext.Decoder, v reflect.Value) (any, error) {
	if _, err := d.ReadToken(); err != nil {
		return nil, err
	}
	out := reflect.MakeSlice(s.typ, 0, 4)
	var reasons []any
	n := 0
	for ; d.PeekKind() != ']'; n++ {
		item := reflect.New(s.typ.Elem()).Elem()
		reason, err := s.elem.decode(d, item)
		if err != nil {
			return nil, err
		}
		if reason != nil {
			for len(reasons) < n {
				reasons = append(reasons, nil)
			}
			reasons = append(reasons, reason)
		}
		if s.rule.maxItems == 0 || n < s.rule.maxItems {
			out = reflect.Append(out, item)
		}
	}
	_, err := d.ReadToken()
	if reason := s.checkCount(n); reason != "" {
		return reason, err
	}
	if reasons != nil {
		return reasons, err
	}
	v.Set(out)
	return nil, err
}

func (s *shape) checkCount(n int) string {
	if n < s.rule.minItems {
		return fmt.Sprintf("must hold at least %d items", s.rule.minItems)
	}
	if s.rule.maxItems > 0 && n > s.rule.maxItems {
		return fmt.Sprintf("must hold at most %d items", s.rule.maxItems)
	}
	return ""
}

// decode reads the field's value, with null and absence kept apart when the field is an Opt.
func (f *field) decode(d *jsontext.Decoder, v reflect.Value) (any, error) {
	if !f.optional {
		return f.shape.decode(d, v)
	}
	if f.nullable && d.PeekKind() == 'n' {
		v.Field(1).SetUint(uint64(tracker.Null))
		return nil, d.SkipValue()
	}
	reason, err := f.shape.decode(d, v.Field(0))
	if err != nil || f.drop(reason != nil, v) {
		return nil, err
	}
	return reason, nil
}

// drop marks the Opt v as given, unless its value was bad; a bad value of a lenient field is
// forgotten, and drop reports that.
func (f *field) drop(bad bool, v reflect.Value) bool {
	if !bad {
		v.Field(1).SetUint(uint64(tracker.Given))
		return false
	}
	return f.shape.rule.lenient
}

// set parses the text of a scalar into v and returns the reason when it does not fit.
func (s *shape) set(v reflect.Value, text string) (reason string) {
	switch s.kind {
	case kindInt:
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return s.expected()
		}
		if r := s.rule; r.least != nil && n < *r.least || r.most != nil && n > *r.most {
			return r.bounds()
		}
		v.SetInt(n)
	case kindBool:
		if text != "true" && text != "false" {
			return s.expected()
		}
		v.SetBool(text == "true")
	case kindUUID:
		id, ok := tracker.ParseUUID(text)
		if !ok {
			return s.expected()
		}
		v.SetString(string(id))
	case kindTime:
		t, err := tracker.ParseTime(text)
		if err != nil {
			return err.Error()
		}
		v.SetInt(int64(t))
	case kindString:
		if reason := s.rule.check(text); reason != "" {
			return reason
		}
		v.SetString(text)
	default:
		return s.expected()
	}
	return ""
}

func (r rule) bounds() string {
	switch {
	case r.least != nil && r.most != nil:
		return fmt.Sprintf("must be from %d to %d", *r.least, *r.most)
	case r.least != nil:
		return fmt.Sprintf("must be at least %d", *r.least)
	default:
		return fmt.Sprintf("must be at most %d", *r.most)
	}
}

func (r rule) check(text string) string {
	n := utf8.RuneCountInString(text)
	switch {
	case !utf8.ValidString(text):
		return "must be valid UTF-8"
	case strings.ContainsRune(text, 0):
		return "must not hold the character U+0000"
	case n < r.min:
		return fmt.Sprintf("must have at least %d characters", r.min)
	case r.min > 0 && !r.blank && strings.TrimSpace(text) == "":
		return "must not be blank"
	case r.max > 0 && n > r.max:
		return fmt.Sprintf("must have at most %d characters", r.max)
	case r.enum != nil && !slices.Contains(r.enum, text):
		return "must be one of: " + strings.Join(r.enum, ", ")
	case r.format != nil && !r.format.match(text):
		return r.format.reason
	}
	return ""
}

func (s *shape) expected() string {
	return [...]string{
		kindString: "must be a string",
		kindInt:    "must be an integer",
		kindBool:   "must be true or false",
		kindUUID:   "must be a UUID",
		kindTime:   "must be a timestamp",
		kindArray:  "must be an array",
		kindObject: "must be an object",
	}[s.kind]
}

// decodeBody reads the whole JSON text of a body into the struct v.
func (s *shape) decodeBody(text []byte, v reflect.Value) map[string]any {
	reasons := map[string]any{}
	if len(bytes.TrimSpace(text)) == 0 {
		s.checkMissing(make([]bool, v.NumField()), reasons)
		return reasons
	}
	d := jsontext.NewDecoder(bytes.NewBuffer(text))
	reason, err := s.decode(d, v)
	if err == nil {
		if _, end := d.ReadToken(); !errors.Is(end, io.EOF) {
			return map[string]any{"body": "must hold nothing after the JSON object"}
		}
	}
	switch r := reason.(type) {
	case map[string]any:
		reasons = r
	case string:
		reasons["body"] = r
	}
	if err != nil {
		return syntaxReason(err)
	}
	return reasons
}

// syntaxReason names the key that stands twice, or says where the text stops being JSON.
func syntaxReason(err error) map[string]any {
	var syntax *jsontext.SyntacticError
	if !errors.As(err, &syntax) {
		return map[string]any{"body": "must be JSON"}
	}
	if !errors.Is(err, jsontext.ErrDuplicateName) {
		return map[string]any{"body": fmt.Sprintf("is not well-formed JSON at byte %d", syntax.ByteOffset)}
	}
	var reason any = "duplicate-key"
	path := slices.Collect(syntax.JSONPointer.Tokens())
	for _, key := range slices.Backward(path) {
		reason = map[string]any{key: reason}
	}
	tree, ok := reason.(map[string]any)
	if !ok {
		return map[string]any{"body": reason}
	}
	return tree
}
