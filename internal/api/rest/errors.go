package rest

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"strconv"

	"milepost/internal/httpd"
	"milepost/internal/tracker"
)

// statuses is the one place where codes meet HTTP.
var statuses = map[tracker.Code]int{
	tracker.Internal:      http.StatusInternalServerError,
	tracker.Unauthorized:  http.StatusUnauthorized,
	tracker.RateLimited:   http.StatusTooManyRequests,
	tracker.Forbidden:     http.StatusForbidden,
	tracker.TooLarge:      http.StatusRequestEntityTooLarge,
	tracker.Invalid:       http.StatusBadRequest,
	tracker.PastResults:   http.StatusBadRequest,
	tracker.FeatureOff:    http.StatusForbidden,
	tracker.NotEntitled:   http.StatusForbidden,
	tracker.NotFound:      http.StatusNotFound,
	tracker.Unprocessable: http.StatusUnprocessableEntity,
	tracker.DataConflict:  http.StatusConflict,
	tracker.Stale:         http.StatusPreconditionFailed,
	tracker.Busy:          http.StatusServiceUnavailable,
}

// errorBody is every form an error answer takes; empty keys are left out.
type errorBody struct {
	Name           string         `json:"name,omitempty"`
	Error          string         `json:"error,omitempty"`
	ReasonTag      string         `json:"reason_tag,omitempty"`
	EntitlementTag string         `json:"entitlement_tag,omitempty"`
	FeatureTag     string         `json:"feature_tag,omitempty"`
	Message        string         `json:"message"`
	MaximumResults int            `json:"maximum-results,omitempty"`
	Tag            string         `json:"tag,omitempty"`
	RequestID      string         `json:"request_id,omitempty"`
	Errors         map[string]any `json:"errors,omitempty"`
}

// WriteError answers with err; what is no tracker.Error is our fault and only the log learns of it.
func WriteError(w http.ResponseWriter, r *http.Request, err error) {
	var e *tracker.Error
	if !errors.As(err, &e) {
		e = internal(r, err)
	}
	body := errorBody{Message: e.Message, Errors: e.Fields}
	switch e.Code {
	case tracker.NotEntitled:
		body.Name, body.ReasonTag, body.EntitlementTag = "UnusableEntitlementError", "entitlement-violation", e.Tag
	case tracker.FeatureOff:
		body.FeatureTag = e.Tag
	case tracker.PastResults:
		body.Name, body.Error, body.MaximumResults = "MaxSearchResultsExceededError", "maximum-results-exceeded", tracker.MaxResults
	case tracker.DataConflict:
		body.Name, body.Error = "DataConflictError", "data-conflict-error"
	case tracker.Internal:
		body.RequestID = e.Tag
	case tracker.Busy:
		w.Header().Set("Retry-After", "1")
		slog.WarnContext(r.Context(), "request refused for now", "request_id", httpd.RequestID(r.Context()), "error", err)
	default:
		body.Tag = e.Tag
	}
	writeErrorBody(w, statuses[e.Code], body)
}

// WriteMessage answers a hook with a sentence for whoever looks at its deliveries.
func WriteMessage(w http.ResponseWriter, status int, message string) {
	writeErrorBody(w, status, errorBody{Message: message})
}

// WritePanic answers a request that panicked; the log has been told already.
func WritePanic(w http.ResponseWriter, r *http.Request, _ any) {
	WriteError(w, r, ourFault(httpd.RequestID(r.Context())))
}

func ourFault(id string) *tracker.Error {
	return &tracker.Error{Code: tracker.Internal, Tag: id,
		Message: "Something went wrong on our side. The log holds the cause under this request id."}
}

func internal(r *http.Request, err error) *tracker.Error {
	id := httpd.RequestID(r.Context())
	if errors.Is(err, context.Canceled) && r.Context().Err() != nil {
		slog.InfoContext(r.Context(), "client went away", "request_id", id)
	} else {
		slog.ErrorContext(r.Context(), "request failed", "request_id", id, "error", err)
	}
	return ourFault(id)
}

func writeErrorBody(w http.ResponseWriter, status int, body errorBody) {
	text, err := json.Marshal(body)
	if err != nil {
		panic(err) // the body holds strings and maps of strings only
	}
	h := w.Header()
	h.Set("Content-Type", contentType)
	h.Set("Content-Length", strconv.Itoa(len(text)))
	w.WriteHeader(status)
	_, _ = w.Write(text) // the client may be gone; there is nobody to tell
}
