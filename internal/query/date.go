package query

import (
	"errors"
	"strings"
	"time"

	"milepost/internal/tracker"
)

const day tracker.Time = 24 * 60 * 60

// today is the midnight UTC that stands for the current day in the workspace.
func (s Scene) today() tracker.Time {
	local := s.Now + s.Offset()
	return local - local%day
}

// readDays compares days that are kept as midnights UTC.
func readDays(f Field) func(value) (Expr, error) {
	return func(v value) (Expr, error) {
		from, to, err := readDates(v, true)
		if err != nil {
			return nil, err
		}
		return Dates{f, from, to}, nil
	}
}

// readInstants compares instants with the days of the workspace's own time zone.
func readInstants(f Field) func(value) (Expr, error) {
	return func(v value) (Expr, error) {
		from, to, err := readDates(v, f == Due)
		if err != nil {
			return nil, err
		}
		if from != Ever {
			from -= v.scene.Offset()
		}
		if to != Never {
			to -= v.scene.Offset()
		}
		return Dates{f, from, to}, nil
	}
}

// readDue asks for any deadline, readOverdue for one that was missed.
func readDue(value) (Expr, error) { return Dates{Due, Ever, Never}, nil }

func readOverdue(v value) (Expr, error) {
	return And{Dates{Due, Ever, v.scene.Now}, Not{Dates{Completed, Ever, Never}}}, nil
}

var (
	errDate   = errors.New("expected a date such as 2026-01-31, today, yesterday or a range such as 2026-01-01..2026-01-31 with * for an open end")
	errFuture = errors.New("tomorrow goes with due, startdate and enddate only")
	errMixed  = errors.New("a range has either two dates or two words such as today")
	errOrder  = errors.New("the range ends before it begins")
)

// readDates reads a day or a range of days, both of which belong to it.
func readDates(v value, future bool) (from, to tracker.Time, err error) {
	head, tail, isRange := strings.Cut(v.text, "..")
	if !isRange {
		head, tail = v.text, v.text
	}
	first, err := v.scene.date(head, future)
	if err != nil {
		return 0, 0, err
	}
	last, err := v.scene.date(tail, future)
	switch {
	case err != nil:
		return 0, 0, err
	case !isRange && first.open:
		return 0, 0, errDate
	case !first.open && !last.open && first.word != last.word:
		return 0, 0, errMixed
	}
	from, to = first.day, last.day+day
	if first.open {
		from = Ever
	}
	if last.open {
		to = Never
	}
	if to <= from {
		return 0, 0, errOrder
	}
	return from, to, nil
}

// date is one side of a range.
type date struct {
	day  tracker.Time
	word bool // it was given as one
	open bool
}

func (s Scene) date(text string, future bool) (date, error) {
	switch text = strings.ToLower(text); {
	case text == "*":
		return date{open: true}, nil
	case text == "yesterday":
		return date{day: s.today() - day, word: true}, nil
	case text == "today":
		return date{day: s.today(), word: true}, nil
	case text == "tomorrow" && !future:
		return date{}, errFuture
	case text == "tomorrow":
		return date{day: s.today() + day, word: true}, nil
	case len(text) > len(time.DateOnly):
		return date{}, errDate
	}
	d, err := tracker.ParseDay(text)
	if err != nil {
		return date{}, errDate
	}
	return date{day: d}, nil
}
