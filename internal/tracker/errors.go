package tracker

import "fmt"

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
