package testkit

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// ValidWire fails the test unless v3 may answer the operation so, by its wire contract in
// internal/api/testdata/v3-wire.json. The path is the contract's, without /api/v3. An answer may
// hold more than the contract knows, and need not hold what the contract marks as undocumented.
func ValidWire(t testing.TB, method, path string, status int, body string) {
	t.Helper()
	if err := checkWire(method, path, status, body); err != nil {
		t.Errorf("%s %s answers %d against the wire contract: %v\n%s", method, path, status, err, body)
	}
}

func checkWire(method, path string, status int, body string) error {
	contract, err := wire()
	if err != nil {
		return err
	}
	answer := method + " " + path + " " + strconv.Itoa(status)
	schema, ok := contract[answer]
	switch {
	case unpublished[answer]:
		return nil
	case !ok:
		return errors.New("there is no such answer")
	case schema == nil && body != "":
		return errors.New("the answer has no body")
	case schema == nil:
		return nil
	}
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(body))
	if err != nil {
		return err
	}
	return schema.Validate(value)
}

// unpublished are answers of which the contract does not tell the form, though clients read it.
var unpublished = map[string]bool{
	"POST /integrations/webhook 201": true, "GET /integrations/webhook/{integration-public-id} 200": true,
}

// wire compiles the contract: the schema of each answer by operation and status, nil where the
// answer has no body.
var wire = sync.OnceValues(func() (map[string]*jsonschema.Schema, error) {
	text, err := os.ReadFile(filepath.Join(moduleRoot(), "internal/api/testdata/v3-wire.json"))
	if err != nil {
		return nil, err
	}
	parsed, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	contract := parsed.(map[string]any)
	definitions := contract["definitions"].(map[string]any)
	for name, fields := range nullableBySeeds {
		properties := definitions[name].(map[string]any)["properties"].(map[string]any)
		for _, f := range fields {
			properties[f].(map[string]any)["x-nullable"] = true
		}
	}

	var operations []string
	var answers []any
	schemas := map[string]*jsonschema.Schema{}
	for path, methods := range contract["paths"].(map[string]any) {
		for method, operation := range methods.(map[string]any) {
			for status, answer := range operation.(map[string]any)["responses"].(map[string]any) {
				name := strings.ToUpper(method) + " " + strings.TrimPrefix(path, "/api/v3") + " " + status
				if schema := answer.(map[string]any)["schema"]; schema != nil {
					operations, answers = append(operations, name), append(answers, schema)
				} else {
					schemas[name] = nil
				}
			}
		}
	}
	const url = "wire.json"
	compiler := jsonschema.NewCompiler()
	compiler.DefaultDraft(jsonschema.Draft7)
	compiler.AssertFormat()
	if err := compiler.AddResource(url, map[string]any{"definitions": relaxed(definitions), "answers": relaxed(answers)}); err != nil {
		return nil, err
	}
	for i, name := range operations {
		if schemas[name], err = compiler.Compile(url + "#/answers/" + strconv.Itoa(i)); err != nil {
			return nil, err
		}
	}
	return schemas, nil
})

// nullableBySeeds are fields that the product's description lets be null and the contract does not.
var nullableBySeeds = map[string][]string{"CustomField": {"description", "icon_set_identifier"}}

// relaxed turns the contract's dialect into JSON schema: additionalProperties is dropped, what is
// x-doc-skip is not required, x-nullable may be null, x-oneOf is any of its forms.
func relaxed(v any) any {
	switch v := v.(type) {
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = relaxed(item)
		}
		return out
	case map[string]any:
		out := map[string]any{}
		for key, value := range v {
			switch key {
			case "additionalProperties", "x-nullable", "x-doc-skip":
			case "x-oneOf":
				out["anyOf"] = relaxed(value)
			default:
				out[key] = relaxed(value)
			}
		}
		if required, ok := v["required"].([]any); ok {
			properties := v["properties"].(map[string]any)
			out["required"] = slices.DeleteFunc(slices.Clone(required), func(name any) bool {
				property, _ := properties[name.(string)].(map[string]any)
				return property["x-doc-skip"] == true
			})
		}
		if v["x-nullable"] == true {
			return map[string]any{"anyOf": []any{out, map[string]any{"type": "null"}}}
		}
		return out
	default:
		return v
	}
}

// moduleRoot is the folder of go.mod, above the package that is tested.
func moduleRoot() string {
	for dir := "."; ; dir = filepath.Join(dir, "..") {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		if abs, err := filepath.Abs(dir); err != nil || abs == filepath.Dir(abs) {
			return dir
		}
	}
}
