package v3

import (
	"context"
	"crypto/md5"
	"encoding/hex"
	"strings"

	"milepost/internal/api/rest"
	"milepost/internal/tracker"
)

// Member is a person's place in the workspace.
type Member struct {
	CreatedAt            tracker.Time   `json:"created_at"`
	CreatedWithoutInvite bool           `json:"created_without_invite"`
	Disabled             bool           `json:"disabled"`
	EntityType           string         `json:"entity_type"`
	GlobalID             string         `json:"global_id"`
	GroupIDs             []tracker.UUID `json:"group_ids"`
	ID                   tracker.UUID   `json:"id"`
	Profile              Profile        `json:"profile"`
	Role                 string         `json:"role" is:"enum=owner|admin|member|observer"`
	State                string         `json:"state" is:"enum=partial|full|disabled|imported"`
	UpdatedAt            tracker.Time   `json:"updated_at"`
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
	IsOwner                bool         `json:"is_owner"`
	MentionName            string       `json:"mention_name"`
	Name                   string       `json:"name"`
	TwoFactorAuthActivated bool         `json:"two_factor_auth_activated"`
}

// Icon is a picture of a member or group.
type Icon struct {
	CreatedAt  tracker.Time `json:"created_at"`
	EntityType string       `json:"entity_type"`
	ID         tracker.UUID `json:"id"`
	UpdatedAt  tracker.Time `json:"updated_at"`
	URL        string       `json:"url"`
}

// AvatarHash is the hash by which avatar services know an e-mail address; it keeps no secret.
func AvatarHash(email string) string {
	sum := md5.Sum([]byte(strings.ToLower(strings.TrimSpace(email))))
	return hex.EncodeToString(sum[:])
}

func (a API) renderMember(by tracker.Actor, m tracker.Member, groups []tracker.UUID, icon *tracker.Icon) Member {
	hash := AvatarHash(m.Email)
	return Member{
		CreatedAt: m.CreatedAt, CreatedWithoutInvite: true, Disabled: m.Disabled, EntityType: m.EntityType(),
		GlobalID: globalID(by, "u", m.ID), GroupIDs: groups, ID: m.ID, Role: string(m.Role), State: m.State(), UpdatedAt: m.UpdatedAt,
		Profile: Profile{
			AvatarHash: hash, Deactivated: m.Disabled, DisplayIcon: a.RenderIcon(icon), EmailAddress: m.Email, EntityType: "profile",
			GravatarHash: hash, ID: m.UserID, IsOwner: m.Role == tracker.Owner, MentionName: m.MentionName, Name: m.Name,
		},
	}
}

type listMembers struct {
	Disabled tracker.Opt[bool]         `query:"disabled" doc:"Only members that are (true) or are not (false) disabled."`
	Org      tracker.Opt[tracker.UUID] `query:"org-public-id" doc:"The organization; only the workspace's own has members."`
}

func (a API) listMembers(ctx context.Context, by tracker.Actor, in listMembers) ([]Member, error) {
	list, err := a.Service.Members(ctx, by)
	if err != nil {
		return nil, err
	}
	groups, err := a.Service.GroupIDsByMember(ctx, by)
	if err != nil {
		return nil, err
	}
	icons, err := a.Service.IconsOf(ctx, by, list...)
	var out []Member
	for _, m := range list {
		if want, ok := in.Disabled.Get(); !ok || want == m.Disabled {
			out = append(out, a.renderMember(by, m, groups[m.ID], icons[m.ID]))
		}
	}
	return out, err
}

type getMember struct {
	ID  tracker.UUID              `path:"member-public-id" doc:"The id of the member."`
	Org tracker.Opt[tracker.UUID] `query:"org-public-id" doc:"The organization; ignored."`
}

func (a API) getMember(ctx context.Context, by tracker.Actor, in getMember) (Member, error) {
	m, err := a.Service.Member(ctx, by, in.ID)
	if err != nil {
		return Member{}, err
	}
	groups, err := a.Service.GroupIDsByMember(ctx, by)
	if err != nil {
		return Member{}, err
	}
	icons, err := a.Service.IconsOf(ctx, by, m)
	return a.renderMember(by, m, groups[m.ID], icons[m.ID]), err
}

// MemberInfo is who the token belongs to.
type MemberInfo struct {
	ID            tracker.UUID       `json:"id"`
	IsOwner       bool               `json:"is_owner"`
	MentionName   string             `json:"mention_name"`
	Name          string             `json:"name"`
	Organization2 OrganizationInfo   `json:"organization2"`
	Role          string             `json:"role"`
	Workspace2    BasicWorkspaceInfo `json:"workspace2"`
}

// OrganizationInfo names the organization of a workspace.
type OrganizationInfo struct {
	ID tracker.UUID `json:"id"`
}

// BasicWorkspaceInfo is what every member may know of the workspace.
type BasicWorkspaceInfo struct {
	CreatedAt         tracker.Time `json:"created_at"`
	DefaultWorkflowID int64        `json:"default_workflow_id"`
	EstimateScale     []int64      `json:"estimate_scale"`
	ID                tracker.UUID `json:"id"`
	Name              string       `json:"name"`
	URLSlug           string       `json:"url_slug"`
	UTCOffset         string       `json:"utc_offset"`
}

func (a API) getSelf(ctx context.Context, by tracker.Actor, _ rest.None) (MemberInfo, error) {
	m, ws, err := a.Service.Self(ctx, by)
	if err != nil {
		return MemberInfo{}, err
	}
	return MemberInfo{
		ID: m.ID, IsOwner: m.Role == tracker.Owner, MentionName: m.MentionName, Name: m.Name, Role: string(m.Role),
		Organization2: OrganizationInfo{ws.Organization},
		Workspace2: BasicWorkspaceInfo{
			CreatedAt: ws.CreatedAt, DefaultWorkflowID: ws.DefaultWorkflowID, EstimateScale: ws.EstimateScale, ID: ws.ID,
			Name: ws.Name, URLSlug: ws.Slug, UTCOffset: ws.UTCOffset,
		},
	}, nil
}
