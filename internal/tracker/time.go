package tracker

import (
	"errors"
	"regexp"
	"time"
)

// Time is an instant in whole seconds since the Unix epoch, always UTC.
type Time int64

// TimeOf cuts t to whole seconds.
func TimeOf(t time.Time) Time { return Time(t.Unix()) }

// AppendText appends the wire form YYYY-MM-DDThh:mm:ssZ. Lists hold many times, and writing the
// digits costs a third of what time.AppendFormat does.
func (t Time) AppendText(b []byte) ([]byte, error) {
	at := time.Unix(int64(t), 0).UTC()
	year, month, day := at.Date()
	hour, minute, second := at.Clock()
	b = twoDigits(twoDigits(b, year/100), year%100)
	b = twoDigits(append(b, '-'), int(month))
	b = twoDigits(append(b, '-'), day)
	b = twoDigits(append(b, 'T'), hour)
	b = twoDigits(append(b, ':'), minute)
	b = twoDigits(append(b, ':'), second)
	return append(b, 'Z'), nil
}

func twoDigits(b []byte, n int) []byte { return append(b, byte('0'+n/10), byte('0'+n%10)) }

func (t Time) String() string {
	b, _ := t.AppendText(nil)
	return string(b)
}

// MarshalText gives the wire form, for logs and change records.
func (t Time) MarshalText() ([]byte, error) { return t.AppendText(nil) }

// UnmarshalText reads the wire form back.
func (t *Time) UnmarshalText(text []byte) (err error) {
	*t, err = ParseTime(string(text))
	return err
}

// timeForm refuses what time.Parse lets through, such as T1:00:00 and +24:00.
var timeForm = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$`)

var errTime = errors.New("must be an ISO 8601 timestamp such as 2026-01-31T12:00:00Z")

// ParseTime reads an ISO 8601 timestamp with any offset; fractions of a second are cut off.
func ParseTime(s string) (Time, error) {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil || !timeForm.MatchString(s) {
		return 0, errTime
	}
	if y := t.UTC().Year(); y < 1 || y > 9999 {
		return 0, errTime
	}
	return TimeOf(t), nil
}

var errDay = errors.New("must be a date such as 2026-01-31")

// ParseDay reads a calendar date YYYY-MM-DD, alone or at the head of a timestamp, as its midnight UTC.
func ParseDay(s string) (Time, error) {
	if len(s) > len(time.DateOnly) {
		if _, err := ParseTime(s); err != nil {
			return 0, errDay
		}
		s = s[:len(time.DateOnly)]
	}
	t, err := time.Parse(time.DateOnly, s)
	if err != nil || t.Year() < 1 {
		return 0, errDay
	}
	return TimeOf(t), nil
}

// IsDate reports whether s is a date that ParseDay reads.
func IsDate(s string) bool {
	_, err := ParseDay(s)
	return err == nil
}
