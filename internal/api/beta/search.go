package beta

import "milepost/internal/api/v3"

// ObjectiveSearchResult is v3's with categories that have a type.
type ObjectiveSearchResult struct {
	v3.ObjectiveSearchResult
	Categories []Category `json:"categories"`
}

// ObjectiveSearchResults is a page of the milestones that were found.
type ObjectiveSearchResults struct {
	v3.Found
	Data []ObjectiveSearchResult `json:"data"`
}

func showObjectives(r v3.ObjectiveSearchResults) ObjectiveSearchResults {
	return ObjectiveSearchResults{r.Found, v3.Each(r.Data, func(m v3.ObjectiveSearchResult) ObjectiveSearchResult {
		return ObjectiveSearchResult{m, v3.Each(m.Categories, showCategory)}
	})}
}

// SearchResults has a page for each type of entity that was asked for.
type SearchResults struct {
	v3.SearchResults
	Milestones *ObjectiveSearchResults `json:"milestones,omitzero"`
}

func showSearch(r v3.SearchResults) SearchResults {
	out := SearchResults{SearchResults: r}
	if r.Milestones != nil {
		milestones := showObjectives(*r.Milestones)
		out.Milestones = &milestones
	}
	return out
}
