package store

import (
	"context"

	"milepost/internal/tracker"
)

var answers = newTable("answer", "key", nil, func(a *tracker.KeptAnswer) []column {
	return []column{{"key", &a.Key}, {"body_hash", &a.BodyHash}, {"body", &a.Body}, {"at", &a.At}}
})

// KeptAnswer finds an answer that is not older than since.
func (tx *Tx) KeptAnswer(key string, since tracker.Time) (tracker.KeptAnswer, error) {
	return first(answers.find(tx, "key = $2 and at > $3", key, since))
}

// KeepAnswer replaces an answer that is too old to be given again.
func (tx *Tx) KeepAnswer(a *tracker.KeptAnswer) error {
	if _, err := tx.exec(answers.deleteSQL, a.Key); err != nil {
		return err
	}
	return answers.insert(tx, a)
}

// ForgetAnswers deletes the answers of all workspaces that are not newer than the time.
func (s *Store) ForgetAnswers(ctx context.Context, until tracker.Time) error {
	s.queries.Add(1)
	_, err := s.engine.Exec(ctx, `delete from answer where at <= $1`, until)
	return s.explain(err)
}
