package rest_test

import (
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"milepost/internal/api/rest"
	"milepost/internal/testkit"
)

// TestOddDocument: every odd form of parameter is in the document.
func TestOddDocument(t *testing.T) {
	t.Parallel()
	old := rest.API{Version: "old", Title: "Old", Deprecated: true, Routes: oddAPI.Routes}
	c := serve(t, oddAPI, old)
	a := c.Want(t, 200, "GET", "/api/odd/openapi.json", nil)
	doc, err := openapi3.NewLoader().LoadFromData([]byte(a.Text))
	if err != nil {
		t.Fatal(err)
	}
	if err := doc.Validate(t.Context()); err != nil {
		t.Error(err)
	}
	testkit.Run(t, c, []testkit.Case{
		{Method: "GET", Path: "/api/old/openapi.json", Status: 200, Want: `{"paths":{"/odds":{"get":{"deprecated":true}}}}`},
		{Method: "GET", Path: "/api/odd/openapi.json", Status: 200, Want: `{
		"info": {"title": "Odd", "version": "odd"}, "servers": [{"url": "https://odd.example/api/odd"}],
		"security": [{"serviceToken": []}, {"bearer": []}, {"shortcutToken": []}, {"clubhouseToken": []}, {"queryToken": []}],
		"components": {"schemas": {
			"Odd": {
				"type": "object", "additionalProperties": false, "required": ["name", "least"],
				"properties": {
					"count": {"type": "integer", "format": "int64", "minimum": -5, "maximum": 7},
					"least": {"type": ["integer", "null"], "minimum": 1},
					"most": {"type": "string", "minLength": 1},
					"any_color": {"description": "What is not a colour is ignored."},
					"kind": {"type": ["string", "null"], "enum": ["bug", "chore", null]},
					"labels": {"type": ["array", "null"], "maxItems": 3, "items": {"$ref": "#/components/schemas/OddLabel"}},
					"grid": {"type": "array", "maxItems": 3, "items": {"type": "array", "maxItems": 3, "items": {"type": "integer", "minimum": 0}}},
					"replies": {"type": "array", "maxItems": 10000, "items": {"$ref": "#/components/schemas/Reply"}},
					"box": {"anyOf": [{"$ref": "#/components/schemas/OddLabel"}, {"type": "null"}]}
				}
			},
			"OddLabel": {"additionalProperties": false, "required": ["name"]},
			"Reply": {"required": ["text"], "properties": {"replies": {"items": {"$ref": "#/components/schemas/Reply"}}}},
			"Lookup": {"properties": {"query": {"type": "string", "maxLength": 10}, "ids": {"maxItems": 3, "items": {"minimum": 1}}}}
		}},
		"paths": {
			"/odds/{odd-public-id}": {"put": {
				"operationId": "updateOdd", "tags": ["Odds"], "description": "Observers and read-only tokens may not do this.",
				"parameters": [{"in": "path", "name": "odd-public-id", "required": true, "schema": {"type": "integer", "format": "int64"}},
					{"in": "header", "name": "Idempotency-Key", "schema": {"type": "string", "minLength": 1, "maxLength": 255}}],
				"requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Odd"}}}},
				"responses": {"200": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Echo"}}}},
					"409": {"$ref": "#/components/responses/Conflict"}}
			}, "delete": {"responses": {"204": {"description": "No Content"}}}},
			"/odds/{odd-public-id}/unlink-{tool}": {"post": {"parameters": [{"name": "odd-public-id"}, {"name": "tool"}, {"name": "Idempotency-Key"}]}},
			"/odds/lookup": {"get": {"parameters": [
				{"in": "query", "name": "query", "schema": {"type": "string", "maxLength": 10}},
				{"in": "query", "name": "page_size", "schema": {"type": "integer", "minimum": 1, "maximum": 25}},
				{"in": "query", "name": "ids", "schema": {"type": "array", "maxItems": 3}},
				{"in": "query", "name": "tone"},
				{"in": "query", "name": "must", "required": true},
				{"in": "header", "name": "If-None-Match"}],
				"requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Lookup"}}}}
			}},
			"/files": {"post": {"requestBody": {"required": true, "content": {"multipart/form-data": {"schema": {
				"type": "object", "additionalProperties": false, "anyOf": [{"required": ["file0"]}, {"required": ["file"]}],
				"properties": {
					"story_id": {"type": "integer", "minimum": 1, "description": "The story they belong to."},
					"note": {"type": "string", "maxLength": 5},
					"file": {"type": "string", "contentMediaType": "application/octet-stream"},
					"file2": {"type": "string", "contentMediaType": "application/octet-stream", "description": "A file."}
				}
			}}}}}},
			"/switch": {"put": {"description": "Only admins and owners of the workspace may do this."}},
			"/openapi.json": {"get": {"operationId": "getOpenAPIDocument", "security": []}}
		}
	}`}})
	for name, required := range map[string]int{"Lookup": 0, "Odd": 2} {
		if got := doc.Components.Schemas[name].Value.Required; len(got) != required {
			t.Errorf("%s requires %v", name, got)
		}
	}
	put := doc.Paths.Value("/odds/{odd-public-id}").Put.Responses
	if list := doc.Paths.Value("/odds").Get.Responses; list.Status(409) != nil || list.Status(413) != nil || put.Status(413) == nil {
		t.Error("409 or 413 is published where it cannot be")
	}
}
