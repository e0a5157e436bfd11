package rest_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"milepost/internal/api/rest"
	"milepost/internal/testkit"
	"milepost/internal/tracker"
)

// wanted is a body with what odd requires and more.
func wanted(more string) string { return `{"name":"n","least":null` + more + `}` }

func TestBodies(t *testing.T) {
	t.Parallel()
	type row struct {
		name   string
		body   string
		errors string // of a 400, "" for a 200
		got    string // a part of what a 200 was given
	}
	deep := func(n int) string {
		return strings.Repeat(`{"text":"","replies":[`, n) + strings.Repeat(`]}`, n)
	}
	rows := []row{
		{"no body", ``, `{"name":"missing-required-key","least":"missing-required-key"}`, ``},
		{"blank body", " \n\t", `{"name":"missing-required-key","least":"missing-required-key"}`, ``},
		{"every state of a field", wanted(`,"text":null,"big":5`), ``, `Text:{Value: State:1} Count:{Value:0 State:0} Big:{Value:5 State:2}`},
		{"required and null", wanted(``), ``, `Least:{Value:0 State:1}`},
		{"null where it is not allowed", `{"name":null,"least":null,"done":null,"grid":null,"replies":[null],"count":null}`,
			`{"name":"must not be null","done":"must not be null","grid":"must not be null","replies":["must not be null"],"count":"must not be null"}`, ``},
		{"every wrong type", `{"name":1,"least":"1","text":{},"count":true,"done":"true","owner_id":7,"at":7,"labels":{},"grid":[1,[2],"x"],"box":[]}`,
			`{"name":"must be a string","least":"must be an integer","text":"must be a string","count":"must be an integer",
			"done":"must be true or false","owner_id":"must be a UUID","at":"must be a timestamp","labels":"must be an array",
			"grid":["must be an array",null,"must be an array"],"box":"must be an object"}`, ``},
		{"unknown keys at every depth", wanted(`,"nme":{"deep":[1]},"box":{"name":"b","x":1},"labels":[{"name":"l"},{"name":"l","y":2}]`),
			`{"nme":"disallowed-key","box":{"x":"disallowed-key"},"labels":[null,{"y":"disallowed-key"}]}`, ``},
		{"missing at every depth", wanted(`,"box":{},"labels":[{"name":"l"},{"ids":[]}],"replies":[{"text":"t","replies":[{}]}]`),
			`{"box":{"name":"missing-required-key"},"labels":[null,{"name":"missing-required-key"}],
			"replies":[{"replies":[{"text":"missing-required-key"}]}]}`, ``},
		{"every duplicate", `{"name":"n","least":1,"name":"m","least":null,"box":{"name":"a","name":"b"}}`,
			`{"name":"duplicate-key","least":"duplicate-key","box":{"name":"duplicate-key"}}`, ``},
		{"a duplicate in disguise", `{"name":"n","least":1,"n\u0061me":"m"}`, `{"name":"duplicate-key"}`, ``},
		{"an escaped key", `{"n\u0061me":"a\u00e9\ud83d\ude00\n","least":1}`, ``, "Name:aé😀\n"},
		{"trailing data", wanted(``) + `{}`, `{"body":"must hold nothing after the JSON object"}`, ``},
		{"trailing data after mistakes", `{"name":1,"least":1} x`, `{"name":"must be a string","body":"must hold nothing after the JSON object"}`, ``},
		{"trailing space", wanted(``) + " \n", ``, `Name:n`},
		{"not an object", `[]`, `{"body":"must be an object"}`, ``},
		{"null", `null`, `{"body":"must be an object"}`, ``},
		{"cut short", `{"name":"n"`, `{"body":"is not well-formed JSON at byte 11"}`, ``},
		{"malformed", `{"name":n}`, `{"body":"is not well-formed JSON at byte 9"}`, ``},
		{"malformed array", `[1,`, `{"body":"is not well-formed JSON at byte 3"}`, ``},
		{"comma at the end", `{"name":"n",}`, `{"body":"is not well-formed JSON at byte 11"}`, ``},
		{"single quotes", `{'name':'n'}`, `{"body":"is not well-formed JSON at byte 1"}`, ``},
		{"not UTF-8", "{\"name\":\"\xff\",\"least\":1}", `{"body":"is not well-formed JSON at byte 9"}`, ``},
		{"half a surrogate pair", `{"name":"\ud800","least":1}`, `{"body":"is not well-formed JSON at byte 9"}`, ``},
		{"U+0000", `{"name":"a\u0000","least":1}`, `{"name":"must not hold the character U+0000"}`, ``},
		{"a byte order mark", "\uFEFF" + wanted(``), `{"body":"is not well-formed JSON at byte 0"}`, ``},

		{"whole numbers in any form", wanted(`,"count":1.0,"big":1e3`), ``, `Count:{Value:1 State:2} Big:{Value:1000 State:2}`},
		{"minus nought", wanted(`,"count":-0`), ``, `Count:{Value:0 State:2}`},
		{"whole numbers in odd forms", wanted(`,"count":-50.0e-1,"big":0.00900719925474099301e+20`), ``, `Count:{Value:-5 State:2} Big:{Value:900719925474099301 State:2}`},
		{"nought in odd forms", wanted(`,"count":0.0e-5,"big":-0.000E1`), ``, `Count:{Value:0 State:2} Big:{Value:0 State:2}`},
		{"almost whole", wanted(`,"count":0.99999999999999999999,"big":1e-700`), `{"count":"must be an integer","big":"must be an integer"}`, ``},
		{"fractions", wanted(`,"count":1.5,"big":1e-3`), `{"count":"must be an integer","big":"must be an integer"}`, ``},
		{"the largest integer", wanted(`,"big":9223372036854775807`), ``, `Big:{Value:9223372036854775807 State:2}`},
		{"the smallest integer", wanted(`,"big":-9223372036854775808`), ``, `Big:{Value:-9223372036854775808 State:2}`},
		{"beyond int64", wanted(`,"big":9223372036854775808`), `{"big":"must be an integer"}`, ``},
		{"far beyond int64", wanted(`,"big":1e999999999,"count":1e19`), `{"big":"must be an integer","count":"must be an integer"}`, ``},
		{"at the bounds", wanted(`,"count":7`), ``, `Count:{Value:7`},
		{"above", wanted(`,"count":8`), `{"count":"must be from -5 to 7"}`, ``},
		{"below", `{"name":"n","least":0,"count":-6}`, `{"count":"must be from -5 to 7","least":"must be at least 1"}`, ``},

		{"ten characters", `{"name":"ääääääääää","least":1}`, ``, `Name:ääääääääää`},
		{"eleven characters", `{"name":"äääääääääää","least":1}`, `{"name":"must have at most 10 characters"}`, ``},
		{"empty", `{"name":"","least":1,"most":""}`, `{"name":"must have at least 1 characters","most":"must have at least 1 characters"}`, ``},
		{"blank", `{"name":"\u3000\t ","least":1}`, `{"name":"must not be blank"}`, ``},
		{"blank where it may be", wanted(`,"most":" "`), ``, `Most:{Value:  State:2}`},
		{"enum", wanted(`,"kind":"Bug"`), `{"kind":"must be one of: bug, chore"}`, ``},
		{"colour", wanted(`,"color":"#12345G"`), `{"color":"must be a colour of the form #rrggbb"}`, ``},
		{"lenient colours", wanted(`,"any_color":"rgb(1,2,3)"`), ``, `AnyColor:{Value:rgb(1,2,3) State:2}`},
		{"no colour at all", wanted(`,"any_color":"blueish"`), ``, `AnyColor:{Value: State:0}`},
		{"no text at all", wanted(`,"any_color":[{"x":1}]`), ``, `AnyColor:{Value: State:0}`},
		{"colour taken away", wanted(`,"any_color":null`), ``, `AnyColor:{Value: State:1}`},
		{"UUID in capitals", wanted(`,"owner_id":"ABCDEF01-2345-6789-ABCD-EF0123456789"`), ``, `Owner:{Value:abcdef01-2345-6789-abcd-ef0123456789 State:2}`},
		{"no UUID", wanted(`,"owner_id":"abcdef0123456789abcdef0123456789"`), `{"owner_id":"must be a UUID"}`, ``},
		{"time with an offset", wanted(`,"at":"2026-01-31T12:00:00.5+02:00"`), ``, `At:{Value:2026-01-31T10:00:00Z State:2}`},
		{"no time", wanted(`,"at":"2026-02-30T12:00:00Z"`), `{"at":"must be an ISO 8601 timestamp such as 2026-01-31T12:00:00Z"}`, ``},
		{"dates", wanted(`,"day":"2024-02-29"`), ``, `Day:{Value:2024-02-29 State:2}`},
		{"no date", wanted(`,"day":"2026-02-29"`), `{"day":"must be a date such as 2026-01-31"}`, ``},

		{"nested arrays", wanted(`,"grid":[[],[0,1],[2,3,4]]`), ``, `Grid:[[] [0 1] [2 3 4]]`},
		{"bad items in nested arrays", wanted(`,"grid":[[0],[0,-1,1,2],[1,"2",-3]]`),
			`{"grid":[null,"must hold at most 3 items",[null,"must be an integer","must be at least 0"]]}`, ``},
		{"an empty array is given", wanted(`,"labels":[]`), ``, `Labels:{Value:[] State:2}`},
		{"arrays that are too long", wanted(`,"labels":[1,2,3,4]`), `{"labels":"must hold at most 3 items"}`, ``},
		{"array items are apart", wanted(`,"labels":[{"name":"a","ids":[1]},{"name":"b"}]`), ``, `[{Name:a IDs:[1]} {Name:b IDs:[]}]`},
		{"recursion", wanted(`,"replies":[` + deep(50) + `]`), ``, strings.Repeat(`{Text: Replies:[`, 50)},
		{"nesting without end", wanted(`,"replies":[` + deep(5001) + `]`), `{"body":"is not well-formed JSON at byte 110014"}`, ``},
		{"nesting without end where it is unknown", wanted(`,"x":` + strings.Repeat("[", 10_001)), `{"body":"is not well-formed JSON at byte 10028"}`, ``},
		{"an item far behind", wanted(`,"replies":[` + strings.Repeat(`{"text":""},`, 9_999) + `1]`),
			`{"replies":[` + strings.Repeat("null,", 9_999) + `"must be an object"]}`, ``},
		{"one item more than any array has", wanted(`,"replies":[` + strings.Repeat(`{"text":""},`, 10_000) + `1]`),
			`{"replies":"must hold at most 10000 items"}`, ``},
	}
	c := serve(t, oddAPI)
	for _, r := range rows {
		want, status := `{"message":"The request included invalid or missing parameters.","errors":`+r.errors+`}`, 400
		if r.errors == "" {
			want, status = "", 200
		}
		a := c.Do(t, "PUT", "/api/odd/odds/3", r.body)
		if a.Status != status {
			t.Errorf("%s: status %d: %.300s", r.name, a.Status, a.Text)
			continue
		}
		if status == 200 {
			if got := a.Object(t)["got"].(string); !strings.Contains(got, r.got) || !strings.HasPrefix(got, "{ID:3 ") {
				t.Errorf("%s: got %s", r.name, got)
			}
		} else if !reflect.DeepEqual(a.Object(t), testkit.Answer{Text: want}.Object(t)) {
			t.Errorf("%s: answer %.300s\nwant %.300s", r.name, a.Text, want)
		}
	}
}

// TestMistakesAreBounded sends more mistakes than fit into an answer.
func TestMistakesAreBounded(t *testing.T) {
	t.Parallel()
	c := serve(t, oddAPI)
	var keys strings.Builder
	for i := range 30_000 {
		fmt.Fprintf(&keys, `,"%d":0`, i)
	}
	errors := c.Want(t, 400, "PUT", "/api/odd/odds/3", wanted(keys.String())).Object(t)["errors"].(map[string]any)
	if len(errors) != 20_000 || errors["0"] != "disallowed-key" || errors["body"] != "holds more mistakes than can be listed" {
		t.Errorf("%d mistakes are listed, of the body %v", len(errors), errors["body"])
	}
	// Many arrays, each with one mistake behind many items that are fine.
	labels := `{"name":"l","ids":[` + strings.Repeat("1,", 9_999) + `""]}`
	replies := `{"text":"","replies":[` + strings.Repeat(`{"text":""},`, 9_999) + `0]}`
	body := wanted(`,"labels":[` + labels + `,` + labels + `,` + labels + `],"replies":[` + replies + `,` + replies + `]`)
	if a := c.Want(t, 400, "PUT", "/api/odd/odds/3", body); len(a.Text) > 200_000 || !strings.Contains(a.Text, "holds more mistakes") {
		t.Errorf("%d bytes of mistakes: %.100s", len(a.Text), a.Text)
	}
}

func TestBodySizes(t *testing.T) {
	t.Parallel()
	c := serve(t, oddAPI)
	most := 16 << 20
	padded := func(n int) string { return wanted(strings.Repeat(" ", n-len(wanted("")))) }
	c.Want(t, 200, "PUT", "/api/odd/odds/3", padded(most))
	if a := c.Want(t, 413, "PUT", "/api/odd/odds/3", padded(most+1)); a.Object(t)["message"] != "The request body is larger than 16 MiB." {
		t.Errorf("answer %s", a.Text)
	}
	if status := chunked(t, c, padded(most+1)); status != 413 {
		t.Errorf("a body of unknown length: status %d", status)
	}
	if status := chunked(t, c, padded(most)); status != 200 {
		t.Errorf("a body of unknown length that fits: status %d", status)
	}
}

// TestManyFields has more fields than a word has bits.
func TestManyFields(t *testing.T) {
	t.Parallel()
	var fields []reflect.StructField
	for i := range 200 {
		fields = append(fields, reflect.StructField{
			Name: fmt.Sprintf("F%d", i), Type: reflect.TypeFor[int64](),
			Tag: reflect.StructTag(fmt.Sprintf(`json:"f%d" is:"required"`, i)),
		})
	}
	wide := reflect.StructOf(fields)
	outer := reflect.StructOf([]reflect.StructField{{Name: "In", Type: wide, Tag: `json:"in"`}})
	var all []string
	for i := range 200 {
		if i != 163 && i != 64 {
			all = append(all, fmt.Sprintf(`"f%d":%d`, i, i))
		}
	}
	body := "{" + strings.Join(all, ",") + "}"
	missing := map[string]any{"f163": "missing-required-key", "f64": "missing-required-key"}
	if got := reasons(wide, body); !reflect.DeepEqual(got, missing) {
		t.Errorf("reasons %v", got)
	}
	if got := reasons(outer, `{"in":`+body+`}`); !reflect.DeepEqual(got, map[string]any{"in": missing}) {
		t.Errorf("reasons %v", got)
	}
}

// reasons says what is wrong with the body of a request.
func reasons(params reflect.Type, body string) map[string]any {
	_, err := rest.NewDecoder(params)([]byte(body))
	var e *tracker.Error
	if !errors.As(err, &e) {
		return nil
	}
	return e.Fields
}

// TestBadDeclarations: a params struct that makes no sense stops the program when it starts.
func TestBadDeclarations(t *testing.T) {
	t.Parallel()
	declare := func(params reflect.Type) { rest.NewDecoder(params) }
	for name, compile := range map[string]func(){
		"unknown option": func() {
			declare(reflect.TypeFor[struct {
				A string `json:"a" is:"requird"`
			}]())
		},
		"bad number": func() {
			declare(reflect.TypeFor[struct {
				A string `json:"a" is:"max=ten"`
			}]())
		},
		"nullable without an Opt": func() {
			declare(reflect.TypeFor[struct {
				A string `json:"a" is:"null"`
			}]())
		},
		"no tag": func() {
			declare(reflect.TypeFor[struct{ A string }]())
		},
		"a name twice": func() {
			name := reflect.StructField{Name: "A", Type: reflect.TypeFor[string](), Tag: `json:"a"`}
			again := name
			again.Name = "B"
			declare(reflect.StructOf([]reflect.StructField{name, again}))
		},
		"a type that JSON has not": func() {
			declare(reflect.TypeFor[struct {
				A float32 `json:"a"`
			}]())
		},
		"an object in the query": func() {
			declare(reflect.TypeFor[struct {
				A []reply `query:"a"`
			}]())
		},
		"an optional path parameter": func() {
			declare(reflect.TypeFor[struct {
				A []string `path:"a"`
			}]())
		},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: accepted", name)
				}
			}()
			compile()
		}()
	}
}
