package store

import (
	"milepost/internal/store/db"
	"milepost/internal/tracker"
)

var members = newTable("member", "created_at, member_id",
	map[string]string{"user_id": "email", "mention_key": "mention_name"}, func(m *tracker.Member) []column {
		return []column{
			{"member_id", &m.ID}, {"user_id", &m.UserID}, {"name", &m.Name}, {"email", &m.Email},
			{"mention_name", &m.MentionName}, {"mention_key", derived{tracker.Fold(m.MentionName)}}, {"role", &m.Role},
			{"disabled", &m.Disabled}, {"icon_id", &m.IconID}, {"created_at", &m.CreatedAt}, {"updated_at", &m.UpdatedAt},
		}
	})

func (tx *Tx) Members() ([]tracker.Member, error)             { return members.find(tx, "") }
func (tx *Tx) Member(id tracker.UUID) (tracker.Member, error) { return members.get(tx, id) }
func (tx *Tx) InsertMember(m *tracker.Member) error           { return members.insert(tx, m) }

// Person finds a member by its own id or by that of its user: v1 knows people by the latter, and
// requests of every version take either.
func (tx *Tx) Person(id tracker.UUID) (tracker.Member, error) {
	return first(members.find(tx, "member_id = $2 or user_id = $2", id))
}

// MemberByMention finds a member by its mention name.
func (tx *Tx) MemberByMention(name string) (tracker.Member, error) {
	return first(members.find(tx, "mention_key = $2", tracker.Fold(name)))
}

// MembersByMention finds the members with the folded mention names.
func (tx *Tx) MembersByMention(keys []string) ([]tracker.Member, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	return members.find(tx, tx.anyOf("mention_key", "$2"), tx.list(keys))
}

// MembersByEmail finds the members with the folded e-mail addresses, by address.
func (tx *Tx) MembersByEmail(keys []string) (map[string]tracker.Member, error) {
	out := map[string]tracker.Member{}
	if len(keys) == 0 {
		return out, nil
	}
	err := tx.each(func(row db.Row) error {
		var m tracker.Member
		var key string
		err := row.Scan(append(members.dest(&m), &key)...)
		out[key] = m
		return err
	}, `select `+members.readable("member.")+`, account.email_key from member join account on (account.user_id = member.user_id)
		where member.workspace_id = $1 and `+tx.anyOf("account.email_key", "$2"), tx.list(keys))
	return out, err
}

// Owner returns the oldest enabled owner.
func (tx *Tx) Owner() (tracker.Member, error) {
	return first(members.find(tx, "role = 'owner' and disabled = false"))
}

// first takes the first of a list; an empty list is ErrNotFound.
func first[T any](list []T, err error) (T, error) {
	if err == nil && len(list) == 0 {
		err = tracker.ErrNotFound
	}
	if err != nil {
		var none T
		return none, err
	}
	return list[0], nil
}

func (tx *Tx) UpdateMember(m *tracker.Member) error {
	tx.access = true
	return members.update(tx, m)
}

// Account returns the user with the e-mail address, in whichever workspace, and makes one with
// the given id when there is none.
func (tx *Tx) Account(email string, id tracker.UUID, now tracker.Time) (tracker.UUID, error) {
	// Accounts belong to no workspace, hence the statement without one.
	key := tracker.Fold(email)
	tx.store.queries.Add(2)
	_, err := tx.db.Exec(`insert into account (user_id, email_key, created_at) values ($1, $2, $3)
		on conflict (email_key) do nothing`, id, key, now)
	if err != nil {
		return "", tx.fail(err)
	}
	err = tx.db.Each(func(row db.Row) error { return row.Scan(&id) }, `select user_id from account where email_key = $1`, key)
	return id, tx.fail(err)
}
