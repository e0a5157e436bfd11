package query

import (
	"fmt"
	"slices"
	"strings"

	"milepost/internal/tracker"
)

// operator is one word of the language. For an entity that it does not apply to it matches nothing,
// but its value is judged all the same: whether a query is well-formed does not depend on what is
// searched.
type operator struct {
	names    string // the first is the one that documents use
	entities Entity
	read     func(value) (Expr, error)
}

const everything = Stories | Epics | Iterations | Objectives

var operators = []operator{
	{"id", everything, readNumber(ID)},
	{"title", everything, readText(Title)},
	{"description", everything, readText(Description)},
	{"comment", Stories | Epics, readText(Comment)},
	{"type", Stories, readType},
	{"estimate", Stories, readNumber(Estimate)},
	{"state", everything, readState},

	{"project", Stories | Epics, readName(Project)},
	{"epic", Stories, readFragment(Epic)},
	{"objective milestone", Stories | Epics, readName(Objective)},
	{"iteration", Stories, readName(Iteration)},
	{"label", Stories | Epics, readName(Label)},
	{"owner", Stories | Epics, readMember(Owner)},
	{"requester", Stories | Epics, readMember(Requester)},
	{"team", Stories | Epics | Iterations, readMention(Team)},
	{"skill-set skillset", Stories, readName(SkillSet)},
	{"product-area productarea", Stories, readName(ProductArea)},
	{"technical-area technicalarea", Stories, readName(TechnicalArea)},
	{"priority", Stories, readName(Priority)},
	{"severity", Stories, readName(Severity)},
	{"branch", Stories, readName(Branch)},
	{"commit", Stories, readCommit},
	{"pr", Stories, readPullRequest},

	{"created", everything, readInstants(Created)},
	{"updated", everything, readInstants(Updated)},
	{"completed", Stories | Epics | Objectives, readInstants(Completed)},
	{"moved", Stories, readInstants(Moved)},
	{"due", Stories | Epics, readInstants(Due)},
	{"startdate", Iterations, readDays(StartDate)},
	{"enddate", Iterations, readDays(EndDate)},

	{"is:story", Stories, readAll},
	{"is:epic", Epics, readAll},
	{"is:unstarted", everything, readStateType(tracker.Backlog, tracker.Unstarted)},
	{"is:started", everything, readStateType(tracker.Started)},
	{"is:done", everything, readStateType(tracker.Done)},
	{"is:archived", Stories | Epics | Objectives, readFlag(Archived)},
	{"is:overdue", Stories | Epics, readOverdue},
	{"is:unestimated", Stories, readFlag(Unestimated)},
	{"is:blocked", Stories, readFlag(Blocked)},
	{"is:blocker", Stories, readFlag(Blocker)},

	{"has:attachment", Stories, readFlag(HasAttachment)},
	{"has:task", Stories, readFlag(HasTask)},
	{"has:epic", Stories, readFlag(HasEpic)},
	{"has:branch", Stories, readFlag(HasBranch)},
	{"has:commit", Stories, readFlag(HasCommit)},
	{"has:pr", Stories, readFlag(HasPR)},
	{"has:comment", Stories | Epics, readFlag(HasComment)},
	{"has:label", Stories | Epics, readFlag(HasLabel)},
	{"has:deadline", Stories | Epics, readDue},
	{"has:owner", Stories | Epics, readFlag(HasOwner)},
}

// byName finds operators by each of their names; choices lists the values of is and has.
var byName, choices = func() (map[string]operator, map[string][]string) {
	byName, choices := map[string]operator{}, map[string][]string{}
	for _, o := range operators {
		for _, name := range strings.Fields(o.names) {
			byName[name] = o
			if family, choice, ok := strings.Cut(name, ":"); ok {
				choices[family] = append(choices[family], choice)
			}
		}
	}
	return byName, choices
}()

func isOperator(name string) bool {
	_, ok := byName[name]
	return ok || choices[name] != nil
}

// read gives the condition of an operator with a value.
func read(name string, v value) (Expr, error) {
	if known := choices[name]; known != nil {
		choice := strings.ToLower(v.text)
		if !slices.Contains(known, choice) {
			return nil, fmt.Errorf("expected one of %s", strings.Join(known, ", "))
		}
		name += ":" + choice
	}
	o := byName[name]
	e, err := o.read(v)
	if e != nil && o.entities&v.scene.Entity == 0 {
		e = None()
	}
	return e, err
}
