package store

import (
	"database/sql/driver"
	"strconv"
	"strings"

	"milepost/internal/store/db"
	"milepost/internal/tracker"
)

// ints and uuids keep a list of ids in a text column, with commas: lists are read with every
// row, and JSON would cost several times as much.
type (
	ints  struct{ list *[]int64 }
	uuids struct{ list *[]tracker.UUID }
)

// ScanText implements db.TextScanner.
func (l ints) ScanText(text string, from *db.Rows) error {
	list := from.Ints(parts(text))
	for rest := text; rest != ""; {
		var part string
		part, rest, _ = strings.Cut(rest, ",")
		v, err := strconv.ParseInt(part, 10, 64)
		if err != nil {
			return err
		}
		list = append(list, v)
	}
	*l.list = list
	return nil
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

// ScanText implements db.TextScanner.
func (l uuids) ScanText(text string, from *db.Rows) error {
	list := from.IDs(parts(text))
	for rest := from.Text(text); rest != ""; {
		var part string
		part, rest, _ = strings.Cut(rest, ",")
		list = append(list, tracker.UUID(part))
	}
	*l.list = list
	return nil
}

// Value implements driver.Valuer.
func (l uuids) Value() (driver.Value, error) {
	parts := make([]string, len(*l.list))
	for i, v := range *l.list {
		parts[i] = string(v)
	}
	return strings.Join(parts, ","), nil
}

func parts(text string) int {
	if text == "" {
		return 0
	}
	return strings.Count(text, ",") + 1
}
