package query

import (
	"math"

	"milepost/internal/tracker"
)

// Expr is a parsed query: And, Or, Not over the conditions Text, Number, Type, Name, State, Dates
// and Flag. It is normalised: And and Or are flat and have either two or more members or none, All
// and None stand alone, and a Not holds neither a Not nor one of those two.
type Expr interface{ expr() }

// And holds where all of its members hold, Or where one does.
type (
	And []Expr
	Or  []Expr
	Not struct{ Of Expr }
)

// Text asks for words that follow one another within one part: one title, one description or one
// comment. Words has at least one element, folded as by Words.
type Text struct {
	Part   Part
	Words  []string
	Prefix bool // the last word may go on
}

// Number compares a whole number: Field is ID or Estimate.
type Number struct {
	Field Field
	Value int64
}

// Type asks for stories of a type.
type Type struct{ Of tracker.StoryType }

// Name asks for what is connected with something of a name or id. It matches by any one of ID,
// UUID and the name's Key; those that the value cannot be are zero.
type Name struct {
	Field    Field
	ID       int64        // also the number of a pull request
	UUID     tracker.UUID // of a member, team or value of a custom field
	Key      string       // folded as by Key
	Text     string       // as written: the URL of a commit or pull request is compared as it is
	Fragment bool         // Key may be any part of the name's key
}

// State asks for those whose state is of one of the types.
type State struct{ Types []tracker.StateType }

// Dates asks for a time in From ≤ t < To; what has no such time does not match. An open side is
// Ever or Never. StartDate and EndDate are days kept as midnights UTC, the others are instants.
type Dates struct {
	Field    Field
	From, To tracker.Time
}

// The open ends of Dates.
const (
	Ever  tracker.Time = math.MinInt64
	Never tracker.Time = math.MaxInt64
)

// Flag asks for a property that is there or not.
type Flag string

// The flags. Attachments are uploaded and linked files. Unestimated is no estimate or 0.
const (
	Archived      Flag = "archived"
	Blocked       Flag = "blocked"
	Blocker       Flag = "blocker"
	Unestimated   Flag = "unestimated"
	HasAttachment Flag = "attachment"
	HasTask       Flag = "task"
	HasEpic       Flag = "epic"
	HasBranch     Flag = "branch"
	HasCommit     Flag = "commit"
	HasPR         Flag = "pr"
	HasComment    Flag = "comment"
	HasLabel      Flag = "label"
	HasOwner      Flag = "owner"
)

func (And) expr()    {}
func (Or) expr()     {}
func (Not) expr()    {}
func (Text) expr()   {}
func (Number) expr() {}
func (Type) expr()   {}
func (Name) expr()   {}
func (State) expr()  {}
func (Dates) expr()  {}
func (Flag) expr()   {}

// Part is where text is looked for. Their order is the order of results: who has a word in the
// title comes before who has it in the description, and those before who has it in a comment.
type Part int

// The parts.
const (
	Anywhere Part = iota
	Title
	Description
	Comment
)

// Field is what a condition compares.
type Field string

// The fields. Those of custom fields are their canonical names.
const (
	ID       Field = "id"
	Estimate Field = "estimate"

	Project       Field = "project"   // of an epic: where some story of it is
	Epic          Field = "epic"      // of a story
	Objective     Field = "objective" // of an epic; of a story: that of its epic
	Iteration     Field = "iteration" // of a story
	StateName     Field = "state"     // of a story or epic: the state's name or id
	Label         Field = "label"
	Owner         Field = "owner"     // by mention name or member id
	Requester     Field = "requester" // by mention name or member id
	Team          Field = "team"      // by name, mention name or id of the group
	SkillSet      Field = "skill-set"
	ProductArea   Field = "product-area"
	TechnicalArea Field = "technical-area"
	Priority      Field = "priority"
	Severity      Field = "severity"
	Branch        Field = "branch" // by name
	Commit        Field = "commit" // by the whole hash, which is Key, or URL
	PR            Field = "pr"     // by number or URL

	Created   Field = "created"
	Updated   Field = "updated"
	Completed Field = "completed"
	Moved     Field = "moved"
	Due       Field = "due"
	StartDate Field = "startdate"
	EndDate   Field = "enddate"
)

// All matches everything, None nothing.
func All() Expr  { return And{} }
func None() Expr { return Or{} }

// Texts lists the conditions on text which can make an entity match, that is those under no Not.
// The best part in which one of them hits is the entity's place in the results, before its id; an
// entity that matches without such a hit comes last.
func Texts(e Expr) []Text {
	var found []Text
	switch e := e.(type) {
	case And:
		for _, sub := range e {
			found = append(found, Texts(sub)...)
		}
	case Or:
		for _, sub := range e {
			found = append(found, Texts(sub)...)
		}
	case Text:
		found = append(found, e)
	}
	return found
}

// all, one and not build normalised expressions.
func all(exprs []Expr) Expr {
	flat := And{}
	for _, e := range exprs {
		switch e := e.(type) {
		case And:
			flat = append(flat, e...)
		case Or:
			if len(e) == 0 {
				return None()
			}
			flat = append(flat, e)
		default:
			flat = append(flat, e)
		}
	}
	if len(flat) == 1 {
		return flat[0]
	}
	return flat
}

func one(exprs []Expr) Expr {
	flat := Or{}
	for _, e := range exprs {
		switch e := e.(type) {
		case Or:
			flat = append(flat, e...)
		case And:
			if len(e) == 0 {
				return All()
			}
			flat = append(flat, e)
		default:
			flat = append(flat, e)
		}
	}
	if len(flat) == 1 {
		return flat[0]
	}
	return flat
}

func not(e Expr) Expr {
	switch e := e.(type) {
	case Not:
		return e.Of
	case And:
		if len(e) == 0 {
			return None()
		}
	case Or:
		if len(e) == 0 {
			return All()
		}
	}
	return Not{e}
}
