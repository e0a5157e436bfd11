package rest

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/getkin/kin-openapi/openapi3"
)

// Publish adds to each version the operation that answers with its OpenAPI document, whose server
// is at the public URL.
func Publish(publicURL string, apis []API) []API {
	out := slices.Clone(apis)
	for i := range out {
		api := &out[i]
		// The document is built on the first request for it: not every process is asked.
		text := sync.OnceValue(func() []byte { return document(*api, publicURL) })
		r := Get(documentPath, "Get OpenAPI Document", Func[None, None](nil)).Answers(http.StatusOK)
		r.raw = http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) { serveDocument(w, req, text()) })
		api.Routes = append(slices.Clone(api.Routes), r)
	}
	return out
}

const documentPath = "/openapi.json"

// DocumentPath is where the version's OpenAPI document is.
func (a API) DocumentPath() string { return a.Base() + documentPath }

func serveDocument(w http.ResponseWriter, r *http.Request, text []byte) {
	h := w.Header()
	h.Set("Content-Type", contentType)
	h.Set("Cache-Control", "no-cache")
	h.Set("ETag", fmt.Sprintf(`"%x"`, sha256.Sum256(text)))
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(text))
}

func document(api API, publicURL string) []byte {
	doc := &openapi3.T{
		OpenAPI: "3.1.0",
		Info: &openapi3.Info{
			Title: api.Title, Version: api.Version, License: &openapi3.License{Name: "Apache-2.0"},
			Description: "Every answer carries the header Request-Id. Where an operation takes no body, an empty one or {} is fine. " +
				"Arrays in a query string are given as key=a&key=b or key[]=a&key[]=b.",
		},
		Servers:  openapi3.Servers{{URL: publicURL + api.Base()}},
		Paths:    openapi3.NewPaths(),
		Security: openapi3.SecurityRequirements{},
	}
	components := openapi3.NewComponents()
	doc.Components = &components
	components.SecuritySchemes = securitySchemes
	for _, name := range securityOrder {
		doc.Security = append(doc.Security, openapi3.SecurityRequirement{name: {}})
	}
	b := schemas{components: newErrorSchemas(), names: map[schemaKey]string{}}
	components.Schemas = b.components
	components.Responses, components.Headers = failureResponses(), answerHeaders
	ids := map[string]bool{}
	for _, r := range api.paired() {
		op := b.operation(r)
		op.Deprecated = api.Deprecated
		if ids[op.OperationID] {
			op.OperationID = camelCase(r.Method + " " + r.Path)
		}
		ids[op.OperationID] = true
		if tag := op.Tags[0]; doc.Tags.Get(tag) == nil {
			doc.Tags = append(doc.Tags, &openapi3.Tag{Name: tag})
		}
		doc.AddOperation(r.Path, r.Method, op)
	}
	text, err := doc.MarshalJSON()
	if err != nil {
		panic(fmt.Sprintf("rest: the document of %s: %v", api.Version, err)) // it is made of plain values
	}
	return text
}

// securityOrder lists the ways to send a token, the best one first.
var securityOrder = []string{"serviceToken", "bearer", "shortcutToken", "clubhouseToken", "queryToken"}

var securitySchemes = openapi3.SecuritySchemes{
	"serviceToken":   apiKey("header", "Service-Token", "The token of a member of the workspace."),
	"shortcutToken":  apiKey("header", "Shortcut-Token", "Another name of Service-Token."),
	"clubhouseToken": apiKey("header", "Clubhouse-Token", "An older name of Service-Token."),
	"queryToken":     apiKey("query", tokenParameter, "Deprecated: addresses end up in logs. A header beats it."),
	"bearer": {Value: &openapi3.SecurityScheme{Type: "http", Scheme: "bearer",
		Description: "The same token as in Service-Token."}},
}

func apiKey(in, name, description string) *openapi3.SecuritySchemeRef {
	return &openapi3.SecuritySchemeRef{Value: &openapi3.SecurityScheme{Type: "apiKey", In: in, Name: name, Description: description}}
}

var accessDescriptions = map[Access]string{
	Reads:       "",
	Writes:      "Observers and read-only tokens may not do this.",
	Administers: "Only admins and owners of the workspace may do this.",
}

func (b schemas) operation(r Route) *openapi3.Operation {
	op := &openapi3.Operation{
		OperationID: camelCase(r.Summary), Summary: r.Summary, Description: accessDescriptions[r.Access],
		Tags: []string{tagOf(r.Path)}, Responses: openapi3.NewResponsesWithCapacity(len(usualFailures) + 1),
	}
	for _, f := range r.form.path {
		op.Parameters = append(op.Parameters, b.parameter(openapi3.ParameterInPath, f, true))
	}
	for _, f := range r.form.header {
		op.Parameters = append(op.Parameters, b.parameter(openapi3.ParameterInHeader, f, f.required))
	}
	for _, q := range r.form.query {
		op.Parameters = append(op.Parameters, b.parameter(openapi3.ParameterInQuery, q.field, q.required && q.twin == nil))
	}
	statuses := slices.Concat(usualFailures, r.failures)
	for _, c := range conditions {
		if c.applies(&r) {
			op.Parameters = append(op.Parameters, c.parameter())
			statuses = append(statuses, c.statuses...)
		}
	}
	if body := b.requestBody(r); body != nil {
		op.RequestBody = &openapi3.RequestBodyRef{Value: body}
	}
	op.Responses.Set(strconv.Itoa(r.Status), b.success(r))
	if op.RequestBody != nil {
		statuses = append(statuses, http.StatusRequestEntityTooLarge)
	}
	if r.raw != nil {
		op.Security, op.Tags = &openapi3.SecurityRequirements{}, []string{"Documentation"}
		statuses = []int{http.StatusForbidden, http.StatusInternalServerError}
	}
	for _, status := range statuses {
		op.Responses.Set(strconv.Itoa(status), &openapi3.ResponseRef{Ref: "#/components/responses/" + failures[status].name})
	}
	return op
}

func (b schemas) parameter(in string, f *field, required bool) *openapi3.ParameterRef {
	return &openapi3.ParameterRef{Value: &openapi3.Parameter{
		In: in, Name: f.name, Required: required, Description: f.doc, Schema: b.schema(f.shape, true),
	}}
}

func (b schemas) requestBody(r Route) *openapi3.RequestBody {
	if r.sink != nil {
		return &openapi3.RequestBody{Required: true, Content: openapi3.Content{"multipart/form-data": {Schema: b.multipart(r.form)}}}
	}
	if len(r.form.body.fields) == 0 {
		return nil
	}
	required := slices.ContainsFunc(r.form.body.fields, func(f *field) bool { return f.required && !r.form.inQuery(f) })
	return &openapi3.RequestBody{Required: required, Content: openapi3.Content{"application/json": {Schema: b.body(r.form)}}}
}

func (b schemas) success(r Route) *openapi3.ResponseRef {
	description := http.StatusText(r.Status)
	answer := &openapi3.Response{Description: &description, Headers: headerRefs("Request-Id")}
	switch {
	case r.raw != nil:
		answer.Content = openapi3.NewContentWithJSONSchema(&openapi3.Schema{Type: &openapi3.Types{openapi3.TypeObject}})
	case r.answer.kind == kindBlob:
		answer.Content = blobContent()
	case r.answer.kind == kindEvents:
		answer.Content = eventsContent()
	case r.Status != http.StatusNoContent:
		answer.Content = openapi3.NewContentWithJSONSchemaRef(b.schema(r.answer, false))
	}
	return &openapi3.ResponseRef{Value: answer}
}

// tagOf is the first segment of the path in words.
func tagOf(path string) string {
	segment, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	words := strings.Split(segment, "-")
	for i, w := range words {
		words[i] = capital(w)
	}
	return strings.Join(words, " ")
}

// camelCase turns words into an identifier: "List Categories" is listCategories.
func camelCase(text string) string {
	words := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	for i, w := range words {
		if i == 0 {
			words[i] = strings.ToLower(w)
		} else {
			words[i] = capital(w)
		}
	}
	return strings.Join(words, "")
}

func capital(word string) string {
	if word == "" {
		return ""
	}
	return strings.ToUpper(word[:1]) + word[1:]
}
