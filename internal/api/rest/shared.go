package rest

import (
	"reflect"
	"strings"
	"unsafe"
)

// Shared is a part of an answer that many of its items have in common, such as a label of stories: it is
// written out once. The OpenAPI document shows it as T.
type Shared[T any] struct {
	part *sharedPart[T]
}

type sharedPart[T any] struct {
	text  []byte //nolint:unused // what was written for it; appendShared finds it at the beginning
	value T
}

// Share makes a part that can stand in several items.
func Share[T any](v T) Shared[T] { return Shared[T]{&sharedPart[T]{value: v}} }

// Value is what was shared.
func (s Shared[T]) Value() T { return s.part.value }

// shared is the type of a shared part, and where it has its value.
func shared(t reflect.Type) (value reflect.Type, offset uintptr, ok bool) {
	if t.Kind() != reflect.Struct || t.PkgPath() != rawType.PkgPath() || !strings.HasPrefix(t.Name(), "Shared[") {
		return nil, 0, false
	}
	f := t.Field(0).Type.Elem().Field(1)
	return f.Type, f.Offset, true
}

// appendShared appends the Shared at p.
func (s *shape) appendShared(b []byte, p unsafe.Pointer) []byte {
	part := *(*unsafe.Pointer)(p)
	text := (*[]byte)(part)
	if *text == nil {
		*text = s.elem.appendAt(nil, unsafe.Add(part, s.offset))
	}
	return append(b, *text...)
}
