package rest_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"milepost/internal/testkit"
)

// chunked sends a body without saying how long it is.
func chunked(t *testing.T, c *testkit.Client, body string) int {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), "PUT", c.URL+"/api/odd/odds/3", io.MultiReader(strings.NewReader(body)))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	return resp.StatusCode
}

func TestPathsAndQueries(t *testing.T) {
	t.Parallel()
	c := serve(t, oddAPI)
	const page = `{"message":"Page not Found"}`
	testkit.Run(t, c, []testkit.Case{
		{Name: "one slash more", Method: "GET", Path: "/api/odd/odds/", Status: 204},
		{Name: "two slashes more", Method: "GET", Path: "/api/odd/odds//", Status: 404, Want: page},
		{Name: "two slashes", Method: "GET", Path: "/api//odd/odds", Status: 404, Want: page},
		{Name: "dots", Method: "GET", Path: "/api/odd/x/../odds", Status: 404, Want: page},
		{Name: "dot", Method: "GET", Path: "/api/odd/./odds", Status: 404, Want: page},
		{Name: "unknown", Method: "GET", Path: "/api/odd/even", Status: 404, Want: page},
		{Name: "case of the path", Method: "GET", Path: "/api/odd/Odds", Status: 404, Want: page},
		{Name: "a segment that starts with a dot", Method: "GET", Path: "/api/odd/names/.x", Status: 200, Want: `{"got":"{Name:.x}"}`},
		{Name: "escaped", Method: "GET", Path: "/api/odd/names/%C3%A4%20%2Fb", Status: 200, Want: `{"got":"{Name:ä /b}"}`},
		{Name: "escaped dots", Method: "GET", Path: "/api/odd/names/%2e%2E", Status: 200, Want: `{"got":"{Name:..}"}`},
		{Name: "escaped slash at the end", Method: "GET", Path: "/api/odd/names/a%2F", Status: 200, Want: `{"got":"{Name:a/}"}`},
		{Name: "escaped and one slash more", Method: "GET", Path: "/api/odd/names/%2Fa/", Status: 200, Want: `{"got":"{Name:/a}"}`},
		{Name: "not UTF-8", Method: "GET", Path: "/api/odd/names/%ff", Status: 400, Want: `{"errors":{"odd-name":"must be valid UTF-8"}}`},
		{Name: "U+0000", Method: "GET", Path: "/api/odd/names/%00", Status: 400, Want: `{"errors":{"odd-name":"must not hold the character U+0000"}}`},
		{Name: "too long", Method: "GET", Path: "/api/odd/names/12345678901", Status: 400, Want: `{"errors":{"odd-name":"must have at most 10 characters"}}`},

		{Name: "prefix", Method: "POST", Path: "/api/odd/odds/3/unlink-mural", Status: 201, Want: `{"got":"{ID:3 Tool:mural}"}`},
		{Name: "only the prefix", Method: "POST", Path: "/api/odd/odds/3/unlink-", Status: 400, Want: `{"errors":{"tool":"must have at least 1 characters"}}`},
		{Name: "another prefix", Method: "POST", Path: "/api/odd/odds/3/link-mural", Status: 404, Want: page},
		{Name: "another method", Method: "GET", Path: "/api/odd/odds/3/unlink-mural", Status: 405},
		{Name: "another prefix and method", Method: "GET", Path: "/api/odd/odds/3/link-mural", Status: 404, Want: page},

		{Name: "path before all else", Method: "PUT", Path: "/api/odd/odds/x?y=1", Body: `{"z":1}`, Status: 400,
			Want: `{"errors":{"odd-public-id":"must be an integer","y":"disallowed-key","z":"disallowed-key","name":"missing-required-key","least":"missing-required-key"}}`},
		{Name: "plus sign", Method: "DELETE", Path: "/api/odd/odds/+3", Status: 400},
		{Name: "exponent", Method: "DELETE", Path: "/api/odd/odds/1e3", Status: 400},
		{Name: "beyond int64", Method: "DELETE", Path: "/api/odd/odds/9223372036854775808", Status: 400},

		{Name: "no parameters, no body", Method: "DELETE", Path: "/api/odd/odds/3", Status: 204},
		{Name: "no parameters, empty object", Method: "DELETE", Path: "/api/odd/odds/3", Body: `{}`, Status: 204},
		{Name: "no parameters, a body", Method: "DELETE", Path: "/api/odd/odds/3", Body: `{"a":1}`, Status: 400, Want: `{"errors":{"a":"disallowed-key"}}`},
		{Name: "the path's parameter in the body", Method: "DELETE", Path: "/api/odd/odds/3", Body: `{"odd-public-id":4}`, Status: 400},
		{Name: "no parameters, a list", Method: "DELETE", Path: "/api/odd/odds/3", Body: `[]`, Status: 400, Want: `{"errors":{"body":"must be an object"}}`},

		{Name: "the query's", Method: "GET", Path: "/api/odd/odds/lookup?query=a%20b&page_size=25&ids=1&ids[]=2&ids%5B%5D=3&must=", Status: 200,
			Want: `{"got":"{Query:a b Size:{Value:25 State:2} IDs:{Value:[1 2 3] State:2} Tone:{Value: State:0} Must:}"}`},
		{Name: "the body's", Method: "GET", Path: "/api/odd/odds/lookup?must=1", Body: `{"query":"","page_size":1,"ids":[9]}`, Status: 200,
			Want: `{"got":"{Query: Size:{Value:1 State:2} IDs:{Value:[9] State:2} Tone:{Value: State:0} Must:1}"}`},
		{Name: "the query beats the body", Method: "GET", Path: "/api/odd/odds/lookup?must=1&query=q&ids=5", Body: `{"query":7,"page_size":3,"ids":[0,"x"]}`, Status: 200,
			Want: `{"got":"{Query:q Size:{Value:3 State:2} IDs:{Value:[5] State:2} Tone:{Value: State:0} Must:1}"}`},
		{Name: "a bad query beats a good body", Method: "GET", Path: "/api/odd/odds/lookup?must=1&page_size=26", Body: `{"query":"q","page_size":3}`, Status: 400,
			Want: `{"errors":{"page_size":"must be from 1 to 25"}}`},
		{Name: "nowhere", Method: "GET", Path: "/api/odd/odds/lookup", Status: 400,
			Want: `{"errors":{"query":"missing-required-key","must":"missing-required-key"}}`},
		{Name: "only in the body what the query must carry", Method: "GET", Path: "/api/odd/odds/lookup", Body: `{"query":"q","must":"m"}`, Status: 400,
			Want: `{"errors":{"must":"disallowed-key"}}`},
		{Name: "bad items", Method: "GET", Path: "/api/odd/odds/lookup?must=1&query=q&ids=1&ids=x&ids=0", Status: 400,
			Want: `{"errors":{"ids":[null,"must be an integer","must be at least 1"]}}`},
		{Name: "too many items", Method: "GET", Path: "/api/odd/odds/lookup?must=1&query=q&ids=1&ids=2&ids=3&ids=4", Status: 400,
			Want: `{"errors":{"ids":"must hold at most 3 items"}}`},
		{Name: "twice", Method: "GET", Path: "/api/odd/odds/lookup?must=1&query=q&query=r", Status: 400, Want: `{"errors":{"query":"must be given once"}}`},
		{Name: "brackets on what is no array", Method: "GET", Path: "/api/odd/odds/lookup?must=1&query[]=q", Status: 400,
			Want: `{"errors":{"query[]":"disallowed-key","query":"missing-required-key"}}`},
		{Name: "empty number", Method: "GET", Path: "/api/odd/odds/lookup?must=1&query=q&page_size=", Status: 400, Want: `{"errors":{"page_size":"must be an integer"}}`},
		{Name: "null is only a word", Method: "GET", Path: "/api/odd/odds/lookup?must=1&query=null&page_size=null", Status: 400},
		{Name: "lenient", Method: "GET", Path: "/api/odd/odds/lookup?must=1&query=q&tone=blueish", Status: 200},
		{Name: "token is for the server", Method: "GET", Path: "/api/odd/odds?token=mp_x", Status: 204},
		{Name: "token in a body is not", Method: "GET", Path: "/api/odd/odds", Body: `{"token":"mp_x"}`, Status: 400, Want: `{"errors":{"token":"disallowed-key"}}`},
		{Name: "unknown", Method: "GET", Path: "/api/odd/odds?a=1&b[]=2&%ff=3", Status: 400,
			Want: `{"errors":{"a":"disallowed-key","b[]":"disallowed-key","\ufffd":"disallowed-key"}}`},
		{Name: "malformed", Method: "GET", Path: "/api/odd/odds?a=%zz", Status: 400, Want: `{"errors":{"query":"is not a well-formed query string"}}`},
		{Name: "semicolon", Method: "GET", Path: "/api/odd/odds?a=1;b=2", Status: 400},
	})
	for method, status := range map[string]int{"PATCH": 405, "OPTIONS": 405, "TRACE": 405, "GET": 405} {
		a := c.Want(t, status, method, "/api/odd/odds/3", nil)
		if got := a.Header.Get("Allow"); got != "PUT, DELETE" {
			t.Errorf("%s: Allow is %q", method, got)
		}
		if !strings.Contains(a.Text, method) {
			t.Errorf("%s: answer %s", method, a.Text)
		}
	}
	if got := c.Want(t, 405, "POST", "/api/odd/odds/lookup", nil).Header.Get("Allow"); got != "GET, HEAD, PUT, DELETE" {
		t.Errorf("Allow is %q", got)
	}
	if got := c.Want(t, 405, "POST", "/api/odd/odds/3/history", nil).Header.Get("Allow"); got != "GET, HEAD" {
		t.Errorf("Allow is %q", got)
	}
	get, head := c.Want(t, 200, "GET", "/api/odd/names/n", nil), c.Want(t, 200, "HEAD", "/api/odd/names/n", nil)
	if head.Text != "" || head.Header.Get("Content-Length") != get.Header.Get("Content-Length") || get.Header.Get("Content-Length") == "" {
		t.Errorf("HEAD answers %q with %v, GET has %v", head.Text, head.Header, get.Header)
	}
	if a := c.Want(t, 204, "DELETE", "/api/odd/odds/3", nil); a.Header.Get("Content-Type") != "" || a.Text != "" {
		t.Errorf("204 with %v %q", a.Header, a.Text)
	}
}

// TestOrderOfJudgement: route, then role, then size and form.
func TestOrderOfJudgement(t *testing.T) {
	t.Parallel()
	c := serve(t, oddAPI)
	as := func(role string) *testkit.Client {
		return &testkit.Client{URL: c.URL, Header: http.Header{"Role": {role}}}
	}
	large := strings.Repeat(" ", 16<<20+1)
	testkit.Run(t, c, []testkit.Case{
		{Name: "no route", As: as("observer"), Method: "PUT", Path: "/api/odd/none", Body: `{"a":1}`, Status: 404},
		{Name: "no method", As: as("observer"), Method: "POST", Path: "/api/odd/switch", Body: `{"a":1}`, Status: 405},
		{Name: "no role, nor form", As: as("observer"), Method: "PUT", Path: "/api/odd/odds/x", Body: `{"a":1}`, Status: 403, Want: `{"tag":"forbidden"}`},
		{Name: "no role, too large", As: as("observer"), Method: "PUT", Path: "/api/odd/odds/3", Body: large, Status: 403},
		{Name: "no administrator", As: as("member"), Method: "PUT", Path: "/api/odd/switch", Body: `{"a":1}`, Status: 403},
		{Name: "administrator", As: as("admin"), Method: "PUT", Path: "/api/odd/switch", Body: `{"a":1}`, Status: 400},
		{Name: "too large before bad", As: as("member"), Method: "PUT", Path: "/api/odd/odds/x", Body: large, Status: 413},
	})
	if a := c.Want(t, 500, "GET", "/api/odd/fault", nil); strings.Contains(a.Text, "secret") || a.Object(t)["request_id"] != "a-request" {
		t.Errorf("answer %s", a.Text)
	}
}
