package v2

import (
	"context"

	"milepost/internal/api/v3"
	"milepost/internal/service"
	"milepost/internal/tracker"
)

// EpicSearchResults is a page of the epics that were found.
type EpicSearchResults struct {
	Data  []Epic  `json:"data"`
	Next  *string `json:"next"`
	Total int64   `json:"total"`
}

// StorySearchResults is a page of the stories that were found.
type StorySearchResults struct {
	Data  []Story `json:"data"`
	Next  *string `json:"next"`
	Total int64   `json:"total"`
}

type search struct {
	Query    string              `query:"query" json:"query" is:"required,min=1" doc:"What to look for; docs/search.md tells the language."`
	PageSize tracker.Opt[int64]  `query:"page_size" json:"page_size" is:"least=1,most=25" doc:"How many results a page has; 25 unless given."`
	Next     tracker.Opt[string] `query:"next" json:"next" doc:"The page token of the address in next of the page before."`
}

func (in search) params() service.SearchParams {
	return service.SearchParams{Query: in.Query, PageSize: in.PageSize.Or(v3.DefaultPageSize), Next: in.Next.Or("")}
}

func (a API) searchEpics(ctx context.Context, by tracker.Actor, in search) (EpicSearchResults, error) {
	r, err := a.Service.SearchEpics(ctx, by, in.params(), false)
	if err != nil {
		return EpicSearchResults{}, err
	}
	found := v3.FoundPage(by, "/search/epics", in.params(), "", r)
	data, err := a.renderEpics(ctx, by, r.Data.EpicList, nil)
	return EpicSearchResults{data, found.Next, found.Total}, err
}

func (a API) findStories(ctx context.Context, by tracker.Actor, in search) (StorySearchResults, error) {
	r, err := a.Service.SearchStories(ctx, by, in.params(), true)
	found := v3.FoundPage(by, "/search/stories", in.params(), "", r)
	out := StorySearchResults{Data: make([]Story, len(r.Data.Stories)), Next: found.Next, Total: found.Total}
	for i := range out.Data {
		out.Data[i] = showStory(a.RenderStory(by, r.Data, i))
	}
	return out, err
}
