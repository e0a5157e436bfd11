package rest

import (
	"fmt"
	"math"
	"path"
	"reflect"
	"regexp"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// schemas turns shapes into JSON Schemas; named Go types become components.
type schemas struct {
	components openapi3.Schemas
	names      map[schemaKey]string
}

type schemaKey struct {
	typ     reflect.Type
	request bool
}

func (b schemas) schema(s *shape, request bool) *openapi3.SchemaRef {
	if s.kind == kindShared {
		s = s.elem
	}
	if s.kind != kindObject {
		return b.scalarOrArray(s, request).NewRef()
	}
	if s.typ.Name() == "" {
		return b.object(s.fields, request).NewRef()
	}
	return b.component(s.typ, request, func() *openapi3.Schema { return b.object(s.fields, request) })
}

// component gives a reference to the type's schema; a recursive type finds its name taken.
func (b schemas) component(t reflect.Type, request bool, build func() *openapi3.Schema) *openapi3.SchemaRef {
	key := schemaKey{t, request}
	name, ok := b.names[key]
	if !ok {
		name = b.newName(t)
		b.names[key] = name
		b.components[name] = &openapi3.SchemaRef{}
		b.components[name].Value = build()
	}
	return openapi3.NewSchemaRef("#/components/schemas/"+name, nil)
}

var packagePath = regexp.MustCompile(`[\w./-]*\.`)

// newName is the name of the Go type, with that of its package where another type has it already.
func (b schemas) newName(t reflect.Type) string {
	own := strings.Map(func(r rune) rune {
		if strings.ContainsRune("[],*", r) {
			return -1
		}
		return r
	}, packagePath.ReplaceAllString(t.Name(), ""))
	name := capital(own)
	for n := 1; b.components[name] != nil; n++ {
		name = capital(path.Base(t.PkgPath())) + capital(own)
		if n > 1 {
			name += fmt.Sprint(n)
		}
	}
	return name
}

// body is the schema of a JSON body. What the query string may carry as well is not required in it.
func (b schemas) body(f *form) *openapi3.SchemaRef {
	return b.component(f.body.typ, true, func() *openapi3.Schema {
		s := b.object(f.body.fields, true)
		s.Required = nil
		for _, field := range f.body.fields {
			if field.required && !f.inQuery(field) {
				s.Required = append(s.Required, field.name)
			}
		}
		return s
	})
}

func (f *form) inQuery(field *field) bool {
	for _, q := range f.query {
		if q.twin == field {
			return true
		}
	}
	return false
}

func (b schemas) object(fields []*field, request bool) *openapi3.Schema {
	s := &openapi3.Schema{Type: &openapi3.Types{openapi3.TypeObject}, Properties: openapi3.Schemas{}}
	for _, f := range fields {
		s.Properties[f.name] = b.property(f, request)
		if f.required || !request && !f.omitZero {
			s.Required = append(s.Required, f.name)
		}
	}
	if request {
		s.AdditionalProperties.Has = openapi3.Ptr(false)
	}
	return s
}

func (b schemas) property(f *field, request bool) *openapi3.SchemaRef {
	ref := b.schema(f.shape, request)
	if ref.Ref != "" {
		if !f.nullable && f.doc == "" {
			return ref
		}
		around := &openapi3.Schema{AnyOf: openapi3.SchemaRefs{ref}}
		if f.nullable {
			around.AnyOf = append(around.AnyOf, (&openapi3.Schema{Type: &openapi3.Types{openapi3.TypeNull}}).NewRef())
		}
		ref = around.NewRef()
	} else if s := ref.Value; f.nullable && s.Type != nil {
		s.Type = openapi3.Ptr(append(*s.Type, openapi3.TypeNull))
		if s.Enum != nil {
			s.Enum = append(s.Enum, nil)
		}
	}
	if f.doc != "" {
		ref.Value.Description = strings.TrimSpace(f.doc + " " + ref.Value.Description)
	}
	return ref
}

func (b schemas) scalarOrArray(s *shape, request bool) *openapi3.Schema {
	typed := func(t, format string) *openapi3.Schema {
		return &openapi3.Schema{Type: &openapi3.Types{t}, Format: format}
	}
	switch s.kind {
	case kindArray:
		out := typed(openapi3.TypeArray, "")
		out.Items = b.schema(s.elem, request)
		if request {
			out.MinItems, out.MaxItems = uint64(s.rule.minItems), openapi3.Ptr(uint64(s.rule.maxItems))
		}
		return out
	case kindInt:
		out := typed(openapi3.TypeInteger, "int64")
		out.Min, out.Max = bound(s.rule.least), bound(s.rule.most)
		return out
	case kindBool:
		return typed(openapi3.TypeBoolean, "")
	case kindUUID:
		return typed(openapi3.TypeString, "uuid")
	case kindTime:
		return typed(openapi3.TypeString, "date-time")
	case kindRaw:
		return &openapi3.Schema{Description: "Its form follows from what it tells."}
	default:
		return s.rule.stringSchema(request)
	}
}

func bound(n *int64) *float64 {
	if n == nil {
		return nil
	}
	f := float64(*n)
	if math.Abs(f) > 1<<53 {
		panic(fmt.Sprintf("rest: the bound %d cannot be published exactly", *n))
	}
	return &f
}

func (r *rule) stringSchema(request bool) *openapi3.Schema {
	if request && r.lenient() {
		return &openapi3.Schema{Description: "What is not " + strings.TrimPrefix(r.format.reason, "must be ") + " is ignored."}
	}
	s := &openapi3.Schema{Type: &openapi3.Types{openapi3.TypeString}, MinLength: uint64(r.min)}
	if r.max > 0 {
		s.MaxLength = openapi3.Ptr(uint64(r.max))
	}
	for _, value := range r.enum {
		s.Enum = append(s.Enum, value)
	}
	if r.anyCase {
		s.Description = "In letters of any case."
	}
	switch {
	case r.format != nil:
		s.Pattern = r.format.pattern
	case r.refusesBlank() && r.enum == nil:
		s.Pattern = `\S`
	}
	return s
}

// multipart is the schema of an upload.
func (b schemas) multipart(f *form) *openapi3.SchemaRef {
	s := b.object(f.parts, true)
	for i, slot := range f.files.slots {
		for _, name := range slot {
			s.Properties[name] = (&openapi3.Schema{
				Type: &openapi3.Types{openapi3.TypeString}, ContentMediaType: "application/octet-stream", Description: f.files.doc,
			}).NewRef()
		}
		if i == 0 && f.files.required {
			s.AnyOf = requiredOneOf(slot)
		}
	}
	return s.NewRef()
}

func requiredOneOf(names []string) (refs openapi3.SchemaRefs) {
	for _, name := range names {
		refs = append(refs, (&openapi3.Schema{Required: []string{name}}).NewRef())
	}
	return refs
}
