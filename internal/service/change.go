package service

import (
	"context"

	"milepost/internal/store"
	"milepost/internal/tracker"
)

// changeBytes bounds what a page of the change log takes in memory.
const changeBytes = 16 << 20

// ChangePage is a part of the change log.
type ChangePage struct {
	Changes []tracker.Change
	Last    int64 // the number of the newest change there is
	Known   bool  // whether the log knows the number that was asked for
}

// Changes reads the change log on from the change after the number: at most limit changes, and fewer,
// but one at least, where they are large.
func (s *Service) Changes(ctx context.Context, by tracker.Actor, after, limit int64) (ChangePage, error) {
	return read(ctx, s, by, func(tx *store.Tx) (page ChangePage, err error) {
		if page.Last, err = tx.ChangeNumber(); err != nil {
			return page, err
		}
		page.Known = after >= 0 && after <= page.Last
		if !page.Known || after == page.Last {
			return page, nil
		}
		to, err := tx.LastWithin(after, limit, changeBytes)
		if err != nil {
			return page, err
		}
		page.Changes, err = tx.Changes(after, max(1, int(to-after)))
		return page, err
	})
}
