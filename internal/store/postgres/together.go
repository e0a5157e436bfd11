package postgres

import (
	"errors"
	"iter"

	"milepost/internal/store/db"
)

// part is one of several that read together. It implements db.Tx.
type part struct {
	yield func([]query) bool
	next  func() ([]query, bool)
	stop  func()
	// refused is the error of what the parts asked last, err what this one returned.
	refused, err error
}

var errPart = errors.New("a part that runs together with others only reads")

// together lets the parts run in turn, each until it asks something, and asks all of that at once.
func together(tx db.Tx, ask func(...query) error, parts []func(db.Tx) error) error {
	if len(parts) == 1 {
		return parts[0](tx)
	}
	running := make([]*part, len(parts))
	for i, run := range parts {
		p := &part{}
		p.next, p.stop = iter.Pull(func(yield func([]query) bool) {
			p.yield = yield
			p.err = run(p)
		})
		defer p.stop()
		running[i] = p
	}
	for {
		var all []query
		asking := running[:0]
		for _, p := range running {
			if queries, asks := p.next(); asks {
				all, asking = append(all, queries...), append(asking, p)
			} else if p.err != nil {
				return p.err
			}
		}
		if running = asking; len(running) == 0 {
			return nil
		}
		if err := ask(all...); err != nil {
			for _, p := range running {
				p.refused = err
				p.next() // what it may ask now is in vain
			}
			return err
		}
	}
}

func (tx *transaction) Together(parts ...func(db.Tx) error) error {
	return together(tx, func(queries ...query) error { return tx.run(false, queries...) }, parts)
}

func (p *part) Together(parts ...func(db.Tx) error) error { return together(p, p.ask, parts) }

func (p *part) Each(fn func(db.Row) error, statement string, args ...any) error {
	return p.ask(query{statement, args, fn})
}

// ask returns when the rows have been read. The failure of one query is that of all.
func (p *part) ask(queries ...query) error {
	if !p.yield(queries) {
		return db.ErrStopped
	}
	return p.refused
}

func (p *part) Exec(string, ...any) (int64, error) { return 0, errPart }
func (p *part) Commit() error                      { return errPart }
func (p *part) Rollback()                          {}
