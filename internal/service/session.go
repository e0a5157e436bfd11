package service

import (
	"context"
	"sync"
	"time"

	"milepost/internal/store"
)

const (
	// sessionAge is how long what a token opens is believed without asking the database again:
	// another node or the command line may have revoked it.
	sessionAge = 50 * time.Millisecond
	// maxSessions bounds the memory; a node rarely sees more tokens within sessionAge.
	maxSessions = 10_000
)

// sessions remembers what tokens open, by their hash. What this node itself changes is seen at
// once, by the store's AccessVersion.
type sessions struct {
	mu     sync.RWMutex
	byHash map[string]rememberedSession
}

type rememberedSession struct {
	store.Session
	until   time.Time
	version int64
}

// session is the store's Session, remembered for a moment.
func (s *Service) session(ctx context.Context, hash string) (store.Session, error) {
	now, version := s.now(), s.store.AccessVersion()
	s.sessions.mu.RLock()
	known, ok := s.sessions.byHash[hash]
	s.sessions.mu.RUnlock()
	if ok && known.version == version && now.Before(known.until) {
		return known.Session, nil
	}
	found, err := s.store.Session(ctx, hash)
	if err != nil {
		return found, err
	}
	s.sessions.mu.Lock()
	defer s.sessions.mu.Unlock()
	if s.sessions.byHash == nil || len(s.sessions.byHash) >= maxSessions {
		s.sessions.byHash = map[string]rememberedSession{}
	}
	s.sessions.byHash[hash] = rememberedSession{found, now.Add(sessionAge), version}
	return found, nil
}
