package service

import (
	"context"
	"maps"
	"slices"
	"sync"

	"milepost/internal/tracker"
)

// Watch is somebody who waits for changes of a workspace. Changed may also tell when there is
// nothing new, so whoever is told looks.
type Watch struct {
	Changed <-chan struct{}
	// Ended is closed when the token that waits no longer opens the workspace.
	Ended <-chan struct{}

	workspace, token tracker.UUID
	changed, ended   chan struct{}
	registry         *watches
}

// How many may wait at the same time, with one token, in one workspace and on one node.
const (
	WatchesOfToken     = 20
	watchesOfWorkspace = 500
	watchesOfNode      = 5_000
)

// watches are all who wait on this node.
type watches struct {
	mu         sync.Mutex
	workspaces map[tracker.UUID]*watched
	tokens     map[tracker.UUID]int
	total      int
}

type watched struct {
	known   int64 // the newest change number that the watches were told of
	watches map[*Watch]struct{}
}

// everywhere stands for all workspaces; its watches hear of changes that this node makes.
const everywhere tracker.UUID = ""

// Watch waits for changes of the actor's workspace from now on, until Stop is called.
func (s *Service) Watch(by tracker.Actor) (*Watch, error) {
	return s.watches.add(by.Workspace, by.Token)
}

// WatchAll waits for changes of any workspace that this node makes.
func (s *Service) WatchAll() *Watch {
	w, err := s.watches.add(everywhere, "")
	if err != nil {
		panic(err) // only requests are bounded
	}
	return w
}

func (r *watches) add(workspace, token tracker.UUID) (*Watch, error) {
	w := &Watch{workspace: workspace, token: token, changed: make(chan struct{}, 1), ended: make(chan struct{}), registry: r}
	w.Changed, w.Ended = w.changed, w.ended
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.workspaces == nil {
		r.workspaces, r.tokens = map[tracker.UUID]*watched{}, map[tracker.UUID]int{}
	}
	of := r.workspaces[workspace]
	if of == nil {
		of = &watched{watches: map[*Watch]struct{}{}}
	}
	if workspace != everywhere {
		switch {
		case r.tokens[token] >= WatchesOfToken:
			return nil, &tracker.Error{Code: tracker.RateLimited, Tag: "rate_limited",
				Message: "This token waits for changes in too many requests already; close one of them."}
		case len(of.watches) >= watchesOfWorkspace, r.total >= watchesOfNode:
			return nil, &tracker.Error{Code: tracker.Busy, Message: "Too many requests wait for changes already; try again later."}
		}
	}
	r.workspaces[workspace] = of
	of.watches[w] = struct{}{}
	r.tokens[token]++
	r.total++
	return w, nil
}

// Stop ends the waiting.
func (w *Watch) Stop() {
	r := w.registry
	r.mu.Lock()
	defer r.mu.Unlock()
	of := r.workspaces[w.workspace]
	if of == nil {
		return
	}
	if _, waits := of.watches[w]; !waits {
		return
	}
	delete(of.watches, w)
	if len(of.watches) == 0 {
		delete(r.workspaces, w.workspace)
	}
	if r.tokens[w.token]--; r.tokens[w.token] == 0 {
		delete(r.tokens, w.token)
	}
	r.total--
}

// changed tells all who wait for the workspace, and never waits itself.
func (r *watches) changed(workspace tracker.UUID, number int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, id := range []tracker.UUID{workspace, everywhere} {
		if of := r.workspaces[id]; of != nil {
			of.known = number
			of.tell()
		}
	}
}

func (of *watched) tell() {
	for w := range of.watches {
		select {
		case w.changed <- struct{}{}:
		default: // told already and has not looked yet
		}
	}
}

// Follow tells those who wait of what others did: changes made by another node or the command line,
// and tokens that opened the workspace no longer. It costs at most two queries, however many wait,
// and none when nobody does. The server calls it several times a second.
func (s *Service) Follow(ctx context.Context) error {
	workspaces, tokens := s.watches.waiting()
	if len(workspaces) == 0 {
		return nil
	}
	numbers, err := s.store.ChangeNumbers(ctx, workspaces)
	if err != nil {
		return err
	}
	s.watches.compare(numbers)
	live, err := s.store.LiveTokens(ctx, workspaces, tokens, tracker.TimeOf(s.now()))
	if err != nil {
		return err
	}
	s.watches.end(workspaces, tokens, live)
	return nil
}

// waiting lists the workspaces that somebody waits for, and the tokens that wait.
func (r *watches) waiting() (workspaces, tokens []tracker.UUID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for id := range r.workspaces {
		if id != everywhere {
			workspaces = append(workspaces, id)
		}
	}
	for id := range r.tokens {
		if id != "" {
			tokens = append(tokens, id)
		}
	}
	return workspaces, tokens
}

// compare tells those whose workspace has another number than they know.
func (r *watches) compare(numbers map[tracker.UUID]int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for id, number := range numbers {
		if of := r.workspaces[id]; of != nil && of.known != number {
			of.known = number
			of.tell()
		}
	}
}

// end ends the watches of those of the tokens that are not live.
func (r *watches) end(workspaces, tokens []tracker.UUID, live map[tracker.UUID]bool) {
	dead := map[tracker.UUID]bool{}
	for _, id := range tokens {
		dead[id] = !live[id]
	}
	r.mu.Lock()
	var over []*Watch
	for _, id := range workspaces {
		if of := r.workspaces[id]; of != nil {
			for _, w := range slices.Collect(maps.Keys(of.watches)) {
				if dead[w.token] {
					over = append(over, w)
				}
			}
		}
	}
	r.mu.Unlock()
	for _, w := range over {
		w.Stop()
		close(w.ended)
	}
}

// Waiting is how many wait on this node.
func (s *Service) Waiting() int {
	s.watches.mu.Lock()
	defer s.watches.mu.Unlock()
	return s.watches.total
}
