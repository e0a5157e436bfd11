package tracker

// Progress is when work was started and completed. Stories, epics and milestones have it; the
// overrides are set by hand and win where times are measured.
type Progress struct {
	StartedAt           *Time
	StartedAtOverride   *Time
	CompletedAt         *Time
	CompletedAtOverride *Time
}

// Enter notes that the work came to a state of the type: a started state starts it, done
// completes it (and starts what skipped that), and going back undoes what no longer holds.
func (p *Progress) Enter(t StateType, now Time) {
	switch t {
	case Done:
		p.start(now)
		if p.CompletedAt == nil {
			p.CompletedAt = &now
		}
	case Started:
		p.start(now)
		p.CompletedAt = nil
	default:
		p.StartedAt, p.CompletedAt = nil, nil
	}
}

func (p *Progress) start(now Time) {
	if p.StartedAt == nil {
		p.StartedAt = &now
	}
}

// Started reports whether the work is in a started state or past it.
func (p *Progress) Started() bool { return p.StartedAt != nil }

// Completed reports whether the work is done.
func (p *Progress) Completed() bool { return p.CompletedAt != nil }

// CycleTime is the seconds from start to completion; nil until the work is done.
func (p *Progress) CycleTime() *int64 {
	started := p.StartedAt
	if p.StartedAtOverride != nil {
		started = p.StartedAtOverride
	}
	if started == nil {
		return nil
	}
	return p.LeadTime(*started)
}

// LeadTime is the seconds from creation to completion; nil until the work is done.
func (p *Progress) LeadTime(created Time) *int64 {
	completed := p.CompletedAt
	if completed == nil {
		return nil
	}
	if p.CompletedAtOverride != nil {
		completed = p.CompletedAtOverride
	}
	seconds := max(int64(*completed-created), 0)
	return &seconds
}

func (p Progress) fields() []Field {
	return []Field{
		{"started", p.Started()}, {"started_at", p.StartedAt}, {"started_at_override", p.StartedAtOverride},
		{"completed", p.Completed()}, {"completed_at", p.CompletedAt}, {"completed_at_override", p.CompletedAtOverride},
	}
}
