package rest

import (
	"reflect"
	"strings"
	"unsafe"
)

// Shared is a part of an answer that many of its items have in common, such as a label of stories: it is
// written out once. The OpenAPI document shows it as T.
type Shared[T any] struct {
	text  *[]byte // what was written for it
	value *T
}

// anyShared is a Shared of whatever type.
type anyShared struct {
	text  *[]byte
	value unsafe.Pointer
}

// Share makes a part that can stand in several items.
func Share[T any](v T) Shared[T] { return Shared[T]{text: new([]byte), value: &v} }

// Value is what was shared.
func (s Shared[T]) Value() T { return *s.value }

// shared is the type of the value of a shared part.
func shared(t reflect.Type) (value reflect.Type, ok bool) {
	if t.Kind() != reflect.Struct || t.PkgPath() != rawType.PkgPath() || !strings.HasPrefix(t.Name(), "Shared[") {
		return nil, false
	}
	return t.Field(1).Type.Elem(), true
}

// appendShared appends the Shared at p.
func (s *shape) appendShared(b []byte, p unsafe.Pointer) []byte {
	part := (*anyShared)(p)
	if *part.text == nil {
		*part.text = s.elem.appendAt(nil, part.value)
	}
	return append(b, *part.text...)
}
