package query

import (
	"errors"
	"strconv"
	"strings"

	"milepost/internal/tracker"
)

// value is what stands after an operator's colon, or a term of text.
type value struct {
	text   string
	quoted bool
	last   bool // the query ends with it, so that its writer may not be done
	scene  Scene
}

func readAll(value) (Expr, error) { return All(), nil }

func readFlag(f Flag) func(value) (Expr, error) {
	return func(value) (Expr, error) { return f, nil }
}

// readText gives nil for text that has nothing to look for.
func readText(part Part) func(value) (Expr, error) {
	return func(v value) (Expr, error) {
		words := Words(v.text)
		if len(words) == 0 {
			return nil, nil
		}
		return Text{part, words, v.last}, nil
	}
}

func readNumber(f Field) func(value) (Expr, error) {
	return func(v value) (Expr, error) {
		n, ok := wholeNumber(v.text)
		if !ok {
			return nil, errors.New("expected a whole number")
		}
		return Number{f, n}, nil
	}
}

func wholeNumber(text string) (int64, bool) {
	n, err := strconv.ParseUint(text, 10, 63)
	if err != nil {
		return 0, false
	}
	return int64(n), true
}

func readType(v value) (Expr, error) {
	switch t := tracker.StoryType(strings.ToLower(v.text)); t {
	case tracker.Feat, tracker.Bug, tracker.Chore:
		return Type{t}, nil
	default:
		return nil, errors.New("expected one of feature, bug, chore")
	}
}

func readName(f Field) func(value) (Expr, error) {
	return func(v value) (Expr, error) { return named(f, v.text), nil }
}

func named(f Field, text string) Name {
	n := Name{Field: f, Key: Key(text), Text: text}
	n.ID, _ = wholeNumber(text)
	n.UUID, _ = tracker.ParseUUID(text)
	return n
}

// readFragment takes a part of the name, unless it is quoted or an id.
func readFragment(f Field) func(value) (Expr, error) {
	return func(v value) (Expr, error) {
		n := named(f, v.text)
		n.Fragment = !v.quoted && n.ID == 0
		return n, nil
	}
}

// readMention takes a mention name with or without its @.
func readMention(f Field) func(value) (Expr, error) {
	return func(v value) (Expr, error) { return named(f, strings.TrimPrefix(v.text, "@")), nil }
}

func readMember(f Field) func(value) (Expr, error) {
	return func(v value) (Expr, error) {
		n := named(f, strings.TrimPrefix(v.text, "@"))
		if n.Key == "me" {
			n.UUID = v.scene.Member
		}
		return n, nil
	}
}

const shortHash = 7

func readCommit(v value) (Expr, error) {
	n := named(Commit, v.text)
	n.ID = 0
	if !isURL(v.text) && (len(n.Key) < shortHash || strings.Trim(n.Key, "0123456789abcdef") != "") {
		return nil, errors.New("expected a commit's whole hash or its URL")
	}
	return n, nil
}

func readPullRequest(v value) (Expr, error) {
	n := named(PR, strings.TrimPrefix(v.text, "#"))
	if !isURL(v.text) && n.ID == 0 {
		return nil, errors.New("expected a pull request's number or its URL")
	}
	return n, nil
}

func isURL(text string) bool { return strings.Contains(text, "://") }
