package service

import (
	"context"
	"errors"

	"milepost/internal/query"
	"milepost/internal/store"
	"milepost/internal/tracker"
)

// Searched is a kind of entity that can be searched for, by its name in requests.
type Searched string

// The kinds; a milestone is an objective.
const (
	SearchedStories    Searched = "story"
	SearchedEpics      Searched = "epic"
	SearchedIterations Searched = "iteration"
	SearchedMilestones Searched = "milestone"
)

var searchEntities = map[Searched]query.Entity{
	SearchedStories: query.Stories, SearchedEpics: query.Epics, SearchedIterations: query.Iterations, SearchedMilestones: query.Objectives,
}

// SearchParams asks for a page of results.
type SearchParams struct {
	Query    string
	PageSize int64
	Next     string // the cursor of the result that the page comes after; empty for the first page
}

// Results is a page of what a search found.
type Results[T any] struct {
	Data    T
	Total   int64
	Cursors []string // of the results
	Next    string   // the last of the cursors, when there are more results
}

// SearchStories finds stories; only the full ones come with their comments, tasks and the like.
func (s *Service) SearchStories(ctx context.Context, by tracker.Actor, p SearchParams, full bool) (Results[StoryDetail], error) {
	return search(ctx, s, by, SearchedStories, p, func(tx *store.Tx, ids []int64) (StoryDetail, error) {
		stories, err := tx.StoriesByID(ids)
		if err != nil {
			return StoryDetail{}, err
		}
		if full {
			return detailStories(tx, stories)
		}
		list, err := viewStories(tx, stories)
		return StoryDetail{StoryList: list}, err
	})
}

// SearchEpics finds epics; only the full ones come with their discussions and health.
func (s *Service) SearchEpics(ctx context.Context, by tracker.Actor, p SearchParams, full bool) (Results[EpicDetails], error) {
	return search(ctx, s, by, SearchedEpics, p, func(tx *store.Tx, ids []int64) (EpicDetails, error) {
		epics, err := tx.EpicsByID(ids)
		if err != nil {
			return EpicDetails{}, err
		}
		if full {
			return detailEpics(tx, epics)
		}
		list, err := viewEpics(tx, epics)
		return EpicDetails{EpicList: list}, err
	})
}

// SearchIterations finds iterations.
func (s *Service) SearchIterations(ctx context.Context, by tracker.Actor, p SearchParams) (Results[[]IterationView], error) {
	return search(ctx, s, by, SearchedIterations, p, func(tx *store.Tx, ids []int64) ([]IterationView, error) {
		list, err := tx.IterationsByID(ids)
		if err != nil {
			return nil, err
		}
		return viewIterations(tx, list, tracker.TimeOf(s.now()))
	})
}

// SearchMilestones finds milestones.
func (s *Service) SearchMilestones(ctx context.Context, by tracker.Actor, p SearchParams) (Results[[]MilestoneView], error) {
	return search(ctx, s, by, SearchedMilestones, p, func(tx *store.Tx, ids []int64) ([]MilestoneView, error) {
		list, err := tx.MilestonesByID(ids)
		if err != nil {
			return nil, err
		}
		return viewMilestones(tx, list)
	})
}

// search finds a page of results and loads them, all of one snapshot.
func search[T any](ctx context.Context, s *Service, by tracker.Actor, kind Searched, p SearchParams,
	load func(*store.Tx, []int64) (T, error)) (Results[T], error) {
	return read(ctx, s, by, func(tx *store.Tx) (out Results[T], err error) {
		after, served, err := cursorOf(kind, p)
		if err != nil {
			return out, err
		}
		expr, err := s.parse(tx, by, kind, p.Query)
		if err != nil {
			return out, err
		}
		size := min(p.PageSize, tracker.MaxResults-served)
		page, err := tx.Search(store.SearchQuery{Entity: searchEntities[kind], Expr: expr, After: after, Limit: int(size) + 1})
		if err != nil {
			return out, err
		}
		out.Total = page.Total
		more := int64(len(page.Hits)) > size
		if more {
			page.Hits = page.Hits[:size]
		}
		ids := make([]int64, len(page.Hits))
		for i, hit := range page.Hits {
			ids[i] = hit.ID
			out.Cursors = append(out.Cursors, newCursor(kind, p.Query, hit, served+int64(i)))
		}
		if more {
			out.Next = out.Cursors[size-1]
		}
		out.Data, err = load(tx, ids)
		return out, err
	})
}

// parse reads a query; the error says what of it is malformed.
func (s *Service) parse(tx *store.Tx, by tracker.Actor, kind Searched, text string) (query.Expr, error) {
	var failed error
	expr, err := query.Parse(text, query.Scene{
		Entity: searchEntities[kind], Member: by.Member, Now: tracker.TimeOf(s.now()),
		Offset: func() tracker.Time {
			ws, err := tx.Workspace()
			if err != nil {
				failed = err
				return 0
			}
			return ws.Offset()
		},
	})
	if failed != nil {
		return nil, failed
	}
	var malformed *query.Error
	if errors.As(err, &malformed) {
		return nil, tracker.InvalidFields(map[string]any{"query": malformed.Error()})
	}
	return expr, err
}
