package app

import (
	"context"

	"milepost/internal/api/rest"
	"milepost/internal/api/v3"
	"milepost/internal/tracker"
)

// Member is a person's place in the workspace, as its administration sees it.
type Member struct {
	CreatedAt   tracker.Time `json:"created_at"`
	Disabled    bool         `json:"disabled"`
	DisplayIcon *v3.Icon     `json:"display_icon"`
	Email       string       `json:"email"`
	EntityType  string       `json:"entity_type"`
	ID          tracker.UUID `json:"id"`
	MentionName string       `json:"mention_name"`
	Name        string       `json:"name"`
	Role        string       `json:"role" is:"enum=owner|admin|member|observer"`
	UpdatedAt   tracker.Time `json:"updated_at"`
}

func (a API) renderMembers(ctx context.Context, by tracker.Actor, list ...tracker.Member) ([]Member, error) {
	icons, err := a.Service.IconsOf(ctx, by, list...)
	return v3.Each(list, func(m tracker.Member) Member {
		return Member{
			CreatedAt: m.CreatedAt, Disabled: m.Disabled, DisplayIcon: a.RenderIcon(icons[m.ID]), Email: m.Email, EntityType: m.EntityType(),
			ID: m.ID, MentionName: m.MentionName, Name: m.Name, Role: string(m.Role), UpdatedAt: m.UpdatedAt,
		}
	}), err
}

func (a API) renderMember(ctx context.Context, by tracker.Actor, m tracker.Member, err error) (Member, error) {
	if err != nil {
		return Member{}, err
	}
	list, err := a.renderMembers(ctx, by, m)
	return list[0], err
}

func (a API) listMembers(ctx context.Context, by tracker.Actor, _ rest.None) ([]Member, error) {
	list, err := a.Service.Members(ctx, by)
	if err != nil {
		return nil, err
	}
	return a.renderMembers(ctx, by, list...)
}

type addMember struct {
	Email       string       `json:"email" is:"required,max=254,email"`
	MentionName string       `json:"mention_name" is:"required,mention"`
	Name        string       `json:"name" is:"required,min=1,max=128"`
	Role        tracker.Role `json:"role" is:"required,enum=owner|admin|member|observer" doc:"Only owners make owners."`
}

func (a API) addMember(ctx context.Context, by tracker.Actor, in addMember) (Member, error) {
	m, err := a.Service.AddMember(ctx, by, tracker.MemberParams{
		Name: in.Name, Email: in.Email, MentionName: in.MentionName, Role: in.Role,
	})
	return a.renderMember(ctx, by, m, err)
}

type updateMember struct {
	ID          tracker.UUID              `path:"member-public-id" doc:"The id of the member."`
	Disabled    tracker.Opt[bool]         `json:"disabled" doc:"The tokens of a disabled member open nothing until it is enabled again."`
	MentionName tracker.Opt[string]       `json:"mention_name" is:"mention"`
	Name        tracker.Opt[string]       `json:"name" is:"min=1,max=128"`
	Role        tracker.Opt[tracker.Role] `json:"role" is:"enum=owner|admin|member|observer" doc:"Only owners change owners and make them; the last one stays."`
}

func (a API) updateMember(ctx context.Context, by tracker.Actor, in updateMember) (Member, error) {
	m, err := a.Service.UpdateMember(ctx, by, in.ID, tracker.MemberChange{
		Name: in.Name, MentionName: in.MentionName, Role: in.Role, Disabled: in.Disabled,
	})
	return a.renderMember(ctx, by, m, err)
}

type updateSelf struct {
	DisplayIconID tracker.Opt[tracker.UUID] `json:"display_icon_id" is:"null" doc:"The id of an icon that was uploaded."`
	MentionName   tracker.Opt[string]       `json:"mention_name" is:"mention"`
	Name          tracker.Opt[string]       `json:"name" is:"min=1,max=128"`
}

func (a API) updateSelf(ctx context.Context, by tracker.Actor, in updateSelf) (Member, error) {
	m, err := a.Service.UpdateSelf(ctx, by, in.Name, in.MentionName, in.DisplayIconID)
	return a.renderMember(ctx, by, m, err)
}
