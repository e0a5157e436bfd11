package rest

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"milepost/internal/tracker"
)

// set parses the text of a scalar into v and returns the reason when it does not fit.
func (s *shape) set(v reflect.Value, text string) (reason string) {
	switch s.kind {
	case kindInt:
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || text[0] == '+' {
			return s.expected()
		}
		if reason := s.rule.checkInt(n); reason != "" {
			return reason
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
		if s.rule.anyCase {
			text = strings.ToLower(text)
		}
		if reason := s.rule.checkString(text); reason != "" {
			return reason
		}
		v.SetString(text)
	default:
		return s.expected()
	}
	return ""
}

func (r *rule) checkInt(n int64) string {
	least, most := r.least, r.most
	switch {
	case (least == nil || n >= *least) && (most == nil || n <= *most):
		return ""
	case most == nil:
		return fmt.Sprintf("must be at least %d", *least)
	case least == nil:
		return fmt.Sprintf("must be at most %d", *most)
	default:
		return fmt.Sprintf("must be from %d to %d", *least, *most)
	}
}

func (r *rule) checkString(text string) string {
	n := utf8.RuneCountInString(text)
	switch {
	case !utf8.ValidString(text):
		return "must be valid UTF-8"
	case strings.IndexByte(text, 0) >= 0:
		return "must not hold the character U+0000"
	case n < r.min:
		return fmt.Sprintf("must have at least %d characters", r.min)
	case r.refusesBlank() && strings.TrimSpace(text) == "":
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

func (r *rule) refusesBlank() bool { return r.min > 0 && !r.blank }

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

// scalarText is the content of a string, and the text of any other scalar.
func scalarText(raw jsontext.Value) string {
	switch {
	case raw[0] == '"':
		return unquoted(raw)
	case raw[0] != 't' && raw[0] != 'f' && bytes.ContainsAny(raw, ".eE"):
		return plainDigits(string(raw))
	}
	return string(raw)
}

// plainDigits writes a whole number without a point or exponent: 1.0 and 1e3 are integers of JSON
// Schema, hence of the published document. What is not whole, or too large anyway, stays as it is.
func plainDigits(number string) string {
	mantissa, exponent := number, 0
	if i := strings.IndexAny(number, "eE"); i >= 0 {
		var err error
		if exponent, err = strconv.Atoi(number[i+1:]); err != nil {
			return number
		}
		mantissa = number[:i]
	}
	digits, fraction, _ := strings.Cut(mantissa, ".")
	digits += fraction
	for exponent -= len(fraction); exponent < 0; exponent++ {
		short, whole := strings.CutSuffix(digits, "0")
		if !whole {
			return number
		}
		if strings.Trim(short, "-") == "" {
			return "0"
		}
		digits = short
	}
	const most = 19 // digits of an int64
	if exponent > most {
		return number
	}
	return digits + strings.Repeat("0", exponent)
}

func unquoted(raw jsontext.Value) string {
	if bytes.IndexByte(raw, '\\') < 0 {
		return string(raw[1 : len(raw)-1])
	}
	text, _ := jsontext.AppendUnquote(nil, raw) // ReadValue has checked it
	return string(text)
}
