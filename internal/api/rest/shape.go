package rest

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"milepost/internal/tracker"
)

// A shape is the compiled form of a Go type with its tags. Decoding, validation, encoding and
// the published OpenAPI document all read it, so they cannot disagree.
type shape struct {
	kind   kind
	typ    reflect.Type
	size   uintptr // of the Go value
	rule   rule
	elem   *shape   // of an array or a shared part
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
	kindRaw
	kindBlob
	kindEvents
	kindShared
)

// A field is one named member of an object, or one parameter.
type field struct {
	name     string
	number   int   // among the fields of its object
	index    []int // of the Go field
	doc      string
	required bool
	nullable bool
	optional bool // the Go type is an Opt, as in requests
	pointer  bool // the Go type is a pointer, as in answers
	omitZero bool
	shape    *shape
	// For answers: the name in quotes between its comma and its colon, and where the Go field is in its struct.
	key    string
	offset uintptr
}

// A rule narrows a value beyond its type.
type rule struct {
	min, max           int // characters of a string; max 0 is no limit
	least, most        *int64
	minItems, maxItems int
	blank              bool // an all-blank string is allowed
	enum               []string
	anyCase            bool // letters of either case are taken, and kept as lower case
	format             *format
}

// maxItems bounds every array that does not say its own bound.
const maxItems = 10_000

var (
	uuidType = reflect.TypeFor[tracker.UUID]()
	timeType = reflect.TypeFor[tracker.Time]()
)

// compiler remembers object shapes, so that recursive types end.
type compiler struct {
	answers   bool // nullable is a pointer; in requests it is an Opt
	anyColors bool // color means anycolor
	objects   map[reflect.Type]*shape
}

func newCompiler() compiler { return compiler{objects: map[reflect.Type]*shape{}} }

// known holds the compiled answers of all routes, most of which have objects in common. (Requests are
// compiled for each route, which may set other bounds.)
var known = struct {
	sync.Mutex
	plain, anyColors map[reflect.Type]*shape
}{plain: map[reflect.Type]*shape{}, anyColors: map[reflect.Type]*shape{}}

// compileAnswer compiles the type of an answer.
func compileAnswer(t reflect.Type, anyColors bool) *shape {
	known.Lock()
	defer known.Unlock()
	c := compiler{answers: true, anyColors: anyColors, objects: known.plain}
	if anyColors {
		c.objects = known.anyColors
	}
	return c.value(t, parseRule(nil))
}

// object compiles a struct; fields of embedded structs count as its own. It panics, as everything
// that compiles does, where a declaration makes no sense: the program then never starts.
func (c compiler) object(t reflect.Type) *shape {
	if s, ok := c.objects[t]; ok {
		return s
	}
	s := &shape{kind: kindObject, typ: t, size: t.Size(), byName: map[string]*field{}}
	c.objects[t] = s
	for _, sf := range reflect.VisibleFields(t) {
		tag, ok := sf.Tag.Lookup("json")
		if !ok {
			if sf.Tag == "" && !sf.Anonymous && sf.Name != bodyField {
				panic(fmt.Sprintf("rest: field %s of %s has no tag", sf.Name, t))
			}
			continue
		}
		name, option, _ := strings.Cut(tag, ",")
		f := c.field(sf, name)
		f.omitZero, f.number = option == "omitzero", len(s.fields)
		if f.omitZero && !f.pointer && f.shape.kind == kindObject {
			panic(fmt.Sprintf("rest: field %s of %s must be a pointer to be left out", sf.Name, t))
		}
		f.key, f.offset = `,"`+name+`":`, offsetOf(t, sf.Index)
		if s.byName[name] != nil {
			panic(fmt.Sprintf("rest: %s has two fields called %s", t, name))
		}
		s.fields = append(s.fields, f)
		s.byName[name] = f
	}
	return s
}

// offsetOf is where a field is, through the structs that are embedded on the way to it.
func offsetOf(t reflect.Type, index []int) (offset uintptr) {
	for _, i := range index {
		sf := t.Field(i)
		offset, t = offset+sf.Offset, sf.Type
	}
	return offset
}

// field reads a struct field's type and its tags: is:"required,null,max=128,enum=a|b,color"
// and doc:"what it means".
func (c compiler) field(sf reflect.StructField, name string) *field {
	f := &field{name: name, index: sf.Index, doc: sf.Tag.Get("doc")}
	t := sf.Type
	if inner, ok := optType(t); ok && !c.answers {
		f.optional, t = true, inner
	}
	if t.Kind() == reflect.Pointer && c.answers {
		f.pointer, t = true, t.Elem()
	}
	var opts []string
	if is := sf.Tag.Get("is"); is != "" {
		opts = strings.Split(is, ",")
	}
	f.required = slices.Contains(opts, "required")
	f.nullable = slices.Contains(opts, "null") || f.pointer
	r := parseRule(opts)
	if c.anyColors && r.format == formats["color"] {
		r.format = formats["anycolor"]
	}
	if !c.answers && !f.optional && (f.nullable || r.lenient()) {
		panic(fmt.Sprintf("rest: nullable or lenient field %s must be an Opt", sf.Name))
	}
	f.shape = c.value(t, r)
	return f
}

// value compiles a type; the rule of an array is that of its items, but for their number.
func (c compiler) value(t reflect.Type, r rule) *shape {
	item, isStream := streamed(t)
	part, isShared := shared(t)
	s := &shape{typ: t, size: t.Size(), rule: r}
	switch {
	case t == uuidType:
		s.kind = kindUUID
	case t == timeType:
		s.kind = kindTime
	case t == rawType:
		s.kind = kindRaw
	case t == blobType, t == contentsType:
		s.kind = kindBlob
	case t == eventsType:
		s.kind = kindEvents
	case isShared:
		s.kind, s.elem = kindShared, c.value(part, r)
	case isStream:
		s.kind, s.elem = kindArray, c.value(item, r)
	case t.Kind() == reflect.String:
		s.kind = kindString
	case t.Kind() == reflect.Int64, t.Kind() == reflect.Int:
		s.kind = kindInt
	case t.Kind() == reflect.Bool:
		s.kind = kindBool
	case t.Kind() == reflect.Slice:
		s.kind, s.elem = kindArray, c.value(t.Elem(), r)
	case t.Kind() == reflect.Struct:
		return c.object(t)
	default:
		panic(fmt.Sprintf("rest: type %s cannot be in a request or an answer", t))
	}
	return s
}

func optType(t reflect.Type) (reflect.Type, bool) {
	if t.Kind() == reflect.Struct && t.PkgPath() == timeType.PkgPath() && strings.HasPrefix(t.Name(), "Opt[") {
		return t.Field(0).Type, true
	}
	return nil, false
}

func parseRule(opts []string) rule {
	r := rule{maxItems: maxItems}
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
		case "anycase":
			r.anyCase = true
		default:
			f, ok := formats[key]
			if !ok {
				panic("rest: unknown option in tag: " + opt)
			}
			r.format = f
		}
	}
	return r
}

// lenient says that what does not match is taken as absent.
func (r rule) lenient() bool { return r.format != nil && r.format.lenient }
