package query_test

import (
	"errors"
	"strings"
	"testing"

	"milepost/internal/query"
	"milepost/internal/tracker"
)

const someone tracker.UUID = "01890000-0000-7000-8000-000000000001"

// scene is the evening of 14 June 2026 in UTC, which is already the 15th in the workspace.
func scene(e query.Entity) query.Scene {
	now, err := tracker.ParseTime("2026-06-14T23:30:00Z")
	if err != nil {
		panic(err)
	}
	return query.Scene{Entity: e, Member: someone, Now: now, Offset: func() tracker.Time { return 2 * 60 * 60 }}
}

func TestParseStories(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		// Text
		{"login", "login*"},
		{"LOGIN", "login*"},
		{"Ünïcode Straße", "all(unicode, strasse*)"},
		{"log in ", "all(log, in*)"},
		{"log-in", "log in*"},
		{`"log in"`, "log in"},
		{`"log in" page`, "all(log in, page*)"},
		{`page "log in"`, "all(page, log in)"},
		{`"log"in`, "all(log, in*)"},
		{`say "a \"b\" c\\d"`, "all(say, a b c d)"},
		{`5" screen bracket`, "all(5, screen, bracket*)"},
		{`"not closed`, "all(not, closed*)"},
		{`""`, "one()"},
		{"???", "one()"},
		{"a ??? b", "all(a, b*)"},
		{"a - b", "all(a, b*)"},
		{"   ", "one()"},
		{"foo:bar", "foo bar*"},
		{"foo:title:bar", "foo title bar*"},
		{"https://example.com/a?b=c", "https example com a b c*"},
		{":x", "x*"},
		{`"title:hello"`, "title hello"},
		{"東京都", "東 京 都*"},
		{"ｆｕｌｌ", "full*"},

		// Text in one part
		{"title:hello", "title=hello*"},
		{"title:hello world", "all(title=hello, world*)"},
		{`title:"hello world"`, "title=hello world"},
		{"TITLE:Hello", "title=hello*"},
		{"description:hello x", "all(description=hello, x*)"},
		{"comment:hello x", "all(comment=hello, x*)"},
		{"title:a:b x", "all(title=a b, x*)"},
		{"title:??? x", "x*"},
		{"title:is:x y", "all(title=is x, y*)"},

		// Negation
		{"!login", "not login"},
		{"-login", "not login"},
		{"--login", "login"},
		{"!-!login", "not login"},
		{`!"log in"`, "not log in"},
		{"!title:login", "not title=login"},
		{"-is:archived", "not +archived"},
		{"-(a b)", "not all(a, b)"},
		{"!(a OR b) c", "all(not one(a, b), c*)"},
		{"-(-a)", "a"},
		{"!!!", "one()"},
		{"a-b -c", "all(a b, not c)"},
		{"!???", "one()"},
		{"-(a", "not a"},

		// OR, AND and parentheses
		{"a OR b", "one(a, b*)"},
		{"a b OR c d", "one(all(a, b), all(c, d*))"},
		{"a (b OR c) d", "all(a, one(b, c), d*)"},
		{"a AND b", "all(a, b*)"},
		{"a AND b OR c", "one(all(a, b), c*)"},
		{"a or b and c", "all(a, or, b, and, c*)"},
		{`"OR" a`, "all(or, a*)"},
		{"a OR b OR c", "one(a, b, c*)"},
		{"(a OR (b OR c))", "one(a, b, c)"},
		{"((a) (b))", "all(a, b)"},
		{"foo(bar)baz", "all(foo, bar, baz*)"},
		{"a OR", "a"},
		{"OR a", "a*"},
		{"a OR OR b", "one(a, b*)"},
		{"a OR ???", "a"},
		{"()", "one()"},
		{"a () b", "all(a, b*)"},
		{"a ) b", "all(a, b*)"},
		{"a -) b", "all(a, b*)"},
		{"(a -) b", "all(a, b*)"},
		{"(a b", "all(a, b*)"},
		{"smile :)", "smile"},
		{"a - OR b", "one(a, b*)"},
		{"a -OR b", "one(a, b*)"},

		// Numbers, types
		{"id:12", "id=12"},
		{"estimate:0", "estimate=0"},
		{"type:bug", "type=bug"},
		{"type:Feature", "type=feature"},
		{`type:"chore"`, "type=chore"},
		{"type:bug type:chore", "all(type=bug, type=chore)"},

		// Names
		{"project:Web", "project=web"},
		{`project:"Web  App"`, "project=web app"},
		{"project:12", "project=12 #12"},
		{"project:-12", "project=-12"},
		{"epic:Check", "epic~check"},
		{`epic:"Check out"`, "epic=check out"},
		{"epic:12", "epic=12 #12"},
		{"objective:Grow", "objective=grow"},
		{"milestone:Grow", "objective=grow"},
		{"iteration:7", "iteration=7 #7"},
		{"label:Café", "label=cafe"},
		{"label:c++", "label=c++"},
		{`label:"a\\b \"c\" \d"`, `label=a\b "c" \d`},
		{"state:500000044", "state=500000044 #500000044"},
		{`state:"ready for dev"`, "state=ready for dev"},
		{"state:done", "state=done"},
		{"owner:ada", "owner=ada"},
		{"owner:@ada", "owner=ada"},
		{"owner:me", "owner=me @" + string(someone)},
		{"requester:ME", "requester=me @" + string(someone)},
		{"owner:01890000-0000-7000-8000-00000000000A", "owner=01890000-0000-7000-8000-00000000000a @01890000-0000-7000-8000-00000000000a"},
		{"team:core", "team=core"},
		{"team:@core", "team=core"},
		{"team:me", "team=me"},
		{"skill-set:Design", "skill-set=design"},
		{"skillset:Design", "skill-set=design"},
		{"product-area:x", "product-area=x"},
		{"productArea:x", "product-area=x"},
		{"technical-area:x", "technical-area=x"},
		{"technicalarea:x", "technical-area=x"},
		{"priority:High", "priority=high"},
		{`severity:"Severity 1"`, "severity=severity 1"},
		{"branch:ada/sc-12/login", "branch=ada/sc-12/login"},
		{"commit:0123456789ABCDEF0123456789abcdef01234567", "commit=0123456789abcdef0123456789abcdef01234567"},
		{"commit:1234567", "commit=1234567"},
		{"commit:https://git.example/c/1", "commit=https://git.example/c/1"},
		{"pr:12", "pr=12 #12"},
		{"pr:#12", "pr=12 #12"},
		{"pr:https://git.example/p/1", "pr=https://git.example/p/1"},

		// Dates: the workspace is two hours ahead
		{"created:2026-01-31", "created in 2026-01-30T22:00:00Z..2026-01-31T22:00:00Z"},
		{"created:2026-01-01..2026-01-31", "created in 2025-12-31T22:00:00Z..2026-01-31T22:00:00Z"},
		{"updated:*..2026-01-31", "updated in *..2026-01-31T22:00:00Z"},
		{"completed:2026-01-31..*", "completed in 2026-01-30T22:00:00Z..*"},
		{"moved:*..*", "moved in *..*"},
		{"created:today", "created in 2026-06-14T22:00:00Z..2026-06-15T22:00:00Z"},
		{"created:Yesterday", "created in 2026-06-13T22:00:00Z..2026-06-14T22:00:00Z"},
		{"created:yesterday..today", "created in 2026-06-13T22:00:00Z..2026-06-15T22:00:00Z"},
		{"created:today..*", "created in 2026-06-14T22:00:00Z..*"},
		{"due:tomorrow", "due in 2026-06-15T22:00:00Z..2026-06-16T22:00:00Z"},
		{"due:*..tomorrow", "due in *..2026-06-16T22:00:00Z"},
		{`due:"2026-01-31"`, "due in 2026-01-30T22:00:00Z..2026-01-31T22:00:00Z"},

		// is and has
		{"is:story", "all()"},
		{"is:story a", "a*"},
		{"!is:story", "one()"},
		{"is:epic", "one()"},
		{"is:epic OR a", "a*"},
		{"!is:epic a", "a*"},
		{"is:unstarted", "state in [backlog unstarted]"},
		{"is:started", "state in [started]"},
		{"IS:Done", "state in [done]"},
		{"is:archived", "+archived"},
		{"is:overdue", "all(due in *..2026-06-14T23:30:00Z, not completed in *..*)"},
		{"!is:overdue", "not all(due in *..2026-06-14T23:30:00Z, not completed in *..*)"},
		{"is:unestimated", "+unestimated"},
		{"is:blocked is:blocker", "all(+blocked, +blocker)"},
		{"has:attachment", "+attachment"},
		{"has:task has:epic has:branch", "all(+task, +epic, +branch)"},
		{"has:commit has:pr has:comment", "all(+commit, +pr, +comment)"},
		{"has:label has:owner", "all(+label, +owner)"},
		{"has:deadline", "due in *..*"},

		// For other entities only
		{"startdate:2026-01-31", "one()"},
		{"!enddate:2026-01-31 a", "a*"},
	} {
		e, err := query.Parse(c.text, scene(query.Stories))
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
		} else if got := show(e); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

func TestParseOtherEntities(t *testing.T) {
	for _, c := range []struct {
		entity     query.Entity
		text, want string
	}{
		{query.Epics, "is:epic", "all()"},
		{query.Epics, "is:story", "one()"},
		{query.Epics, "type:bug", "one()"},
		{query.Epics, "!type:bug", "all()"},
		{query.Epics, "epic:x", "one()"},
		{query.Epics, "state:Building", "state=building"},
		{query.Epics, "state:started", "one(state=started, state in [started])"},
		{query.Epics, "!state:unstarted", "not one(state=unstarted, state in [backlog unstarted])"},
		{query.Epics, "project:x comment:y z", "all(project=x, comment=y, z*)"},
		{query.Iterations, "a", "a*"},
		{query.Iterations, "comment:a", "one()"},
		{query.Iterations, "comment:??? a", "a*"},
		{query.Iterations, "is:archived", "one()"},
		{query.Iterations, "team:core", "team=core"},
		{query.Iterations, "state:unstarted", "startdate in 2026-06-16..*"},
		{query.Iterations, "is:started", "all(startdate in *..2026-06-16, enddate in 2026-06-15..*)"},
		{query.Iterations, "state:done", "enddate in *..2026-06-15"},
		{query.Iterations, "state:later", "one()"},
		{query.Iterations, "startdate:2026-01-31", "startdate in 2026-01-31..2026-02-01"},
		{query.Iterations, "enddate:tomorrow..*", "enddate in 2026-06-16..*"},
		{query.Iterations, "startDate:*..today", "startdate in *..2026-06-16"},
		{query.Objectives, "state:done", "state in [done]"},
		{query.Objectives, `state:"to do"`, "state in [unstarted]"},
		{query.Objectives, `state:"In Progress"`, "state in [started]"},
		{query.Objectives, "state:later", "one()"},
		{query.Objectives, "is:archived", "+archived"},
		{query.Objectives, "owner:ada", "one()"},
		{query.Objectives, "has:owner", "one()"},
		{query.Objectives, "completed:2026-01-31..*", "completed in 2026-01-30T22:00:00Z..*"},
	} {
		e, err := query.Parse(c.text, scene(c.entity))
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
		} else if got := show(e); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

const expectedDate = "expected a date such as 2026-01-31, today, yesterday or a range such as 2026-01-01..2026-01-31 with * for an open end"

func TestParseErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"is:foo", "is:foo at character 1: expected one of story, epic, unstarted, started, done, archived, overdue, unestimated, blocked, blocker"},
		{"a -has:x", "has:x at character 4: expected one of attachment, task, epic, branch, commit, pr, comment, label, deadline, owner"},
		{"ü (type:x)", "type:x at character 4: expected one of feature, bug, chore"},
		{"id:x", "id:x at character 1: expected a whole number"},
		{"id:-1", "id:-1 at character 1: expected a whole number"},
		{"id:9223372036854775808", "id:9223372036854775808 at character 1: expected a whole number"},
		{"estimate:1.5", "estimate:1.5 at character 1: expected a whole number"},
		{"title: x", "title: at character 1: a value must follow the colon"},
		{`owner:" "`, `owner:" " at character 1: a value must follow the colon`},
		{`state:"ready for`, `state:"ready at character 1: the quote is not closed`},
		{"pr:x", "pr:x at character 1: expected a pull request's number or its URL"},
		{"pr:0", "pr:0 at character 1: expected a pull request's number or its URL"},
		{"commit:abc", "commit:abc at character 1: expected a commit's whole hash or its URL"},
		{"commit:abcdefg", "commit:abcdefg at character 1: expected a commit's whole hash or its URL"},
		{"created:soon", "created:soon at character 1: " + expectedDate},
		{"created:2026-02-30", "created:2026-02-30 at character 1: " + expectedDate},
		{"created:2026-1-2", "created:2026-1-2 at character 1: " + expectedDate},
		{"created:2026-01-31T00:00:00Z", "created:2026-01-31T00:00:00Z at character 1: " + expectedDate},
		{"created:*", "created:* at character 1: " + expectedDate},
		{"created:..", "created:.. at character 1: " + expectedDate},
		{"created:2026-01-01..2026-01-02..*", "created:2026-01-01..2026-01-02..* at character 1: " + expectedDate},
		{"created:2026-01-01..today", "created:2026-01-01..today at character 1: a range has either two dates or two words such as today"},
		{"created:2026-01-02..2026-01-01", "created:2026-01-02..2026-01-01 at character 1: the range ends before it begins"},
		{"created:tomorrow", "created:tomorrow at character 1: tomorrow goes with due, startdate and enddate only"},
		{"startdate:soon", "startdate:soon at character 1: " + expectedDate},
		{"is:" + strings.Repeat("x", 60), "is:" + strings.Repeat("x", 57) + "… at character 1: expected one of story, epic, unstarted, started, done, archived, overdue, unestimated, blocked, blocker"},
		{strings.Repeat("(", query.MaxDepth+1), "( at character 21: parentheses may be 20 deep"},
		{strings.Repeat("a ", query.MaxTerms+1), "a at character 201: a query has at most 100 terms"},
		{strings.Repeat("é", query.MaxLength+1), "at character 4001: a query has at most 4000 characters"},
	} {
		for _, entity := range []query.Entity{query.Stories, query.Epics, query.Iterations, query.Objectives} {
			_, err := query.Parse(c.text, scene(entity))
			var e *query.Error
			if !errors.As(err, &e) || e.Error() != c.want {
				t.Errorf("%s\n got %v\nwant %s", c.text, err, c.want)
			}
		}
	}
	for _, text := range []string{
		strings.Repeat("(", query.MaxDepth) + "a",
		strings.Repeat("(a) ", query.MaxTerms),
		strings.Repeat("a ", query.MaxTerms),
		strings.Repeat("é", query.MaxLength),
	} {
		if _, err := query.Parse(text, scene(query.Stories)); err != nil {
			t.Errorf("a query at the bound: %v", err)
		}
	}
}

func TestTexts(t *testing.T) {
	e, err := query.Parse("a -b (title:c OR -(d type:bug)) is:archived comment:e", scene(query.Stories))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, text := range query.Texts(e) {
		got = append(got, show(text))
	}
	if want := "a title=c comment=e*"; strings.Join(got, " ") != want {
		t.Errorf("got %v, want %s", got, want)
	}
}
