package app

import (
	"context"
	"iter"
	"strconv"
	"time"

	"milepost/internal/activity"
	"milepost/internal/api/rest"
	"milepost/internal/api/v3"
	"milepost/internal/service"
	"milepost/internal/tracker"
)

// Change is one change of the workspace: everything that one request did. What its actions and
// references hold depends on what they are about.
type Change struct {
	Actions    []rest.Raw    `json:"actions" doc:"What was done, one for each entity."`
	ActorName  string        `json:"actor_name"`
	ChangedAt  string        `json:"changed_at"`
	MemberID   *tracker.UUID `json:"member_id" doc:"Who did it; null when no member did."`
	Number     int64         `json:"number" doc:"Numbers of a workspace have no gaps."`
	References []rest.Raw    `json:"references" doc:"What the actions name by id."`
}

func renderChange(e activity.Event) Change {
	c := Change{
		Actions: v3.Each(e.Actions, rest.RawOf[activity.Object]), ActorName: e.Actor, ChangedAt: e.ChangedAt(), Number: e.Number,
		References: v3.Each(e.References, rest.RawOf[activity.Object]),
	}
	if e.Member != "" {
		c.MemberID = &e.Member
	}
	return c
}

// Changes is a page of changes.
type Changes struct {
	Changes []Change `json:"changes"`
	Last    int64    `json:"last" doc:"The number of the newest change there is."`
}

type listChanges struct {
	After tracker.Opt[int64] `query:"after" is:"least=0" doc:"Only changes with a higher number, to read on; 0 by default, which is all."`
	Limit tracker.Opt[int64] `query:"limit" is:"least=1,most=1000" doc:"How many changes at most; 100 by default, and fewer where they are large."`
	Wait  tracker.Opt[int64] `query:"wait" is:"least=0,most=30" doc:"How many seconds to wait for a change when there is none; 0 by default."`
}

// listChanges answers at once when there are changes, and otherwise with the first that come in the
// time that the client waits.
func (a API) listChanges(ctx context.Context, by tracker.Actor, in listChanges) (Changes, error) {
	after, limit := in.After.Or(0), in.Limit.Or(100)
	page, list, err := a.changes(ctx, by, after, limit)
	if err == nil && !page.Known {
		err = tracker.Impossible("after", "is beyond the last change, %d: what you know is not of this workspace's past", page.Last)
	}
	if err != nil || len(list) > 0 || in.Wait.Or(0) == 0 {
		return Changes{list, page.Last}, err
	}
	watch, err := a.Service.Watch(by)
	if err != nil {
		return Changes{}, err
	}
	defer watch.Stop()
	over := time.NewTimer(time.Duration(in.Wait.Value) * time.Second)
	defer over.Stop()
	for {
		if page, list, err = a.changes(ctx, by, after, limit); err != nil || len(list) > 0 {
			return Changes{list, page.Last}, err
		}
		select {
		case <-watch.Changed:
		case <-watch.Ended:
			return Changes{}, service.ErrBadToken
		case <-over.C:
			return Changes{list, page.Last}, nil
		case <-a.Stopping:
			return Changes{list, page.Last}, nil
		case <-ctx.Done():
			return Changes{}, ctx.Err()
		}
	}
}

// changes reads and renders a page.
func (a API) changes(ctx context.Context, by tracker.Actor, after, limit int64) (service.ChangePage, []Change, error) {
	page, err := a.Service.Changes(ctx, by, after, limit)
	if err != nil {
		return page, nil, err
	}
	events, err := activity.Reader{Service: a.Service, By: by, PublicURL: a.PublicURL}.Tell(ctx, page.Changes)
	return page, v3.Each(events, renderChange), err
}

type streamChanges struct {
	LastEventID tracker.Opt[string] `header:"Last-Event-ID" doc:"The number to go on from, which browsers send by themselves. It beats after."`
	After       tracker.Opt[int64]  `query:"after" doc:"The number to go on from; by default only what happens from now on is sent."`
}

// pageOfEvents is how many changes a stream reads at once.
const pageOfEvents = 100

var encodeChange = rest.Encoder[Change]()

// streamChanges answers with an event for each change. A number that the log does not know, such as
// one from before a backup was restored, is answered with the event reset: the client has to read
// everything anew, and the stream goes on with what happens from then on.
func (a API) streamChanges(ctx context.Context, by tracker.Actor, in streamChanges) (rest.Events, error) {
	watch, err := a.Service.Watch(by)
	if err != nil {
		return rest.Events{}, err
	}
	s := &changeStream{API: a, by: by, watch: watch, after: in.After.Or(0)}
	s.fromNow = in.After.State == tracker.Absent && in.LastEventID.State == tracker.Absent
	if text, ok := in.LastEventID.Get(); ok {
		if s.after, err = strconv.ParseInt(text, 10, 64); err != nil {
			s.after = -1 // no change has it
		}
	}
	return rest.Events{Items: s.events(ctx)}, nil
}

// changeStream is a stream under way.
type changeStream struct {
	API
	by      tracker.Actor
	watch   *service.Watch
	after   int64 // the number of the change that was sent last
	fromNow bool
}

func (s *changeStream) events(ctx context.Context) iter.Seq2[rest.Event, error] {
	return func(yield func(rest.Event, error) bool) {
		defer s.watch.Stop()
		beat := time.NewTicker(s.Heartbeat)
		defer beat.Stop()
		first, err := s.first(ctx)
		for ok := yield(first, err); ok && err == nil; {
			ok = s.send(ctx, yield) && s.wait(ctx, beat.C, yield)
		}
	}
}

// first tells a client that did not say where to start where that is, so that it can come back.
func (s *changeStream) first(ctx context.Context) (rest.Event, error) {
	if !s.fromNow {
		return rest.Event{}, nil
	}
	page, err := s.Service.Changes(ctx, s.by, 0, 1)
	s.after = page.Last
	return rest.Event{ID: number(s.after)}, err
}

// send sends all there is; it reports whether the stream goes on.
func (s *changeStream) send(ctx context.Context, yield func(rest.Event, error) bool) bool {
	for {
		page, list, err := s.changes(ctx, s.by, s.after, pageOfEvents)
		switch {
		case err != nil:
			yield(rest.Event{}, err)
			return false
		case !page.Known:
			s.after = page.Last
			return yield(rest.Event{ID: number(page.Last), Name: "reset", Data: rest.RawOf(map[string]int64{"last": page.Last})}, nil)
		}
		for _, c := range list {
			s.after = c.Number
			if s.over(ctx) || !yield(rest.Event{ID: number(c.Number), Name: "change", Data: encodeChange(c)}, nil) {
				return false
			}
		}
		if s.after == page.Last {
			return true
		}
	}
}

// wait waits for the next change and gives signs of life; it reports whether the stream goes on.
func (s *changeStream) wait(ctx context.Context, beat <-chan time.Time, yield func(rest.Event, error) bool) bool {
	for {
		select {
		case <-s.watch.Changed:
			return true
		case <-beat:
			if !yield(rest.Event{}, nil) {
				return false
			}
		case <-s.watch.Ended:
			return false
		case <-s.Stopping:
			return false
		case <-ctx.Done():
			return false
		}
	}
}

// over reports whether a stream that has more to send is to end nevertheless.
func (s *changeStream) over(ctx context.Context) bool {
	select {
	case <-s.watch.Ended:
	case <-s.Stopping:
	case <-ctx.Done():
	default:
		return false
	}
	return true
}

func number(n int64) string { return strconv.FormatInt(n, 10) }
