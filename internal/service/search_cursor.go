package service

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"milepost/internal/store"
	"milepost/internal/tracker"
)

// A cursor names a place in the results of one query: the tier and id of a result and, after a ~,
// its number from 0. The rest is a checksum of all that and of the query, so that a cursor that was
// changed, or goes with another query, is noticed. Clients cut it out of addresses and decode it
// once too often: it has only letters, digits and the ~.
const (
	cursorBytes = 20
	placeBytes  = 1 + 8
)

func newCursor(kind Searched, text string, hit store.SearchHit, number int64) string {
	place := binary.BigEndian.AppendUint64([]byte{byte(hit.Tier)}, uint64(hit.ID))
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %x %d %s", kind, place, number, text))
	return hex.EncodeToString(append(place, sum[:cursorBytes-placeBytes]...)) + "~" + strconv.FormatInt(number, 10)
}

// cursorOf reads the cursor that a page comes after, and how many results come before that page.
func cursorOf(kind Searched, p SearchParams) (after *store.SearchHit, served int64, err error) {
	if p.Next == "" {
		return nil, 0, nil
	}
	head, tail, _ := strings.Cut(p.Next, "~")
	place, hexErr := hex.DecodeString(head)
	number, numberErr := strconv.ParseInt(tail, 10, 64)
	if hexErr == nil && numberErr == nil && len(place) == cursorBytes {
		after = &store.SearchHit{Tier: int64(place[0]), ID: int64(binary.BigEndian.Uint64(place[1:placeBytes]))}
	}
	switch {
	case after == nil || newCursor(kind, p.Query, *after, number) != p.Next:
		return nil, 0, tracker.InvalidFields(map[string]any{"next": "must be what the page before gave for the same query"})
	case number+1 >= tracker.MaxResults:
		return nil, 0, tracker.ErrPastResults
	}
	return after, number + 1, nil
}

// Continues reports whether the page token belongs to a search for the kind.
func (p SearchParams) Continues(kind Searched) bool {
	_, _, err := cursorOf(kind, p)
	return err == nil || errors.Is(err, tracker.ErrPastResults)
}
