package tracker

// Member is a person's place in one workspace. The person is the same user in every workspace;
// the member, its role and its mention name belong to one.
type Member struct {
	ID          UUID
	UserID      UUID
	Name        string
	Email       string
	MentionName string
	Role        Role
	Disabled    bool
	IconID      *UUID
	CreatedAt   Time
	UpdatedAt   Time
}

// MemberParams is what a member is added with.
type MemberParams struct {
	Name        string
	Email       string
	MentionName string
	Role        Role
}

// MemberChange is what can be changed of a member: the role and whether it is disabled by
// administrators, the icon by the member alone.
type MemberChange struct {
	Name        Opt[string]
	MentionName Opt[string]
	Role        Opt[Role]
	Disabled    Opt[bool]
	IconID      Opt[UUID]
}

// Apply makes the changes that ch asks for.
func (m *Member) Apply(ch MemberChange) {
	ch.Name.Apply(&m.Name)
	ch.MentionName.Apply(&m.MentionName)
	ch.Role.Apply(&m.Role)
	ch.Disabled.Apply(&m.Disabled)
	ch.IconID.ApplyPtr(&m.IconID)
}

// Touch moves the time of the last update.
func (m *Member) Touch(now Time) { m.UpdatedAt = now }

// RunsWorkspace reports whether the member is an owner who can sign in. A workspace keeps one.
func (m Member) RunsWorkspace() bool { return m.Role == Owner && !m.Disabled }

// State is the word that the API has for whether a member can sign in.
func (m Member) State() string {
	if m.Disabled {
		return "disabled"
	}
	return "full"
}

func (m Member) EntityType() string { return "member" }
func (m Member) EntityID() string   { return string(m.ID) }

func (m Member) Fields() []Field {
	return []Field{
		{"name", m.Name}, {"email", m.Email}, {"mention_name", m.MentionName}, {"role", m.Role}, {"disabled", m.Disabled},
		{"display_icon_id", m.IconID},
	}
}
