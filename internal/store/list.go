package store

import (
	"database/sql/driver"
	"fmt"
	"strconv"
	"strings"

	"milepost/internal/tracker"
)

// ints and uuids keep a list of ids in a text column, with commas: lists are read with every
// row, and JSON would cost several times as much.
type (
	ints  struct{ list *[]int64 }
	uuids struct{ list *[]tracker.UUID }
)

func (l ints) Scan(src any) error {
	return eachPart(src, func(n int, next func() string) error {
		*l.list = make([]int64, n)
		for i := range n {
			v, err := strconv.ParseInt(next(), 10, 64)
			if err != nil {
				return err
			}
			(*l.list)[i] = v
		}
		return nil
	})
}

// Value implements driver.Valuer.
func (l ints) Value() (driver.Value, error) {
	var b []byte
	for i, v := range *l.list {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, v, 10)
	}
	return string(b), nil
}

func (l uuids) Scan(src any) error {
	return eachPart(src, func(n int, next func() string) error {
		*l.list = make([]tracker.UUID, n)
		for i := range n {
			(*l.list)[i] = tracker.UUID(next())
		}
		return nil
	})
}

// Value implements driver.Valuer.
func (l uuids) Value() (driver.Value, error) {
	parts := make([]string, len(*l.list))
	for i, v := range *l.list {
		parts[i] = string(v)
	}
	return strings.Join(parts, ","), nil
}

// eachPart tells fill how many parts the text has and hands them out one by one.
func eachPart(src any, fill func(n int, next func() string) error) error {
	var text string
	switch v := src.(type) {
	case string:
		text = v
	case []byte:
		text = string(v)
	default:
		return fmt.Errorf("a list column holds %T", src)
	}
	if text == "" {
		return fill(0, nil)
	}
	return fill(strings.Count(text, ",")+1, func() string {
		part, rest, _ := strings.Cut(text, ",")
		text = rest
		return part
	})
}
