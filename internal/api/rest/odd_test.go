package rest_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"milepost/internal/api/rest"
	"milepost/internal/httpd"
	"milepost/internal/testkit"
	"milepost/internal/tracker"
)

// odd has every form of field that a request can have.
type odd struct {
	ID       int64                     `path:"odd-public-id"`
	Name     string                    `json:"name" is:"required,min=1,max=10"`
	Text     tracker.Opt[string]       `json:"text" is:"null,max=5"`
	Count    tracker.Opt[int64]        `json:"count" is:"least=-5,most=7"`
	Big      tracker.Opt[int64]        `json:"big" is:"null"`
	Done     tracker.Opt[bool]         `json:"done"`
	Owner    tracker.Opt[tracker.UUID] `json:"owner_id" is:"null"`
	At       tracker.Opt[tracker.Time] `json:"at"`
	Day      tracker.Opt[string]       `json:"day" is:"date"`
	Color    tracker.Opt[string]       `json:"color" is:"null,color"`
	AnyColor tracker.Opt[string]       `json:"any_color" is:"null,anycolor"`
	Kind     tracker.Opt[string]       `json:"kind" is:"null,enum=bug|chore"`
	Labels   tracker.Opt[[]oddLabel]   `json:"labels" is:"null,maxitems=3"`
	Grid     [][]int64                 `json:"grid" is:"least=0,maxitems=3"`
	Replies  []reply                   `json:"replies"`
	Box      tracker.Opt[oddLabel]     `json:"box" is:"null"`
	Embedded
}

type oddLabel struct {
	Name string  `json:"name" is:"required,min=1,max=8"`
	IDs  []int64 `json:"ids"`
}

// Embedded lends its fields.
type Embedded struct {
	Least tracker.Opt[int64]  `json:"least" is:"required,null,least=1"`
	Most  tracker.Opt[string] `json:"most" is:"min=1,blank"`
}

type reply struct {
	Text    string  `json:"text" is:"required"`
	Replies []reply `json:"replies"`
}

// echo shows what an operation was given.
type echo struct {
	Got string `json:"got"`
}

func show[In any](_ context.Context, _ tracker.Actor, in In) (echo, error) {
	return echo{fmt.Sprintf("%+v", in)}, nil
}

// lookup takes its parameters in the query string or in a body.
type lookup struct {
	Query string               `query:"query" json:"query" is:"required,max=10"`
	Size  tracker.Opt[int64]   `query:"page_size" json:"page_size" is:"least=1,most=25"`
	IDs   tracker.Opt[[]int64] `query:"ids" json:"ids" is:"least=1,maxitems=3"`
	Tone  tracker.Opt[string]  `query:"tone" json:"tone" is:"anycolor"`
	Must  string               `query:"must" is:"required"`
}

type named struct {
	Name string `path:"odd-name" is:"max=10"`
}

type tool struct {
	ID   int64  `path:"odd-public-id"`
	Tool string `path:"tool" is:"min=1"`
}

// nothing is an operation without parameters.
func nothing(context.Context, tracker.Actor, rest.None) (rest.None, error) { return rest.None{}, nil }

var oddAPI = rest.API{Version: "odd", Title: "Odd", Routes: []rest.Route{
	rest.Put("/odds/{odd-public-id}", "Update Odd", show[odd]).Fails(http.StatusConflict),
	rest.Delete("/odds/{odd-public-id}", "Delete Odd", func(context.Context, tracker.Actor, struct {
		ID int64 `path:"odd-public-id"`
	}) (rest.None, error) {
		return rest.None{}, nil
	}),
	rest.Get("/odds", "List Odds", nothing),
	rest.Get("/odds/lookup", "Look Odds Up", show[lookup]),
	rest.Post("/odds/{odd-public-id}/unlink-{tool}", "Unlink Odd", show[tool]),
	rest.Get("/odds/{odd-public-id}/history", "Get History of Odd", show[struct {
		ID int64 `path:"odd-public-id"`
	}]),
	rest.Get("/names/{odd-name}", "Get Name", show[named]),
	rest.Put("/switch", "Switch", nothing).ForAdmins(),
	rest.Get("/fault", "Fail", func(context.Context, tracker.Actor, rest.None) (rest.None, error) {
		return rest.None{}, fmt.Errorf("secret %s", "cause")
	}),
	uploadRoute,
}}

// handler serves the API to an owner, or to whom the header Role names.
func handler(apis ...rest.API) http.Handler {
	router := rest.NewRouter(nil, rest.Publish("https://odd.example", apis)...)
	return httpd.RequestIDs(func() string { return "a-request" })(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		by := tracker.Actor{Role: tracker.Owner}
		if role := r.Header.Get("Role"); role != "" {
			by.Role = tracker.Role(role)
		}
		router.ServeHTTP(w, r.WithContext(rest.WithActor(r.Context(), by)))
	}))
}

func serve(t testing.TB, apis ...rest.API) *testkit.Client {
	web := httptest.NewServer(handler(apis...))
	t.Cleanup(web.Close)
	return &testkit.Client{URL: web.URL}
}
