package app

import (
	"context"

	"milepost/internal/api/rest"
	"milepost/internal/api/v3"
	"milepost/internal/service"
	"milepost/internal/tracker"
)

// Token is a token without its text.
type Token struct {
	CreatedAt  tracker.Time  `json:"created_at"`
	EntityType string        `json:"entity_type"`
	ExpiresAt  *tracker.Time `json:"expires_at"`
	ID         tracker.UUID  `json:"id"`
	LastUsedAt *tracker.Time `json:"last_used_at" doc:"At most a minute behind."`
	MemberID   tracker.UUID  `json:"member_id"`
	Name       string        `json:"name"`
	ReadOnly   bool          `json:"read_only"`
}

// CreatedToken is a new token with its text, which is shown only here.
type CreatedToken struct {
	Token
	Text string `json:"token" doc:"The text to send with requests. It is shown only now."`
}

func renderToken(t tracker.Token) Token {
	return Token{
		CreatedAt: t.CreatedAt, EntityType: "token", ExpiresAt: t.ExpiresAt, ID: t.ID, LastUsedAt: t.LastUsedAt,
		MemberID: t.Member, Name: t.Name, ReadOnly: t.ReadOnly,
	}
}

func (a API) listTokens(ctx context.Context, by tracker.Actor, _ rest.None) ([]Token, error) {
	list, err := a.Service.TokensOf(ctx, by, by.Member)
	return v3.Each(list, renderToken), err
}

type memberID struct {
	ID tracker.UUID `path:"member-public-id" doc:"The id of the member."`
}

func (a API) listTokensOfMember(ctx context.Context, by tracker.Actor, in memberID) ([]Token, error) {
	list, err := a.Service.TokensOf(ctx, by, in.ID)
	return v3.Each(list, renderToken), err
}

type createToken struct {
	ExpiresAt tracker.Opt[tracker.Time] `json:"expires_at" is:"null" doc:"When the token stops working; null or absent is never."`
	Name      string                    `json:"name" is:"required,min=1,max=128" doc:"What the token is for."`
	ReadOnly  tracker.Opt[bool]         `json:"read_only" doc:"The token may only read."`
}

func (a API) createToken(ctx context.Context, by tracker.Actor, in createToken) (CreatedToken, error) {
	t, text, err := a.Service.CreateToken(ctx, by, by.Member, service.NewToken{
		Name: in.Name, ReadOnly: in.ReadOnly.Or(false), ExpiresAt: in.ExpiresAt.Ptr(),
	})
	return CreatedToken{Token: renderToken(t), Text: text}, err
}

type tokenID struct {
	ID tracker.UUID `path:"token-public-id" doc:"The id of the token: one's own or, for admins, any of the workspace."`
}

func (a API) revokeToken(ctx context.Context, by tracker.Actor, in tokenID) (rest.None, error) {
	return rest.None{}, a.Service.RevokeToken(ctx, by, in.ID)
}
