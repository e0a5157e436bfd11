package beta

import (
	"context"

	"milepost/internal/api/v3"
	"milepost/internal/tracker"
)

type createGroup struct {
	Name          string                    `json:"name" is:"required,min=1,max=63"`
	MentionName   string                    `json:"mention_name" is:"required,min=1,max=63,mention"`
	Description   string                    `json:"description" is:"max=4096"`
	DisplayIconID tracker.Opt[tracker.UUID] `json:"display_icon_id"`
	MemberIDs     []tracker.UUID            `json:"member_ids"`
}

func (a API) createGroup(ctx context.Context, by tracker.Actor, in createGroup) (v3.Group, error) {
	g, err := a.Service.CreateGroup(ctx, by, tracker.GroupParams{
		Name: in.Name, MentionName: in.MentionName, Description: in.Description, DisplayIconID: in.DisplayIconID, MemberIDs: in.MemberIDs,
	})
	return a.RenderGroup(by, g), err
}
