package service

import (
	"context"
	"errors"
	"reflect"
	"slices"

	"milepost/internal/tracker"
)

// deliveriesKept is for how long a delivery is known again; services repeat them for some days.
const deliveriesKept = 7 * 24 * 60 * 60

// hearing is one delivery of a version-control service being worked through.
type hearing struct {
	*work
	integration tracker.VCSIntegration
	repository  tracker.Repository
}

// HearVCS takes over what a delivery tells, links it to stories and moves those that the rules of
// the integration speak of. A delivery that was heard before changes nothing.
func (s *Service) HearVCS(ctx context.Context, by tracker.Actor, integration int64, news tracker.VCSNews) error {
	_, err := write(ctx, s, by, func(w *work) (none, error) {
		h := &hearing{work: w}
		var err error
		if h.integration, err = w.VCSIntegration(integration); err != nil {
			return none{}, err
		}
		isNew, err := h.keepDelivery(news.DeliveryID)
		if err != nil || !isNew {
			return none{}, err
		}
		for _, token := range news.Tokens {
			if err := w.revokeText(token); err != nil {
				return none{}, err
			}
		}
		if news.Repository == nil {
			return none{}, nil
		}
		return none{}, h.hear(news)
	})
	return err
}

func (h *hearing) keepDelivery(id string) (isNew bool, err error) {
	if id == "" {
		return true, nil
	}
	if err := h.ForgetVCSDeliveries(h.now - deliveriesKept); err != nil {
		return false, err
	}
	return h.KeepVCSDelivery(h.integration.ID, id, h.now)
}

func (h *hearing) hear(news tracker.VCSNews) error {
	if err := h.hearRepository(*news.Repository); err != nil {
		return err
	}
	if err := h.findSender(news.Sender); err != nil {
		return err
	}
	for _, b := range news.Branches {
		if err := h.hearBranch(b); err != nil {
			return err
		}
	}
	if news.PullRequest != nil {
		if err := h.hearPullRequest(*news.PullRequest); err != nil {
			return err
		}
	}
	if news.Build != nil {
		return h.hearBuild(*news.Build)
	}
	return nil
}

func (h *hearing) hearRepository(news tracker.RepositoryNews) error {
	known, err := h.RepositoryOf(h.integration.Provider, news.ExternalID)
	switch {
	case errors.Is(err, tracker.ErrNotFound):
		r := tracker.Repository{
			ID: h.NextHighID(), Provider: h.integration.Provider, ExternalID: news.ExternalID, CreatedAt: h.now, UpdatedAt: h.now,
		}
		r.Hear(news)
		h.repository, err = create(h.work, r, h.InsertRepository)
		return err
	case err != nil:
		return err
	}
	after := known
	after.Hear(news)
	h.repository, err = amend(h.work, "update", known, after, h.UpdateRepository)
	return err
}

// findSender finds the member who did what is told, by the e-mail address or, where the service
// tells only a name, by the commits that were made under it.
func (h *hearing) findSender(p tracker.VCSPerson) error {
	members, err := h.membersOf([]tracker.VCSPerson{p})
	if err != nil {
		return err
	}
	m, known := members[tracker.Fold(p.Email)]
	if !known && p.Login != "" {
		id, err := h.MemberOfIdentity(h.integration.Provider, p.Login)
		if errors.Is(err, tracker.ErrNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		if m, err = h.Member(id); err != nil {
			return err
		}
		known = true
	}
	if known && !m.Disabled {
		h.by.Member, h.by.Name = m.ID, m.Name
	}
	return nil
}

func (h *hearing) membersOf(people []tracker.VCSPerson) (map[string]tracker.Member, error) {
	var keys []string
	for _, p := range people {
		if p.Email != "" {
			keys = append(keys, tracker.Fold(p.Email))
		}
	}
	return h.MembersByEmail(distinct(keys))
}

// amend saves what became of an entity and records it under the action. What changed only for the
// server itself is saved without a record.
func amend[T tracker.Entity, P interface {
	*T
	Touch(tracker.Time)
}](w *work, action string, before, after T, save func(P) error) (T, error) {
	delta := tracker.Diff(before, after)
	switch {
	case len(delta) > 0:
		P(&after).Touch(w.now)
	case reflect.DeepEqual(before, after):
		return before, nil
	}
	if err := save(&after); err != nil {
		return before, err
	}
	if len(delta) > 0 {
		w.recordAs(action, before, after, delta)
	}
	return after, nil
}

// storiesOf lists the stories whose list of that kind holds the id.
func (h *hearing) storiesOf(kind string, id int64) ([]int64, error) {
	byID, err := h.StoriesByTarget(kind, id)
	return distinct(byID[id]), err
}

// link puts an id into a list of each story.
func (h *hearing) link(stories []int64, id int64, list func(*tracker.Story) *[]int64) error {
	for _, story := range stories {
		err := h.changeStory(story, func(s *tracker.Story) {
			l := list(s)
			*l = distinct(append(slices.Clip(*l), id))
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// minus is the ids that the others lack.
func minus(ids, others []int64) []int64 {
	return slices.DeleteFunc(slices.Clone(ids), func(id int64) bool { return slices.Contains(others, id) })
}

// orNow is a time that a service tells or, where it does not, the present.
func orNow(told, now tracker.Time) tracker.Time {
	if told == 0 {
		return now
	}
	return told
}
