package tracker

import (
	"errors"
	"fmt"
)

// Code classes an error; one place in the API maps codes to statuses.
type Code int

// The codes, in the order in which a request is judged.
const (
	Internal Code = iota
	Unauthorized
	RateLimited
	Forbidden
	TooLarge
	Invalid       // the request does not match the schema
	PastResults   // a page of a search beyond those that can be read
	FeatureOff    // the workspace has this feature switched off
	NotEntitled   // the workspace may not have (more of) this
	NotFound      //
	Unprocessable // valid form, impossible content
	DataConflict  // an update made on a stale or contradictory view
	Stale         // If-Match no longer holds
	Busy          // a bound of the server is hit; trying again later helps
)

// Error is a failure with a sentence fit for the client.
type Error struct {
	Code    Code
	Message string
	// Fields mirrors the structure of the request; its leaves are short reasons.
	Fields map[string]any
	// Tag is the machine-readable name some answers carry.
	Tag string
}

func (e *Error) Error() string {
	if len(e.Fields) > 0 {
		return fmt.Sprintf("%s %v", e.Message, e.Fields)
	}
	return e.Message
}

// ErrNotFound answers for what is absent or of another workspace; the two are never told apart.
var ErrNotFound = &Error{Code: NotFound, Message: "Resource not found."}

// MaxResults is how far the result of a search can be read.
const MaxResults = 1_000

// ErrPastResults answers for what lies beyond.
var ErrPastResults = &Error{Code: PastResults, Message: "A maximum of 1000 search results are supported."}

// InvalidFields is a schema mismatch that names every bad field.
func InvalidFields(fields map[string]any) *Error {
	return &Error{Code: Invalid, Message: "The request included invalid or missing parameters.", Fields: fields}
}

// Impossible is valid in form but cannot be done, because of the named field.
func Impossible(field, format string, args ...any) *Error {
	reason := fmt.Sprintf(format, args...)
	return &Error{
		Code:    Unprocessable,
		Message: fmt.Sprintf("The request could not be processed: %s %s.", field, reason),
		Fields:  map[string]any{field: reason},
	}
}

// Denied says that the actor's role does not allow this.
func Denied(message string) *Error {
	return &Error{Code: Forbidden, Message: message, Tag: "forbidden"}
}

// Within puts the error's fields at a place deeper in the request: names of keys and indices of
// arrays, outermost first.
func Within(err error, path ...any) error {
	var e *Error
	if !errors.As(err, &e) || len(e.Fields) == 0 {
		return err
	}
	var tree any = e.Fields
	for i := len(path) - 1; i >= 0; i-- {
		switch step := path[i].(type) {
		case int:
			list := make([]any, step+1)
			list[step] = tree
			tree = list
		default:
			tree = map[string]any{fmt.Sprint(step): tree}
		}
	}
	fields, ok := tree.(map[string]any)
	if !ok {
		return err
	}
	return &Error{Code: e.Code, Message: e.Message, Fields: fields, Tag: e.Tag}
}

// About is the error with its reason given to another field, where the request knows it by
// another name.
func About(err error, field string) error {
	var e *Error
	if !errors.As(err, &e) || e.Code != Unprocessable || len(e.Fields) != 1 {
		return err
	}
	for _, reason := range e.Fields {
		return Impossible(field, "%v", reason)
	}
	return err
}

// ImpossibleItems is Impossible for items of an array: reasons has one entry for each item, nil
// where the item is good. It is nil when all of them are.
func ImpossibleItems(field string, reasons []any) error {
	last, bad := 0, 0
	for i, reason := range reasons {
		if reason != nil {
			last, bad = i+1, bad+1
		}
	}
	if bad == 0 {
		return nil
	}
	return &Error{
		Code:    Unprocessable,
		Message: fmt.Sprintf("The request could not be processed: %s holds %d of %d items that are not possible.", field, bad, len(reasons)),
		Fields:  map[string]any{field: reasons[:last:last]},
	}
}
