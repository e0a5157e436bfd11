package v2

import (
	"context"

	"milepost/internal/api/rest"
	"milepost/internal/api/v3"
	"milepost/internal/tracker"
)

// Member is a person's place in the workspace.
type Member struct {
	CreatedAt  tracker.Time `json:"created_at"`
	Disabled   bool         `json:"disabled"`
	EntityType string       `json:"entity_type"`
	ID         tracker.UUID `json:"id"`
	Profile    Profile      `json:"profile"`
	Role       string       `json:"role" is:"enum=owner|admin|member|observer"`
	UpdatedAt  tracker.Time `json:"updated_at"`
}

// Profile is what a member shows of the person; its id is the user id that v1 knows people by.
type Profile struct {
	AvatarHash             string       `json:"avatar_hash"`
	Deactivated            bool         `json:"deactivated"`
	DisplayIcon            *Icon        `json:"display_icon"`
	EmailAddress           string       `json:"email_address"`
	EntityType             string       `json:"entity_type"`
	GravatarHash           string       `json:"gravatar_hash"`
	ID                     tracker.UUID `json:"id"`
	MentionName            string       `json:"mention_name"`
	Name                   string       `json:"name"`
	TwoFactorAuthActivated bool         `json:"two_factor_auth_activated"`
}

// Icon is a picture of a member.
type Icon struct {
	CreatedAt  tracker.Time `json:"created_at"`
	EntityType string       `json:"entity_type"`
	ID         tracker.UUID `json:"id"`
	UpdatedAt  tracker.Time `json:"updated_at"`
	URL        string       `json:"url"`
}

func (a API) renderMember(m tracker.Member, icon *tracker.Icon) Member {
	hash := v3.AvatarHash(m.Email)
	return Member{
		CreatedAt: m.CreatedAt, Disabled: m.Disabled, EntityType: m.EntityType(), ID: m.ID, Role: string(m.Role), UpdatedAt: m.UpdatedAt,
		Profile: Profile{
			AvatarHash: hash, Deactivated: m.Disabled, DisplayIcon: (*Icon)(a.RenderIcon(icon)), EmailAddress: m.Email,
			EntityType: "profile", GravatarHash: hash, ID: m.UserID, MentionName: m.MentionName, Name: m.Name,
		},
	}
}

func (a API) listMembers(ctx context.Context, by tracker.Actor, _ rest.None) ([]Member, error) {
	list, err := a.Service.Members(ctx, by)
	if err != nil {
		return nil, err
	}
	icons, err := a.Service.IconsOf(ctx, by, list...)
	return v3.Each(list, func(m tracker.Member) Member { return a.renderMember(m, icons[m.ID]) }), err
}

type memberID struct {
	ID tracker.UUID `path:"member-public-id" doc:"The id of the member."`
}

func (a API) getMember(ctx context.Context, by tracker.Actor, in memberID) (Member, error) {
	m, err := a.Service.Member(ctx, by, in.ID)
	if err != nil {
		return Member{}, err
	}
	icons, err := a.Service.IconsOf(ctx, by, m)
	return a.renderMember(m, icons[m.ID]), err
}
