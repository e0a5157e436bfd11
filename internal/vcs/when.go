package vcs

import (
	"strconv"
	"strings"
	"time"

	"milepost/internal/tracker"
)

// when is a time in any of the forms in which the services tell it; zero when there is none.
type when tracker.Time

var timeForms = []string{time.RFC3339, "2006-01-02 15:04:05 MST", "2006-01-02 15:04:05 -0700"}

// UnmarshalJSON reads seconds since the Unix epoch or a text; what is no time is none.
func (w *when) UnmarshalJSON(text []byte) error {
	plain := strings.Trim(string(text), `"`)
	if seconds, err := strconv.ParseInt(plain, 10, 64); err == nil && seconds > 0 && seconds < 1<<40 {
		*w = when(seconds)
		return nil
	}
	for _, form := range timeForms {
		if t, err := time.Parse(form, plain); err == nil && t.Unix() > 0 {
			*w = when(tracker.TimeOf(t))
			return nil
		}
	}
	*w = 0
	return nil
}

func (w when) time() tracker.Time { return tracker.Time(w) }

// latest is the latest of the times.
func latest(times ...when) tracker.Time {
	var out when
	for _, t := range times {
		out = max(out, t)
	}
	return out.time()
}
