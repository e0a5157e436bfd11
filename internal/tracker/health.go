package tracker

// Health is a judgement of how an epic fares. The newest one holds; the older ones are its history.
type Health struct {
	ID        UUID
	EpicID    int64
	AuthorID  UUID
	Status    HealthStatus
	Text      string
	CreatedAt Time
	UpdatedAt Time
}

// HealthStatus is the judgement itself.
type HealthStatus string

// NoHealth is the status of an epic that nobody has judged; the others are At Risk, On Track and
// Off Track.
const NoHealth HealthStatus = "No Health"

// HealthChange is what can be set of a health, on creation too.
type HealthChange struct {
	Status Opt[HealthStatus]
	Text   Opt[string]
}

// Apply makes the changes that ch asks for.
func (h *Health) Apply(ch HealthChange) {
	ch.Status.Apply(&h.Status)
	ch.Text.Apply(&h.Text)
}

// Touch moves the time of the last update.
func (h *Health) Touch(now Time) { h.UpdatedAt = now }

func (h Health) EntityType() string { return "health" }
func (h Health) EntityID() string   { return string(h.ID) }

func (h Health) Fields() []Field {
	return []Field{{"epic_id", h.EpicID}, {"author_id", h.AuthorID}, {"status", h.Status}, {"text", h.Text}}
}
