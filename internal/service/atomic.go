package service

import (
	"context"

	"milepost/internal/store"
	"milepost/internal/tracker"
)

type atomicKey struct{}

// Atomically runs fn as one write: every use case that gets fn's context reads and writes in the
// same transaction, and an error undoes all of them.
func (s *Service) Atomically(ctx context.Context, by tracker.Actor, fn func(context.Context) error) error {
	var a atomic
	err := s.store.Write(ctx, by.Workspace, func(tx *store.Tx) error {
		a.tx = tx
		return fn(context.WithValue(ctx, atomicKey{}, &a))
	})
	if err == nil {
		for _, then := range a.committed {
			then()
		}
	}
	return err
}

// atomic is a write that use cases are part of.
type atomic struct {
	tx        *store.Tx
	committed []func() // to be done after the commit
}

// within returns the transaction that the context's use case is part of, if any.
func within(ctx context.Context) *store.Tx {
	if a, ok := ctx.Value(atomicKey{}).(*atomic); ok {
		return a.tx
	}
	return nil
}

// afterCommit runs what must not happen unless the use case that has just succeeded is committed: now,
// or when the write that it is part of is.
func afterCommit(ctx context.Context, then func()) {
	if a, ok := ctx.Value(atomicKey{}).(*atomic); ok {
		a.committed = append(a.committed, then)
		return
	}
	then()
}

// answersKept is for how long the answer of a request with an Idempotency-Key is remembered.
const answersKept = 24 * 60 * 60

// KeptAnswer finds the answer that the same request got before; it works within Atomically.
func (s *Service) KeptAnswer(ctx context.Context, key string) (tracker.KeptAnswer, error) {
	return within(ctx).KeptAnswer(key, tracker.TimeOf(s.now())-answersKept)
}

// KeepAnswer remembers the answer with the write that it answers; it works within Atomically.
func (s *Service) KeepAnswer(ctx context.Context, a tracker.KeptAnswer) error {
	a.At = tracker.TimeOf(s.now())
	return within(ctx).KeepAnswer(&a)
}

// ForgetAnswers deletes the answers that are too old to be given again.
func (s *Service) ForgetAnswers(ctx context.Context) error {
	return s.store.ForgetAnswers(ctx, tracker.TimeOf(s.now())-answersKept)
}
