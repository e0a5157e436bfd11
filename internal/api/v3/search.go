package v3

import (
	"context"
	"fmt"
	"net/url"
	"slices"

	"milepost/internal/api/rest"
	"milepost/internal/service"
	"milepost/internal/tracker"
)

// DefaultPageSize is how many results a page of a search has, and the most that it can have unless the
// operator allows more.
const DefaultPageSize = 25

// StorySearchResult is a story that was found. The slim form has ids in the place of what the full
// form has.
type StorySearchResult struct {
	StoryBase
	Branches          []Branch       `json:"branches,omitzero"`
	CommentIDs        []int64        `json:"comment_ids,omitzero"`
	Comments          []StoryComment `json:"comments,omitzero"`
	Commits           []Commit       `json:"commits,omitzero"`
	Description       *string        `json:"description,omitzero"`
	FileIDs           []int64        `json:"file_ids,omitzero"`
	Files             []UploadedFile `json:"files,omitzero"`
	LinkedFileIDs     []int64        `json:"linked_file_ids,omitzero"`
	LinkedFiles       []LinkedFile   `json:"linked_files,omitzero"`
	NumTasksCompleted int64          `json:"num_tasks_completed"`
	PullRequests      []PullRequest  `json:"pull_requests,omitzero"`
	TaskIDs           []int64        `json:"task_ids,omitzero"`
	Tasks             []Task         `json:"tasks,omitzero"`
}

// EpicSearchResult is an epic that was found; the slim form has neither discussion nor health.
type EpicSearchResult struct {
	EpicSlim
	Comments []ThreadedComment `json:"comments,omitzero"`
	Health   *Health           `json:"health,omitzero"`
}

// ObjectiveSearchResult is a milestone that was found; the slim form has no description.
type ObjectiveSearchResult struct {
	Milestone
	Description *string `json:"description,omitzero"`
}

// StorySearchResults is a page of the stories that were found.
type StorySearchResults struct {
	Found
	Data []StorySearchResult `json:"data"`
}

// EpicSearchResults is a page of the epics that were found.
type EpicSearchResults struct {
	Found
	Data []EpicSearchResult `json:"data"`
}

// IterationSearchResults is a page of the iterations that were found.
type IterationSearchResults struct {
	Found
	Data []Iteration `json:"data"`
}

// ObjectiveSearchResults is a page of the milestones that were found.
type ObjectiveSearchResults struct {
	Found
	Data []ObjectiveSearchResult `json:"data"`
}

// Found is what the pages of all searches share.
type Found struct {
	Cursors []string `json:"cursors" doc:"For each result what next must be to get the page after it."`
	Next    *string  `json:"next" doc:"The path and query string of the next page."`
	Total   int64    `json:"total" doc:"How many results there are on all pages together."`
}

// SearchResults has a page for each type of entity that was asked for.
type SearchResults struct {
	Epics      *EpicSearchResults      `json:"epics,omitzero"`
	Iterations *IterationSearchResults `json:"iterations,omitzero"`
	Milestones *ObjectiveSearchResults `json:"milestones,omitzero"`
	Stories    *StorySearchResults     `json:"stories,omitzero"`
}

type search struct {
	Query       string                `query:"query" json:"query" is:"required,min=1" doc:"What to look for; docs/search.md tells the language."`
	PageSize    tracker.Opt[int64]    `query:"page_size" json:"page_size" is:"least=1,most=25" doc:"How many results a page has; 25 unless given."`
	Detail      tracker.Opt[string]   `query:"detail" json:"detail" is:"enum=full|slim" doc:"Slim results have ids in the place of texts, comments, tasks and the like; full is the default."`
	EntityTypes tracker.Opt[[]string] `query:"entity_types" json:"entity_types" is:"enum=story|milestone|epic|iteration|objective,minitems=1" doc:"What to look for; by default stories and epics. Where the path names one type, this says nothing."`
	Next        tracker.Opt[string]   `query:"next" json:"next" doc:"The page token of the address in next of the page before."`
}

func (in search) full() bool { return in.Detail.Or("full") == "full" }

func (in search) params() service.SearchParams {
	return service.SearchParams{Query: in.Query, PageSize: in.PageSize.Or(DefaultPageSize), Next: in.Next.Or("")}
}

// Bounded gives an operation of search the page size that the operator allows.
func (a API) Bounded(r rest.Route) rest.Route { return r.AtMost("page_size", a.MaxPageSize).Pages() }

// place is the operation that pages are of: its path and, in the search of all types, the type.
type place struct{ path, entityType string }

func onPath[T any](path string, find func(context.Context, tracker.Actor, search, place) (T, error)) rest.Func[search, T] {
	return func(ctx context.Context, by tracker.Actor, in search) (T, error) {
		return find(ctx, by, in, place{path: path})
	}
}

// FoundPage is what the pages of all searches share, for the page of params on a path with other
// parameters that the next page has as well.
func FoundPage[T any](by tracker.Actor, path string, p service.SearchParams, others string, r service.Results[T]) Found {
	out := Found{Cursors: r.Cursors, Total: r.Total}
	if r.Next != "" {
		// Some clients find the page token as the last parameter only, others not as the first.
		next := fmt.Sprintf("/api/%s%s?query=%s&page_size=%d%s&next=%s", by.Via, path, url.QueryEscape(p.Query), p.PageSize, others, r.Next)
		out.Next = &next
	}
	return out
}

func foundOf[T any](by tracker.Actor, in search, at place, r service.Results[T]) Found {
	others := "&detail=" + in.Detail.Or("full")
	if at.entityType != "" {
		others += "&entity_types=" + at.entityType
	}
	return FoundPage(by, at.path, in.params(), others, r)
}

func (a API) findStories(ctx context.Context, by tracker.Actor, in search, at place) (StorySearchResults, error) {
	r, err := a.Service.SearchStories(ctx, by, in.params(), in.full())
	out := StorySearchResults{Found: foundOf(by, in, at, r), Data: make([]StorySearchResult, len(r.Data.Stories))}
	forms := a.stories(by, &r.Data.StoryList)
	for i := range out.Data {
		if in.full() {
			out.Data[i] = fullStoryResult(forms.full(&r.Data, i), r.Data.Stories[i].TasksCompleted)
		} else {
			var slim StorySlim
			forms.slim(&slim, i, false)
			out.Data[i] = slimStoryResult(slim)
		}
	}
	return out, err
}

func fullStoryResult(s Story, tasksCompleted int64) StorySearchResult {
	return StorySearchResult{
		StoryBase: s.StoryBase, Branches: shown(s.Branches), Comments: shown(s.Comments), Commits: shown(s.Commits), Description: &s.Description,
		Files: shown(s.Files), LinkedFiles: shown(s.LinkedFiles), NumTasksCompleted: tasksCompleted, PullRequests: shown(s.PullRequests),
		Tasks: shown(s.Tasks),
	}
}

func slimStoryResult(s StorySlim) StorySearchResult {
	return StorySearchResult{
		StoryBase: s.StoryBase, CommentIDs: shown(s.CommentIDs), FileIDs: shown(s.FileIDs), LinkedFileIDs: shown(s.LinkedFileIDs),
		NumTasksCompleted: s.NumTasksCompleted, TaskIDs: shown(s.TaskIDs),
	}
}

// shown is the list for a field that is left out when it is nil.
func shown[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

func (a API) searchEpics(ctx context.Context, by tracker.Actor, in search, at place) (EpicSearchResults, error) {
	r, err := a.Service.SearchEpics(ctx, by, in.params(), in.full())
	return EpicSearchResults{Found: foundOf(by, in, at, r), Data: Each(a.RenderEpicSlims(by, r.Data.EpicList, in.full()), func(e EpicSlim) EpicSearchResult {
		out := EpicSearchResult{EpicSlim: e}
		if in.full() {
			out.Comments = shown(a.RenderThreads(by, r.Data.Threads[e.ID]))
		}
		if h, judged := r.Data.Health[e.ID]; judged {
			health := renderHealth(h)
			out.Health = &health
		}
		return out
	})}, err
}

func (a API) searchIterations(ctx context.Context, by tracker.Actor, in search, at place) (IterationSearchResults, error) {
	r, err := a.Service.SearchIterations(ctx, by, in.params())
	return IterationSearchResults{Found: foundOf(by, in, at, r), Data: Each(r.Data, func(i service.IterationView) Iteration { return a.renderIteration(by, i) })}, err
}

func (a API) searchMilestones(ctx context.Context, by tracker.Actor, in search, at place) (ObjectiveSearchResults, error) {
	r, err := a.Service.SearchMilestones(ctx, by, in.params())
	return ObjectiveSearchResults{Found: foundOf(by, in, at, r), Data: Each(r.Data, func(m service.MilestoneView) ObjectiveSearchResult {
		out := ObjectiveSearchResult{Milestone: a.renderMilestone(by, m)}
		if in.full() {
			out.Description = &m.Description
		}
		return out
	})}, err
}

// search looks for several types of entities. A page token belongs to one of them, which alone is
// then answered.
func (a API) search(ctx context.Context, by tracker.Actor, in search) (out SearchResults, err error) {
	types := in.EntityTypes.Or([]string{"story", "epic"})
	for i, t := range types {
		if t == "objective" {
			types[i] = "milestone"
		}
	}
	if in.Next.State == tracker.Given {
		types = slices.DeleteFunc(types, func(t string) bool { return !in.params().Continues(service.Searched(t)) })
		if len(types) == 0 {
			_, err := a.findStories(ctx, by, in, place{}) // says what is wrong with it
			return out, err
		}
	}
	for _, t := range types {
		at := place{"/search", t}
		switch service.Searched(t) {
		case service.SearchedStories:
			out.Stories, err = orNone(a.findStories(ctx, by, in, at))
		case service.SearchedEpics:
			out.Epics, err = orNone(a.searchEpics(ctx, by, in, at))
		case service.SearchedIterations:
			out.Iterations, err = orNone(a.searchIterations(ctx, by, in, at))
		case service.SearchedMilestones:
			out.Milestones, err = orNone(a.searchMilestones(ctx, by, in, at))
		}
		if err != nil {
			return out, err
		}
	}
	return out, nil
}

func orNone[T any](v T, err error) (*T, error) { return &v, err }
