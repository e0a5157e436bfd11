package service

import (
	"context"

	"milepost/internal/store"
	"milepost/internal/tracker"
)

// DocumentPage is one page of a search for documents; Next is the place that the next page starts
// behind, if there is one.
type DocumentPage struct {
	Documents []tracker.DocumentHit
	Total     int64
	Next      *tracker.DocumentRank
}

// SearchDocuments finds documents by the words of their titles.
func (s *Service) SearchDocuments(ctx context.Context, by tracker.Actor, q tracker.DocumentQuery) (DocumentPage, error) {
	return read(ctx, s, by, func(tx *store.Tx) (page DocumentPage, err error) {
		if len(q.Words) == 0 {
			return page, nil
		}
		if page.Total, err = tx.CountDocuments(q); err != nil {
			return page, err
		}
		size := q.Limit
		q.Limit++ // the one beyond tells whether there is a next page
		if page.Documents, err = tx.SearchDocuments(q); err != nil || len(page.Documents) <= size {
			return page, err
		}
		page.Documents = page.Documents[:size]
		page.Next = &page.Documents[size-1].DocumentRank
		return page, nil
	})
}
