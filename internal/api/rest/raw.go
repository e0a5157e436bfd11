package rest

import (
	"encoding/json"
	"reflect"
)

// Raw is JSON that an answer holds as it is: for values whose form follows from the data. The
// OpenAPI document lets it be anything.
type Raw []byte

var rawType = reflect.TypeFor[Raw]()

// RawOf is the JSON of plain data: maps, slices, strings, numbers, booleans.
func RawOf[T any](v T) Raw {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // not plain data
	}
	return text
}
