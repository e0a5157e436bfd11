package service

import (
	"context"
	"slices"

	"milepost/internal/store"
	"milepost/internal/tracker"
)

func (s *Service) StoryLink(ctx context.Context, by tracker.Actor, id int64) (tracker.StoryLink, error) {
	return read(ctx, s, by, func(tx *store.Tx) (tracker.StoryLink, error) { return tx.StoryLink(id) })
}

func (s *Service) CreateStoryLink(ctx context.Context, by tracker.Actor, p tracker.StoryLinkParams) (tracker.StoryLink, error) {
	return write(ctx, s, by, func(w *work) (tracker.StoryLink, error) {
		link, err := w.addLink(p)
		if err != nil {
			return link, err
		}
		return w.StoryLink(link.ID)
	})
}

// StoryLinkChange is what can be changed of a story link.
type StoryLinkChange struct {
	SubjectID tracker.Opt[int64]
	Verb      tracker.Opt[tracker.Verb]
	ObjectID  tracker.Opt[int64]
}

func (s *Service) UpdateStoryLink(ctx context.Context, by tracker.Actor, id int64, ch StoryLinkChange) (tracker.StoryLink, error) {
	return write(ctx, s, by, func(w *work) (tracker.StoryLink, error) {
		before, err := w.StoryLink(id)
		if err != nil {
			return before, err
		}
		after := before
		ch.SubjectID.Apply(&after.SubjectID)
		ch.Verb.Apply(&after.Verb)
		ch.ObjectID.Apply(&after.ObjectID)
		if err := w.checkLink(after); err != nil {
			return before, err
		}
		if after, err = update(w, before, func(l *tracker.StoryLink) { *l = after }, w.Tx.UpdateStoryLink); err != nil {
			return after, err
		}
		if err := w.relink(before, after); err != nil {
			return after, err
		}
		return w.StoryLink(id)
	})
}

func (s *Service) DeleteStoryLink(ctx context.Context, by tracker.Actor, id int64) error {
	_, err := write(ctx, s, by, func(w *work) (none, error) {
		link, err := w.StoryLink(id)
		if err != nil {
			return none{}, err
		}
		return none{}, w.removeLink(link)
	})
	return err
}

func (w *work) addLink(p tracker.StoryLinkParams) (tracker.StoryLink, error) {
	link := tracker.StoryLink{SubjectID: p.SubjectID.Value, Verb: p.Verb, ObjectID: p.ObjectID.Value, CreatedAt: w.now, UpdatedAt: w.now}
	if err := w.checkLink(link); err != nil {
		return link, err
	}
	link.ID = w.NextHighID()
	link, err := create(w, link, w.InsertStoryLink)
	if err != nil {
		return link, err
	}
	return link, w.relink(tracker.StoryLink{}, link)
}

func (w *work) checkLink(l tracker.StoryLink) error {
	if err := mustExist(w, "story", "subject_id", l.SubjectID); err != nil {
		return err
	}
	if err := mustExist(w, "story", "object_id", l.ObjectID); err != nil {
		return err
	}
	if l.SubjectID == l.ObjectID {
		return tracker.Impossible("object_id", "is the same story as subject_id")
	}
	if has, err := w.HasStoryLink(&l); err != nil || !has {
		return err
	}
	return tracker.Impossible("object_id", "is linked with subject_id by this verb already")
}

func (w *work) removeLink(l tracker.StoryLink) error {
	if err := remove(w, l, func() error { return w.Tx.DeleteStoryLink(l.ID) }); err != nil {
		return err
	}
	return w.relink(l, tracker.StoryLink{})
}

// relink brings the stories at both ends of a link from how it was to how it is: their lists of
// links and whether they are blocked or block.
func (w *work) relink(before, after tracker.StoryLink) error {
	ends := without(distinct([]int64{before.SubjectID, before.ObjectID, after.SubjectID, after.ObjectID}), 0)
	change := func(s *tracker.Story) {
		id := max(before.ID, after.ID)
		s.SubjectLinkIDs = holding(s.SubjectLinkIDs, id, s.ID == after.SubjectID)
		s.ObjectLinkIDs = holding(s.ObjectLinkIDs, id, s.ID == after.ObjectID)
	}
	if before.Verb == tracker.Blocks || after.Verb == tracker.Blocks {
		return w.settleBlocking(ends, change)
	}
	for _, id := range ends {
		if err := w.changeStory(id, change); err != nil {
			return err
		}
	}
	return nil
}

// holding is the list with the id, or without it.
func holding(ids []int64, id int64, hold bool) []int64 {
	switch has := slices.Contains(ids, id); {
	case hold && !has:
		return append(slices.Clip(ids), id)
	case has && !hold:
		return without(ids, id)
	}
	return ids
}

// refreshBlocking settles the flags of a story that became active or stopped being so, and of those
// it blocks.
func (w *work) refreshBlocking(s tracker.Story) error {
	links, err := w.StoryLinksByID(s.SubjectLinkIDs)
	if err != nil {
		return err
	}
	ids := []int64{s.ID}
	for _, l := range links {
		if l.Verb == tracker.Blocks {
			ids = append(ids, l.ObjectID)
		}
	}
	if len(ids) == 1 {
		return nil
	}
	return w.settleBlocking(ids, func(*tracker.Story) {})
}

// settleBlocking changes stories and works out afresh whether each is blocked or blocks: a link
// counts while its subject is neither done nor archived.
func (w *work) settleBlocking(ids []int64, change func(*tracker.Story)) error {
	stories, err := w.StoriesByID(ids)
	if err != nil {
		return err
	}
	after := slices.Clone(stories)
	var linkIDs, subjectIDs []int64
	for i := range after {
		change(&after[i])
		linkIDs = append(linkIDs, after[i].LinkIDs()...)
	}
	links, err := w.StoryLinksByID(distinct(linkIDs))
	if err != nil {
		return err
	}
	links = slices.DeleteFunc(links, func(l tracker.StoryLink) bool { return l.Verb != tracker.Blocks })
	for _, l := range links {
		subjectIDs = append(subjectIDs, l.SubjectID)
	}
	active, err := w.activeStories(distinct(subjectIDs))
	if err != nil {
		return err
	}
	for i := range after {
		s := &after[i]
		s.Blocked, s.Blocker = false, false
		for _, l := range links {
			s.Blocked = s.Blocked || l.ObjectID == s.ID && active[l.SubjectID]
			s.Blocker = s.Blocker || l.SubjectID == s.ID && active[s.ID]
		}
		if _, err := w.updateStory(stories[i], func(story *tracker.Story) { *story = *s }); err != nil {
			return err
		}
	}
	return nil
}

// activeStories tells which of the stories are neither done nor archived.
func (w *work) activeStories(ids []int64) (map[int64]bool, error) {
	active := map[int64]bool{}
	if len(ids) == 0 {
		return active, nil
	}
	stories, err := w.StoriesByID(ids)
	for _, s := range stories {
		active[s.ID] = s.Active()
	}
	return active, err
}
