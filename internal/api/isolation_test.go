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
		ours, theirs := newTerritory(home, ops), newTerritory(away, ops)
		for word, of := range map[string]*territory{"home": ours, "zebra": theirs} {
			of.as.Want(t, 201, "POST", "/categories", `{"name":"first of `+word+`"}`)
			newVCSSender(t, s, of.as, "github", "[]", 0).tell(t, "ping", "acme", word)
			of.seed(t, word)
			of.survey(t)
			of.requireReach(t)
		}
		a := newAttack(t, ours, theirs)
		if n := len(a.samples("integer")) + len(a.samples("uuid")); n < 20 {
			t.Fatalf("there is too little to try: %v", a.foreign)
		}

		before, number := theirs.survey(t), len(s.Changes(t, away.Workspace, 0))
		for _, op := range ops {
			a.throughPath(op)
			a.throughQuery(op)
			a.throughBody(op)
		}
		if a.requests < 1_000 {
			t.Errorf("only %d requests were made", a.requests)
		}
		for path, text := range ours.survey(t) {
			a.hidden("GET "+path, text)
		}
		if after := theirs.survey(t); !maps.Equal(before, after) {
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
	ours     *territory
	theirs   *territory
	foreign  map[string]string // ids that only they have, with their kinds
	texts    []string          // that only they have
	requests int
}

func newAttack(t *testing.T, ours, theirs *territory) *attack {
	a := &attack{t: t, ours: ours, theirs: theirs, foreign: maps.Clone(theirs.kinds)}
	maps.DeleteFunc(a.foreign, func(id, _ string) bool { return ours.kinds[id] != "" })
	for text := range theirs.texts {
		if !ours.texts[text] {
			a.texts = append(a.texts, text)
		}
	}
	return a
}

// samples is one foreign id of each kind.
func (a *attack) samples(idType string) []string { return oneOfEach(a.foreign, idType) }

// fitting is the sample of the kind, all samples when the other workspace has none of that kind.
func (a *attack) fitting(kind, idType string) []string {
	all := a.samples(idType)
	for _, id := range all {
		if a.foreign[id] == kind {
			return []string{id}
		}
	}
	return all
}

// throughPath expects every foreign id to be unknown: in the place of each wildcard of a path of our
// own, and in the path that leads to something in the other workspace.
func (a *attack) throughPath(op operation) {
	body := a.ours.valid(op.body, "home")
	there := a.theirs.values(a.t, op)
	if slices.ContainsFunc(there, func(id string) bool { return a.foreign[id] != "" }) {
		a.refused(op, op.fill(there), body)
	}
	own := a.ours.values(a.t, op)
	for i, p := range op.path {
		for _, id := range a.fitting(a.ours.kinds[own[i]], p.schema.idType()) {
			values := slices.Clone(own)
			values[i] = id
			a.refused(op, op.fill(values), body)
		}
	}
}

// throughQuery expects a write with a foreign id to be refused and a read not to show anything.
func (a *attack) throughQuery(op operation) {
	for _, p := range op.query {
		if !p.isID() {
			continue
		}
		path, ok := a.ours.path(a.t, op)
		if !ok {
			a.t.Errorf("%s %s: %s could not be tried on anything of our own", op.method, op.template, p.name)
		}
		for _, id := range a.fitting(kindNamed(p.name), p.schema.idType()) {
			a.withForeign(op, path+"?"+p.name+"="+id, a.ours.valid(op.body, "home"))
		}
	}
}

// throughBody expects a write that refers to a foreign id to be refused.
func (a *attack) throughBody(op operation) {
	bodies := a.ours.bodiesWithIDs(op.body, func(field, idType string) []string { return a.fitting(kindNamed(field), idType) })
	path, ok := a.ours.path(a.t, op)
	if !ok && len(bodies) > 0 {
		a.t.Errorf("%s %s: a body with an id could not be tried on anything of our own", op.method, op.template)
		return
	}
	for _, body := range bodies {
		a.withForeign(op, path, body)
	}
}

func (a *attack) withForeign(op operation, path string, body any) {
	a.t.Helper()
	if op.readsOnly {
		a.hidden(op.method+" "+path, a.send(op, path, body).Text)
	} else {
		a.refused(op, path, body)
	}
}

func (a *attack) send(op operation, path string, body any) testkit.Answer {
	a.t.Helper()
	a.requests++
	return a.ours.as.Do(a.t, op.method, path, body)
}

func (a *attack) refused(op operation, path string, body any) {
	a.t.Helper()
	answer := a.send(op, path, body)
	if !slices.Contains([]int{400, 404, 409, 422}, answer.Status) {
		a.t.Errorf("%s %s %v: status %d: %s", op.method, path, body, answer.Status, answer.Text)
	}
}

var idForm = regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d+`)

// hidden fails when the text tells anything of the other workspace.
func (a *attack) hidden(from, text string) {
	a.t.Helper()
	for _, what := range a.texts {
		if strings.Contains(text, what) {
			a.t.Errorf("%s shows %q of another workspace: %s", from, what, text)
		}
	}
	for _, id := range idForm.FindAllString(text, -1) {
		if kind := a.foreign[id]; kind != "" {
			a.t.Errorf("%s shows the %s %s of another workspace: %s", from, kind, id, text)
		}
	}
}
