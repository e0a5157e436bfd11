package rest

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"milepost/internal/tracker"
)

// A shape is the compiled form of a Go type with its tags. Decoding, validation and the
// published OpenAPI document all read it, so they cannot disagree.
type shape struct {
	kind   kind
	typ    reflect.Type
	rule   rule
	elem   *shape   // of an array
	fields []*field // of an object
	byName map[string]*field
}

type kind uint8

const (
	kindString kind = iota
	kindInt
	kindBool
	kindUUID
	kindTime
	kindArray
	kindObject
)

// A field is one named member of an object, or one parameter.
type field struct {
	name     string
	index    int
	doc      string
	required bool
	nullable bool
	optional bool // the Go type is an Opt
	shape    *shape
}

// A rule narrows a value beyond its type.
type rule struct {
	min, max           int // characters of a string; max 0 is no limit
	least, most        *int64
	minItems, maxItems int
	blank              bool // an all-blank string is allowed
	lenient            bool // what does not match is taken as absent
	enum               []string
	format             *format
}

var (
	uuidType = reflect.TypeFor[tracker.UUID]()
	timeType = reflect.TypeFor[tracker.Time]()
)

// compiler remembers object shapes, so that recursive types end.
type compiler map[reflect.Type]*shape

func (c compiler) object(t reflect.Type) *shape {
	if s, ok := c[t]; ok {
		return s
	}
	s := &shape{kind: kindObject, typ: t, byName: map[string]*field{}}
	c[t] = s
	for i := range t.NumField() {
		if name, ok := t.Field(i).Tag.Lookup("json"); ok {
			s.add(c.field(t.Field(i), name))
		}
	}
	return s
}

func (s *shape) add(f *field) {
	s.fields = append(s.fields, f)
	s.byName[f.name] = f
}

// field reads a struct field's type and its tags: is:"required,null,max=128,enum=a|b,color"
// and doc:"what it means".
func (c compiler) field(sf reflect.StructField, name string) *field {
	f := &field{name: name, index: sf.Index[0], doc: sf.Tag.Get("doc")}
	t := sf.Type
	if inner, ok := optType(t); ok {
		f.optional, t = true, inner
	}
	var opts []string
	if is := sf.Tag.Get("is"); is != "" {
		opts = strings.Split(is, ",")
	}
	f.required = slices.Contains(opts, "required")
	f.nullable = slices.Contains(opts, "null")
	if f.nullable && !f.optional {
		panic(fmt.Sprintf("rest: nullable field %s must be an Opt", sf.Name))
	}
	r := parseRule(opts)
	if t.Kind() == reflect.Slice {
		f.shape = &shape{kind: kindArray, typ: t, rule: rule{minItems: r.minItems, maxItems: r.maxItems}, elem: c.value(t.Elem(), r)}
	} else {
		f.shape = c.value(t, r)
	}
	return f
}

func (c compiler) value(t reflect.Type, r rule) *shape {
	switch {
	case t == uuidType:
		return &shape{kind: kindUUID, typ: t, rule: r}
	case t == timeType:
		return &shape{kind: kindTime, typ: t, rule: r}
	}
	switch t.Kind() {
	case reflect.String:
		return &shape{kind: kindString, typ: t, rule: r}
	case reflect.Int64:
		return &shape{kind: kindInt, typ: t, rule: r}
	case reflect.Bool:
		return &shape{kind: kindBool, typ: t, rule: r}
	case reflect.Struct:
		return c.object(t)
	default:
		panic(fmt.Sprintf("rest: type %s cannot be a parameter", t))
	}
}

func optType(t reflect.Type) (reflect.Type, bool) {
	if t.Kind() == reflect.Struct && t.PkgPath() == timeType.PkgPath() && strings.HasPrefix(t.Name(), "Opt[") {
		return t.Field(0).Type, true
	}
	return nil, false
}

func parseRule(opts []string) rule {
	var r rule
	number := func(s string) int64 {
		n, err := strconv.ParseInt(s, 10, 64)
		if err != nil {
			panic("rest: bad number in tag: " + s)
		}
		return n
	}
	for _, opt := range opts {
		key, value, _ := strings.Cut(opt, "=")
		switch key {
		case "required", "null":
		case "min":
			r.min = int(number(value))
		case "max":
			r.max = int(number(value))
		case "least":
			n := number(value)
			r.least = &n
		case "most":
			n := number(value)
			r.most = &n
		case "minitems":
			r.minItems = int(number(value))
		case "maxitems":
			r.maxItems = int(number(value))
		case "blank":
			r.blank = true
		case "enum":
			r.enum = strings.Split(value, "|")
		default:
			f, ok := formats[key]
			if !ok {
				panic("rest: unknown option in tag: " + opt)
			}
			r.format, r.lenient = f, f.lenient
		}
	}
	return r
}
