package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"milepost/internal/api"
	"milepost/internal/api/rest"
	"milepost/internal/testkit"
)

// readDocument gets the OpenAPI document of a version as anybody can, and checks it as a whole.
func readDocument(t *testing.T, s *testkit.Server, v rest.API) *openapi3.T {
	t.Helper()
	anybody := &testkit.Client{URL: s.URL}
	a := anybody.Want(t, 200, "GET", v.DocumentPath(), nil)
	doc, err := openapi3.NewLoader().LoadFromData([]byte(a.Text))
	if err != nil {
		t.Fatal(err)
	}
	if err := doc.Validate(t.Context()); err != nil {
		t.Errorf("%s: %v", v.Version, err)
	}
	if doc.OpenAPI != "3.1.0" || doc.Servers[0].URL != s.URL+v.Base() {
		t.Errorf("%s: OpenAPI %s at %s", v.Version, doc.OpenAPI, doc.Servers[0].URL)
	}
	anybody.Header = http.Header{"If-None-Match": {a.Header.Get("ETag")}}
	if again := anybody.Want(t, 304, "GET", v.DocumentPath(), nil); again.Text != "" {
		t.Errorf("%s: 304 with %q", v.Version, again.Text)
	}
	return doc
}

func TestDocuments(t *testing.T) {
	t.Parallel()
	s := testkit.New(t, filepath.Join(t.TempDir(), "milepost.db"))
	for _, v := range api.Versions(api.Config{}) {
		doc := readDocument(t, s, v)
		operations := 0
		for path, item := range doc.Paths.Map() {
			for method, op := range item.Operations() {
				operations++
				if op.Deprecated != v.Deprecated {
					t.Errorf("%s %s %s: deprecated is %v", v.Version, method, path, op.Deprecated)
				}
			}
		}
		for _, r := range v.Routes {
			op := doc.Paths.Value(r.Path).GetOperation(r.Method)
			if op == nil || op.Responses.Status(r.Status) == nil {
				t.Errorf("%s has no %s %s with %d", v.Version, r.Method, r.Path, r.Status)
				continue
			}
			for _, name := range r.PathParams() {
				if op.Parameters.GetByInAndName("path", name) == nil {
					t.Errorf("%s %s %s has no path parameter %s", v.Version, r.Method, r.Path, name)
				}
			}
		}
		if operations != len(v.Routes) {
			t.Errorf("%s has %d operations and %d routes", v.Version, operations, len(v.Routes))
		}
	}
	s.Owner.Want(t, 405, "POST", "/api/v3/openapi.json", nil)
	(&testkit.Client{URL: s.URL}).Want(t, 401, "GET", "/api/v4/openapi.json", nil)
}

// TestDocumentSample looks at what a client developer would look at.
func TestDocumentSample(t *testing.T) {
	t.Parallel()
	s := testkit.New(t, filepath.Join(t.TempDir(), "milepost.db"))
	a := (&testkit.Client{URL: s.URL}).Want(t, 200, "GET", "/api/v3/openapi.json", nil)
	testkit.Run(t, &testkit.Client{URL: s.URL}, []testkit.Case{{Method: "GET", Path: "/api/v3/openapi.json", Status: 200, Want: `{
		"components": {
			"securitySchemes": {
				"serviceToken": {"type": "apiKey", "in": "header", "name": "Service-Token"},
				"bearer": {"type": "http", "scheme": "bearer"},
				"queryToken": {"type": "apiKey", "in": "query", "name": "token"}
			},
			"schemas": {
				"CreateCategory": {
					"type": "object", "required": ["name"], "additionalProperties": false,
					"properties": {
						"name": {"type": "string", "minLength": 1, "maxLength": 128, "pattern": "\\S"},
						"color": {"type": "string", "pattern": "^#[a-fA-F0-9]{6}$"},
						"type": {"type": "string", "enum": ["milestone"]}
					}
				},
				"UpdateCategory": {"properties": {"color": {"type": ["string", "null"]}, "archived": {"type": "boolean"}}},
				"Label": {"properties": {
					"id": {"type": "integer", "format": "int64"},
					"created_at": {"type": "string", "format": "date-time"},
					"external_id": {"type": ["string", "null"]}
				}},
				"InvalidRequestError": {"required": ["message", "errors"]}
			}
		},
		"paths": {
			"/categories": {
				"get": {"operationId": "listCategories", "tags": ["Categories"], "responses": {"200": {"content": {"application/json": {"schema": {
					"type": "array", "items": {"$ref": "#/components/schemas/Category"}}}}}}},
				"post": {"responses": {
					"201": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Category"}}}},
					"400": {"$ref": "#/components/responses/BadRequest"}, "401": {"$ref": "#/components/responses/Unauthorized"},
					"403": {"$ref": "#/components/responses/Forbidden"}, "404": {"$ref": "#/components/responses/NotFound"},
					"413": {"$ref": "#/components/responses/TooLarge"}, "422": {"$ref": "#/components/responses/Unprocessable"},
					"429": {"$ref": "#/components/responses/TooManyRequests"}, "500": {"$ref": "#/components/responses/InternalServerError"},
					"503": {"$ref": "#/components/responses/ServiceUnavailable"}}}
			},
			"/members": {"get": {"parameters": [
				{"in": "query", "name": "disabled", "schema": {"type": "boolean"}},
				{"in": "query", "name": "org-public-id", "schema": {"type": "string", "format": "uuid"}}, {"in": "header", "name": "If-None-Match"}]}},
			"/openapi.json": {"get": {"security": []}}
		}
	}`}})
	if strings.Contains(a.Text, "milepost/internal") {
		t.Error("the document names packages of the program")
	}
}

// TestAnswersMatchDocuments holds answers, good and bad, to the schemas that are published.
func TestAnswersMatchDocuments(t *testing.T) {
	t.Parallel()
	s := testkit.New(t, filepath.Join(t.TempDir(), "milepost.db"))
	s.Owner.Want(t, 201, "POST", "/labels", `{"name":"a label","color":"#aabbcc"}`)
	s.Owner.Want(t, 201, "POST", "/categories", `{"name":"a category"}`)
	for _, v := range api.Versions(api.Config{}) {
		doc := readDocument(t, s, v)
		check := func(op *openapi3.Operation, a testkit.Answer) {
			t.Helper()
			var body any
			if err := json.Unmarshal([]byte(a.Text), &body); err != nil {
				t.Errorf("%s %s: %v", v.Version, op.OperationID, err)
				return
			}
			answer := op.Responses.Status(a.Status)
			if answer == nil {
				t.Errorf("%s %s: status %d is not published", v.Version, op.OperationID, a.Status)
				return
			}
			schema := answer.Value.Content.Get("application/json").Schema.Value
			if err := doc.ValidateSchemaJSON(schema, body, openapi3.EnableJSONSchema2020(), openapi3.EnableFormatValidation()); err != nil {
				t.Errorf("%s %s %d: %v", v.Version, op.OperationID, a.Status, err)
			}
		}
		for path, item := range doc.Paths.Map() {
			op := item.Get
			if op == nil || op.Security != nil || v.Base()+path == changeStream {
				continue
			}
			unknown := "?no-such-key=1"
			for _, p := range op.Parameters {
				if p.Value.In == "path" {
					path = strings.ReplaceAll(path, "{"+p.Value.Name+"}", sampleText(t, p.Value.Schema.Value))
				}
			}
			check(op, s.Owner.Want(t, 400, "GET", v.Base()+path+unknown, nil))
			check(op, (&testkit.Client{URL: s.URL}).Want(t, 401, "GET", v.Base()+path, nil))
			if a := s.Owner.Do(t, "GET", v.Base()+path, nil); a.Status != 400 { // parameters may be missing
				check(op, a)
			}
		}
	}
}

// TestDocumentsAreEnforced sends, to every operation of every version, requests that break the
// published schema in one place, and expects that place to be named; and one that breaks none.
func TestDocumentsAreEnforced(t *testing.T) {
	t.Parallel()
	for _, v := range api.Versions(api.Config{}) {
		t.Run(v.Version, func(t *testing.T) {
			t.Parallel()
			s := testkit.New(t, filepath.Join(t.TempDir(), "milepost.db"))
			doc := readDocument(t, s, v)
			for path, item := range doc.Paths.Map() {
				for method, op := range item.Operations() {
					if op.Security == nil {
						enforce(t, s.Owner, method, v.Base()+path, op)
					}
				}
			}
		})
	}
}

func enforce(t *testing.T, c *testkit.Client, method, path string, op *openapi3.Operation) {
	t.Helper()
	var query []string
	for _, p := range op.Parameters {
		text := url.QueryEscape(sampleText(t, p.Value.Schema.Value))
		if p.Value.In == "path" {
			path = strings.ReplaceAll(path, "{"+p.Value.Name+"}", text)
		} else if p.Value.Required {
			query = append(query, p.Value.Name+"="+text)
		}
	}
	send := func(target string, body any) testkit.Answer { return c.Do(t, method, target, body) }
	if op.RequestBody != nil && op.RequestBody.Value.Content.Get("multipart/form-data") != nil {
		send = func(target string, _ any) testkit.Answer { return c.Upload(t, target, "file", "a.png", picture) }
	}
	// refused sends a request and expects 400 with a reason at the place alone.
	refused := func(query []string, body any, place ...string) {
		t.Helper()
		target := path + "?" + strings.Join(query, "&")
		a := send(target, body)
		var answer struct{ Errors any }
		if err := json.Unmarshal([]byte(a.Text), &answer); a.Status != 400 || err != nil || !onlyReason(answer.Errors, place) {
			t.Errorf("%s %s %v: answer %d %.300s, want 400 and a reason at %v", method, target, body, a.Status, a.Text, place)
		}
	}
	var body any
	if op.RequestBody != nil && op.RequestBody.Value.Content.Get("application/json") != nil {
		schema := op.RequestBody.Value.Content.Get("application/json").Schema.Value
		if schema.Properties["query"] != nil {
			schema.Required = []string{"query"} // or else in the query string, which OpenAPI cannot say
		}
		body = sample(t, schema)
		for _, bad := range violations(t, schema, 3) {
			if len(bad.place) > 0 {
				refused(query, bad.value, bad.place...)
			}
		}
		full := map[string]any{}
		for name, p := range schema.Properties {
			if name != "next" { // which only the page before can tell
				full[name] = sample(t, p.Value)
			}
		}
		if a := c.Do(t, method, path+"?"+strings.Join(query, "&"), full); a.Status == 400 {
			t.Errorf("%s %s: %v is refused: %s", method, path, full, a.Text)
		}
	}
	refused(append(slices.Clone(query), "no-such-key=1"), body, "no-such-key")
	for _, p := range op.Parameters {
		name, schema := p.Value.Name, p.Value.Schema.Value
		for _, bad := range violations(t, schema, 1) {
			text, ok := queryText(schema, bad)
			if !ok || p.Value.In == "path" {
				continue
			}
			others := slices.DeleteFunc(slices.Clone(query), func(q string) bool { return strings.HasPrefix(q, name+"=") })
			refused(append(others, text(name)...), body, append([]string{name}, bad.place...)...)
		}
	}
}

// onlyReason reports whether there is a reason at the place and nowhere else.
func onlyReason(reasons any, place []string) bool {
	for _, key := range place {
		switch r := reasons.(type) {
		case map[string]any:
			if len(r) != 1 {
				return false
			}
			reasons = r[key]
		case []any:
			if fmt.Sprint(len(r)-1) != key || slices.ContainsFunc(r[:len(r)-1], func(v any) bool { return v != nil }) {
				return false
			}
			reasons = r[len(r)-1]
		}
	}
	_, ok := reasons.(string)
	return ok
}
