package tracker

import "slices"

// Place says beside which neighbour something is to stand; the zero Place leaves it where it is.
type Place struct {
	BeforeID, AfterID Opt[int64]
}

// Arrange moves the id to its place in the list. The neighbour must be in the list too: among says
// what that is, for the client.
func (p Place) Arrange(ids []int64, id int64, among string) ([]int64, error) {
	field, neighbour, after := "before_id", p.BeforeID.Value, 0
	switch {
	case p.BeforeID.State == Given && p.AfterID.State == Given:
		return nil, Impossible("after_id", "cannot be given together with before_id")
	case p.AfterID.State == Given:
		field, neighbour, after = "after_id", p.AfterID.Value, 1
	case p.BeforeID.State != Given:
		return ids, nil
	}
	others := slices.DeleteFunc(slices.Clone(ids), func(other int64) bool { return other == id })
	at := slices.Index(others, neighbour)
	if at < 0 {
		return nil, Impossible(field, "must name %s", among)
	}
	return slices.Insert(others, at+after, id), nil
}

// Numbered gives each id of an ordered list its position, from 1.
func Numbered(ids []int64) map[int64]int64 {
	positions := map[int64]int64{}
	for i, id := range ids {
		positions[id] = int64(i + 1)
	}
	return positions
}
