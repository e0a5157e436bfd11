package service

import (
	"errors"
	"fmt"
	"slices"

	"milepost/internal/store"
	"milepost/internal/tracker"
)

// mustExist fails, naming the field, when one of the ids in a request names nothing in the workspace.
func mustExist[T comparable](w *work, kind, field string, ids ...T) error {
	missing, err := store.Missing(w.Tx, kind, ids)
	if err == nil && len(missing) > 0 {
		return tracker.Impossible(field, "names no existing %s: %v", kind, missing[0])
	}
	return err
}

// mustExistEach is mustExist for a list in which each bad item is named by its index; reason makes
// what is said of an item out of the sentence.
func mustExistEach[T comparable](w *work, kind, field string, ids []T, reason func(string) any) error {
	missing, err := store.Missing(w.Tx, kind, ids)
	if err != nil || len(missing) == 0 {
		return err
	}
	reasons := make([]any, len(ids))
	for i, id := range ids {
		if slices.Contains(missing, id) {
			reasons[i] = reason(fmt.Sprintf("names no existing %s: %v", kind, id))
		}
	}
	return tracker.ImpossibleItems(field, reasons)
}

// mustExistOpt is mustExist for an optional single reference.
func mustExistOpt[T comparable](w *work, kind, field string, id tracker.Opt[T]) error {
	if v, ok := id.Get(); ok {
		return mustExist(w, kind, field, v)
	}
	return nil
}

// distinct drops repeated ids, keeping the order of their first mention.
func distinct[T comparable](ids []T) []T {
	out, seen := make([]T, 0, len(ids)), make(map[T]bool, len(ids))
	for _, id := range ids {
		if !seen[id] {
			seen[id] = true
			out = append(out, id)
		}
	}
	return out
}

// without is the list less one id.
func without[T comparable](ids []T, gone T) []T {
	return slices.DeleteFunc(slices.Clone(ids), func(id T) bool { return id == gone })
}

// inline finds the entities that a request names in its params, by the folded name, and creates
// those that do not exist yet. A name given twice is one entity, in the place of its first mention.
func inline[P, E any](params []P, find func(keys []string) ([]E, error), asked func(P) string, named func(E) string, create func(P) (E, error)) ([]E, error) {
	if len(params) == 0 {
		return nil, nil
	}
	keys := make([]string, len(params))
	for i, p := range params {
		keys[i] = tracker.Fold(asked(p))
	}
	existing, err := find(keys)
	if err != nil {
		return nil, err
	}
	byKey := map[string]E{}
	for _, e := range existing {
		byKey[tracker.Fold(named(e))] = e
	}
	var out []E
	used := map[string]bool{}
	for i, p := range params {
		if used[keys[i]] {
			continue
		}
		used[keys[i]] = true
		e, ok := byKey[keys[i]]
		if !ok {
			if e, err = create(p); err != nil {
				return nil, err
			}
		}
		out = append(out, e)
	}
	return out, nil
}

// place sets the position that a request asks for by naming another entity of the kind to stand
// before or after, if it names one.
func place[ID comparable](position *int64, kind string, id ID, before, after tracker.Opt[ID],
	beside func(id, neighbour ID, after bool) (int64, error)) error {
	field, neighbour := "before_id", before
	switch {
	case before.State != tracker.Given && after.State != tracker.Given:
		return nil
	case before.State == tracker.Given && after.State == tracker.Given:
		return tracker.Impossible("before_id", "cannot be combined with after_id")
	case after.State == tracker.Given:
		field, neighbour = "after_id", after
	}
	if neighbour.Value == id {
		return tracker.Impossible(field, "must name another %s", kind)
	}
	p, err := beside(id, neighbour.Value, field == "after_id")
	if errors.Is(err, tracker.ErrNotFound) {
		return tracker.Impossible(field, "names no existing %s: %v", kind, neighbour.Value)
	}
	if err == nil {
		*position = p
	}
	return err
}

// labelIDs finds or creates the labels named inline and returns their ids.
func (w *work) labelIDs(params []tracker.LabelParams) ([]int64, error) {
	labels, err := w.labelsNamed(params)
	ids := make([]int64, len(labels))
	for i, l := range labels {
		ids[i] = l.ID
	}
	return ids, err
}

// mentions lists the existing members and groups that a text mentions. The versions before v3 read
// a bare @name, too.
func (w *work) mentions(text string) (members, groups []tracker.UUID, err error) {
	members, groups = tracker.Mentions(text)
	if members, err = existing(w, "member", members); err != nil {
		return nil, nil, err
	}
	if w.by.Via == "v1" || w.by.Via == "v2" {
		bare, err := w.membersNamed(tracker.BareMentions(text))
		if err != nil {
			return nil, nil, err
		}
		members = distinct(append(members, bare...))
	}
	groups, err = existing(w, "group", groups)
	return members, groups, err
}

// membersNamed finds, for each list of mention names, the member with the first of them that exists.
func (w *work) membersNamed(mentions [][]string) ([]tracker.UUID, error) {
	var keys []string
	for _, names := range mentions {
		for _, name := range names {
			keys = append(keys, tracker.Fold(name))
		}
	}
	found, err := w.MembersByMention(distinct(keys))
	byKey := map[string]tracker.UUID{}
	for _, m := range found {
		byKey[tracker.Fold(m.MentionName)] = m.ID
	}
	var out []tracker.UUID
	for _, names := range mentions {
		for _, name := range names {
			if id, ok := byKey[tracker.Fold(name)]; ok {
				out = append(out, id)
				break
			}
		}
	}
	return out, err
}

func existing[T comparable](w *work, kind string, ids []T) ([]T, error) {
	missing, err := store.Missing(w.Tx, kind, ids)
	return slices.DeleteFunc(ids, func(id T) bool { return slices.Contains(missing, id) }), err
}
