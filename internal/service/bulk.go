package service

import (
	"errors"
	"fmt"
	"maps"

	"milepost/internal/tracker"
)

// bulkError collects what is wrong with the items of a request that is done as a whole or not at all.
type bulkError struct {
	first   *tracker.Error
	byIndex map[int]*tracker.Error
	last    int
}

// add notes an error of the item at the index that names fields of the request; it reports false
// for any other.
func (b *bulkError) add(i int, err error) bool {
	var e *tracker.Error
	if !errors.As(err, &e) || len(e.Fields) == 0 {
		return false
	}
	if b.first == nil {
		b.first, b.byIndex = e, map[int]*tracker.Error{}
	}
	b.byIndex[i], b.last = e, i
	return true
}

// items is the error where each item has fields of its own.
func (b *bulkError) items(field string) error {
	return b.err(field, map[string]any{}, func(e *tracker.Error) any { return e.Fields })
}

// targets is the error where one set of fields goes for all items.
func (b *bulkError) targets(field string) error {
	fields := map[string]any{}
	for _, e := range b.byIndex {
		maps.Copy(fields, e.Fields)
	}
	return b.err(field, fields, func(e *tracker.Error) any {
		for name, reason := range e.Fields {
			return fmt.Sprintf("%s %v", name, reason)
		}
		return nil
	})
}

func (b *bulkError) err(field string, fields map[string]any, reason func(*tracker.Error) any) error {
	if b.first == nil {
		return nil
	}
	list := make([]any, b.last+1)
	for i, e := range b.byIndex {
		list[i] = reason(e)
	}
	fields[field] = list
	return &tracker.Error{Code: b.first.Code, Message: b.first.Message, Fields: fields}
}
