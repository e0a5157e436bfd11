package api_test

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"milepost/internal/testkit"
)

// searchCase is a query and what it finds, in a notation of its own: the codes of what has the best hit in the title,
// the description, a comment and nowhere, parted by |. A star is all there are, without the codes
// that follow it.
type searchCase struct{ query, want string }

// Every query finds what it should, in the order of its hits, on every engine.
func TestSearchTable(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		w := newSearchWorld(t, address)
		for _, table := range []struct {
			entities, all string
			cases         []searchCase
		}{
			{"stories", "login logout oauth cafe sign tokyo twin phrase frozen url attach wander finish either long thread fresh", storyQueries},
			{"epics", "checkout redesign ops finder", epicQueries},
			{"iterations", "past ending starting coming winter", iterationQueries},
			{"objectives", "revenue grow retire later", objectiveQueries},
		} {
			for _, c := range table.cases {
				got, err := w.find(t, table.entities, w.expand(t, c.query), 25)
				if want := w.expected(t, c.want, table.all); err != nil || !slices.Equal(got, want) {
					t.Errorf("%s %s: %v\n got %s\nwant %s", table.entities, c.query, err, w.names(got), w.names(want))
				}
			}
		}
	})
}

// expected gives the ids that a case wants: group by group, the newest first.
func (w *searchWorld) expected(t *testing.T, notation, all string) []string {
	ids := []string{}
	for _, group := range strings.Split(notation, "|") {
		codes := strings.Fields(group)
		if len(codes) > 0 && codes[0] == "*" {
			codes = slices.DeleteFunc(strings.Fields(all), func(code string) bool { return slices.Contains(codes, "-"+code) })
		}
		numbers := make([]int, len(codes))
		for i, code := range codes {
			n, err := strconv.Atoi(w.ids[code])
			if err != nil {
				t.Fatalf("%s names %s, which is no number", notation, code)
			}
			numbers[i] = n
		}
		slices.Sort(numbers)
		for _, n := range slices.Backward(numbers) {
			ids = append(ids, strconv.Itoa(n))
		}
	}
	return ids
}

// A malformed query is told what is wrong with it and where, whatever is searched.
func TestSearchErrors(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		for _, entities := range []string{"stories", "epics", "iterations", "objectives", "milestones"} {
			for query, want := range map[string]string{
				"type:x":                  "type:x at character 1: expected one of feature, bug, chore",
				"é -(estimate:many)":      "estimate:many at character 5: expected a whole number",
				"created:today..2026":     "created:today..2026 at character 1: expected a date",
				`a state:"ready`:          `state:"ready at character 3: the quote is not closed`,
				strings.Repeat("a ", 101): "a at character 201: a query has at most 100 terms",
			} {
				a := s.Owner.Want(t, 400, "GET", fmt.Sprintf("/search/%s?query=%s", entities, url.QueryEscape(query)), nil).Object(t)
				got, _ := a["errors"].(map[string]any)["query"].(string)
				if !strings.HasPrefix(got, want) {
					t.Errorf("%s %s\n got %s\nwant %s", entities, query, got, want)
				}
			}
		}
	})
}
