package v1

import (
	"context"
	"strings"
	"unicode"
	"unicode/utf8"

	"milepost/internal/api/rest"
	"milepost/internal/api/v3"
	"milepost/internal/tracker"
)

// User is a person, the same in every workspace. What later versions call a member is the
// permission that the person has in this one.
type User struct {
	Deactivated            bool         `json:"deactivated"`
	ID                     tracker.UUID `json:"id"`
	Name                   string       `json:"name"`
	Permissions            []Permission `json:"permissions"`
	TwoFactorAuthActivated bool         `json:"two_factor_auth_activated"`
	Username               string       `json:"username"`
}

// Permission is a user's place in the workspace.
type Permission struct {
	AvatarHash   string       `json:"avatar_hash"`
	CreatedAt    tracker.Time `json:"created_at"`
	Disabled     bool         `json:"disabled"`
	EmailAddress string       `json:"email_address"`
	GravatarHash string       `json:"gravatar_hash"`
	ID           tracker.UUID `json:"id"`
	Initials     string       `json:"initials"`
	Role         string       `json:"role" is:"enum=owner|admin|member|observer"`
	UpdatedAt    tracker.Time `json:"updated_at"`
}

func renderUser(m tracker.Member) User {
	hash := v3.AvatarHash(m.Email)
	return User{
		Deactivated: m.Disabled, ID: m.UserID, Name: m.Name, Username: m.MentionName,
		Permissions: []Permission{{
			AvatarHash: hash, CreatedAt: m.CreatedAt, Disabled: m.Disabled, EmailAddress: m.Email, GravatarHash: hash,
			ID: m.ID, Initials: initials(m.Name), Role: string(m.Role), UpdatedAt: m.UpdatedAt,
		}},
	}
}

// initials are the first letters of the first and the last word of a name.
func initials(name string) string {
	words := strings.Fields(name)
	if len(words) > 2 {
		words = []string{words[0], words[len(words)-1]}
	}
	var b strings.Builder
	for _, w := range words {
		letter, _ := utf8.DecodeRuneInString(w)
		b.WriteRune(unicode.ToUpper(letter))
	}
	return b.String()
}

func (a API) listUsers(ctx context.Context, by tracker.Actor, _ rest.None) ([]User, error) {
	list, err := a.Service.Members(ctx, by)
	return v3.Each(list, renderUser), err
}

type userID struct {
	ID tracker.UUID `path:"user-public-id" doc:"The id of the user."`
}

func (a API) getUser(ctx context.Context, by tracker.Actor, in userID) (User, error) {
	m, err := a.Service.Member(ctx, by, in.ID)
	return renderUser(m), err
}
