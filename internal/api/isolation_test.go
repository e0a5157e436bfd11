package api_test

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"milepost/internal/store"
	"milepost/internal/testkit"
)

// TestIsolation calls every operation of every version in one workspace with the ids of another, in
// the path, the query and the body. Operations and their parameters come from the published OpenAPI
// documents, so a new operation is tried without being named here.
func TestIsolation(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		home, away := s.Owner, s.NewWorkspace(t, "zebra")
		err := s.Store.Write(t.Context(), away.Workspace, func(tx *store.Tx) error {
			tx.SkipIDs(9_000_000, 900_000_000)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		ops := publishedOperations(t, s)
		seed(t, home, ops, "home")
		seed(t, away, ops, "zebra")
		ours, theirs := survey(t, home, ops), survey(t, away, ops)
		foreign := theirs.without(ours)
		if len(foreign.ids) < 5 || len(foreign.uuids) < 5 || len(foreign.texts) < 5 {
			t.Fatalf("there is too little to try: %v", foreign)
		}
		requireReach(t, away, ops, theirs)

		a := &attack{t: t, as: home, ours: ours, foreign: foreign}
		before, number := snapshot(t, away, ops), len(s.Changes(t, away.Workspace, 0))
		for _, op := range ops {
			if len(op.path) > 0 {
				a.throughPath(op)
			}
			a.throughQuery(op)
			a.throughBody(op)
		}
		if a.requests < 500 {
			t.Errorf("only %d requests were made", a.requests)
		}
		for path, text := range snapshot(t, home, ops) {
			a.hidden("GET "+path, text)
		}
		if after := snapshot(t, away, ops); !maps.Equal(before, after) {
			t.Errorf("the other workspace shows something else:\n%v\n%v", before, after)
		}
		if after := len(s.Changes(t, away.Workspace, 0)); after != number {
			t.Errorf("the other workspace has %d changes, had %d", after, number)
		}
	})
}

// attack sends requests of one workspace that name what belongs to another.
type attack struct {
	t        *testing.T
	as       *testkit.Client
	ours     known
	foreign  known
	requests int
}

// throughPath expects every foreign id to be unknown, also under a parent of our own.
func (a *attack) throughPath(op operation) {
	for _, path := range op.paths(a.foreign) {
		a.refused(op, path, minimal(op.body))
	}
	if len(op.path) > 1 {
		for _, parent := range a.ours.of(op.path[0]) {
			for _, path := range op.under(parent).paths(a.foreign) {
				a.refused(op, path, minimal(op.body))
			}
		}
	}
}

// throughQuery expects a write with a foreign id to be refused and a read not to show anything.
func (a *attack) throughQuery(op operation) {
	for _, p := range op.query {
		if !p.isID() {
			continue
		}
		for _, path := range op.paths(a.ours) {
			for _, id := range a.foreign.of(p) {
				to := path + "?" + p.name + "=" + id
				if op.method == "GET" {
					a.hidden("GET "+to, a.send(op, to, nil).Text)
				} else if a.refused(op, to, minimal(op.body)) == 404 {
					break // the path itself is of the wrong kind
				}
			}
		}
	}
}

// throughBody expects a write that refers to a foreign id to be refused. One of our own entities is
// enough to try all of them on.
func (a *attack) throughBody(op operation) {
	if op.body == nil || op.method == "GET" {
		return
	}
	bodies := bodiesWithIDs(op.body, a.foreign)
	for _, path := range op.paths(a.ours) {
		for i, body := range bodies {
			if a.refused(op, path, body) == 404 {
				break // the path itself is of the wrong kind
			}
			if i == len(bodies)-1 {
				return
			}
		}
	}
	if len(bodies) > 0 {
		a.t.Errorf("%s %s: a body with an id could not be tried on anything of our own", op.method, op.template)
	}
}

func (a *attack) send(op operation, path string, body any) testkit.Answer {
	a.t.Helper()
	a.requests++
	return a.as.Do(a.t, op.method, path, body)
}

func (a *attack) refused(op operation, path string, body any) (status int) {
	a.t.Helper()
	answer := a.send(op, path, body)
	if answer.Status != 404 && answer.Status != 400 && answer.Status != 422 {
		a.t.Errorf("%s %s %v: status %d: %s", op.method, path, body, answer.Status, answer.Text)
	}
	return answer.Status
}

var numberForm = regexp.MustCompile(`\d+`)

// hidden fails when the text tells anything of the other workspace.
func (a *attack) hidden(from, text string) {
	a.t.Helper()
	for _, what := range slices.Concat(a.foreign.uuids, a.foreign.texts) {
		if strings.Contains(text, what) {
			a.t.Errorf("%s shows %q of another workspace: %s", from, what, text)
		}
	}
	for _, id := range a.foreign.ids {
		if slices.Contains(numberForm.FindAllString(text, -1), id) {
			a.t.Errorf("%s shows the id %s of another workspace: %s", from, id, text)
		}
	}
}

// seed calls every creating operation until it has made something.
func seed(t *testing.T, as *testkit.Client, ops []operation, word string) {
	t.Helper()
	for _, op := range ops {
		if op.method != "POST" {
			continue
		}
		made := slices.ContainsFunc(op.paths(survey(t, as, ops)), func(path string) bool {
			return as.Do(t, "POST", path, marked(minimal(op.body), word)).Status < 300
		})
		if !made {
			t.Errorf("POST %s: nothing could be made with %v; let seed know how", op.template, minimal(op.body))
		}
	}
}

// requireReach makes sure that each operation can be reached with some id of the workspace's own:
// what nobody can reach proves nothing.
func requireReach(t *testing.T, as *testkit.Client, ops []operation, own known) {
	t.Helper()
	for _, op := range ops {
		if len(op.path) == 0 || op.method == "DELETE" || op.method == "POST" {
			continue
		}
		reached := slices.ContainsFunc(op.paths(own), func(path string) bool {
			return as.Do(t, op.method, path, minimal(op.body)).Status != 404
		})
		if !reached {
			t.Errorf("%s %s: the test knows no id of it", op.method, op.template)
		}
	}
}

// snapshot is every answer to a GET without parameters, by path.
func snapshot(t *testing.T, as *testkit.Client, ops []operation) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, op := range ops {
		if op.method == "GET" && len(op.path) == 0 {
			if a := as.Do(t, "GET", op.template, nil); a.Status == 200 {
				out[op.template] = a.Text
			}
		}
	}
	return out
}
