package service

import (
	"context"
	"iter"

	"milepost/internal/store"
	"milepost/internal/tracker"
)

// StoryList is stories together with what their slim forms show of other entities, loaded in a
// fixed number of queries.
type StoryList struct {
	Stories []tracker.Story
	Labels  map[int64]tracker.Label
	Links   map[int64]tracker.StoryLink
	// Fields holds the values of enabled custom fields, by the id of the value.
	Fields map[tracker.UUID]string
}

// viewStories loads what the stories refer to; what no story refers to costs no query.
func viewStories(tx *store.Tx, stories []tracker.Story) (StoryList, error) {
	view := StoryList{Stories: stories}
	err := tx.Together(view.parts(tx)...)
	return view, err
}

// parts load the view.
func (view *StoryList) parts(tx *store.Tx) (parts []func(*store.Tx) error) {
	stories := view.Stories
	var links []int64
	catalog := false
	for i := range stories {
		links = append(links, stories[i].LinkIDs()...)
		catalog = catalog || len(stories[i].LabelIDs)+len(stories[i].CustomFields) > 0
	}
	if catalog {
		known, ok := tx.KnownCatalog(stories[0].CatalogNumber)
		if view.Labels, view.Fields = known.Labels, known.Values; !ok {
			parts = append(parts, func(tx *store.Tx) error {
				found, err := tx.Catalog(stories[0].CatalogNumber, func() []int64 { return labelsOf(stories) })
				view.Labels, view.Fields = found.Labels, found.Values
				return err
			})
		}
	}
	if len(links) > 0 {
		parts = append(parts, func(tx *store.Tx) error {
			found, err := tx.StoryLinksByID(distinct(links))
			view.Links = make(map[int64]tracker.StoryLink, len(found))
			for _, l := range found {
				view.Links[l.ID] = l
			}
			return err
		})
	}
	return parts
}

func labelsOf(stories []tracker.Story) []int64 {
	var ids []int64
	for i := range stories {
		ids = append(ids, stories[i].LabelIDs...)
	}
	return distinct(ids)
}

// storyList reads a list of stories in their slim form.
func (s *Service) storyList(ctx context.Context, by tracker.Actor, find func(*store.Tx) ([]tracker.Story, error)) (StoryList, error) {
	return read(ctx, s, by, func(tx *store.Tx) (StoryList, error) {
		stories, err := find(tx)
		if err != nil {
			return StoryList{}, err
		}
		return viewStories(tx, stories)
	})
}

// StoryPages is a list of stories that may be long, page by page, all of one snapshot. It is read
// while it is ranged over, and without descriptions unless they are asked for.
type StoryPages func(descriptions bool) iter.Seq2[StoryList, error]

// FullStoryPages is StoryPages with the full forms.
type FullStoryPages iter.Seq2[StoryDetail, error]

// storyPages reads the pages of a query in their slim form.
func (s *Service) storyPages(ctx context.Context, by tracker.Actor, find func(*store.Tx) (store.StoryQuery, error)) StoryPages {
	return func(descriptions bool) iter.Seq2[StoryList, error] {
		return pagesOf(ctx, s, by, descriptions, find, viewStories)
	}
}

// fullStoryPages reads the pages of a query in their full form.
func (s *Service) fullStoryPages(ctx context.Context, by tracker.Actor, find func(*store.Tx) (store.StoryQuery, error)) FullStoryPages {
	return FullStoryPages(pagesOf(ctx, s, by, true, find, detailStories))
}

// pagesOf reads the pages of a query in one transaction. A list of up to StoryPageSize stories
// costs a fixed number of queries, and the transaction has ended before it is sent: clients may be slow.
func pagesOf[T any](ctx context.Context, s *Service, by tracker.Actor, descriptions bool, find func(*store.Tx) (store.StoryQuery, error),
	view func(*store.Tx, []tracker.Story) (T, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		wanted := true
		last, err := read(ctx, s, by, func(tx *store.Tx) (page T, err error) {
			query, err := find(tx)
			if err != nil {
				return page, err
			}
			for after := int64(0); ; {
				stories, err := tx.StoryPage(query, after, descriptions)
				if err != nil {
					return page, err
				}
				if page, err = view(tx, stories); err != nil || len(stories) < store.StoryPageSize {
					return page, err
				}
				if wanted = yield(page, nil); !wanted {
					return page, nil
				}
				after = stories[len(stories)-1].ID
			}
		})
		if wanted {
			yield(last, err)
		}
	}
}

// StoriesOfLabel lists the stories that carry the label.
func (s *Service) StoriesOfLabel(ctx context.Context, by tracker.Actor, id int64) StoryPages {
	return s.storyPages(ctx, by, func(tx *store.Tx) (store.StoryQuery, error) {
		l, err := tx.Label(id)
		return store.StoriesWithLabel(l), err
	})
}

// StoriesWithLink lists the stories that have the external link.
func (s *Service) StoriesWithLink(ctx context.Context, by tracker.Actor, link string) StoryPages {
	return s.storyPages(ctx, by, func(*store.Tx) (store.StoryQuery, error) { return store.StoriesWithLink(link), nil })
}

// SubTasks lists the sub-tasks of a story in their order.
func (s *Service) SubTasks(ctx context.Context, by tracker.Actor, id int64) (StoryList, error) {
	return s.storyList(ctx, by, func(tx *store.Tx) ([]tracker.Story, error) {
		story, err := tx.Story(id)
		if err != nil || len(story.SubTaskIDs) == 0 {
			return nil, err
		}
		return tx.StoriesByID(story.SubTaskIDs)
	})
}

// FindStories lists the stories that a filter picks.
func (s *Service) FindStories(ctx context.Context, by tracker.Actor, f tracker.StoryFilter) StoryPages {
	return s.storyPages(ctx, by, storiesLike(f))
}

// FindFullStories is FindStories with the full forms.
func (s *Service) FindFullStories(ctx context.Context, by tracker.Actor, f tracker.StoryFilter) FullStoryPages {
	return s.fullStoryPages(ctx, by, storiesLike(f))
}

func storiesLike(f tracker.StoryFilter) func(*store.Tx) (store.StoryQuery, error) {
	return func(tx *store.Tx) (store.StoryQuery, error) { return tx.StoriesLike(f), nil }
}
