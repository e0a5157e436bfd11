package v2

import (
	"context"

	"milepost/internal/api/rest"
	"milepost/internal/api/v3"
	"milepost/internal/service"
	"milepost/internal/tracker"
)

// LinkedFile is a file stored elsewhere and linked.
type LinkedFile struct {
	ContentType      *string        `json:"content_type"`
	CreatedAt        tracker.Time   `json:"created_at"`
	Description      *string        `json:"description"`
	EntityType       string         `json:"entity_type"`
	GroupMentionIDs  []tracker.UUID `json:"group_mention_ids"`
	ID               int64          `json:"id"`
	MemberMentionIDs []tracker.UUID `json:"member_mention_ids"`
	MentionIDs       []tracker.UUID `json:"mention_ids"`
	Name             string         `json:"name"`
	Size             *int64         `json:"size"`
	StoryIDs         []int64        `json:"story_ids"`
	ThumbnailURL     *string        `json:"thumbnail_url"`
	Type             string         `json:"type" is:"enum=box|dropbox|google|onedrive|url"`
	UpdatedAt        tracker.Time   `json:"updated_at"`
	UploaderID       tracker.UUID   `json:"uploader_id"`
	URL              string         `json:"url"`
}

func renderLinkedFile(f service.LinkedFile) LinkedFile { return LinkedFile(v3.RenderLinkedFile(f)) }

type linkedFileID struct {
	ID int64 `path:"linked-file-public-id" doc:"The id of the linked file."`
}

func (a API) listLinkedFiles(ctx context.Context, by tracker.Actor, _ rest.None) ([]LinkedFile, error) {
	list, err := a.Service.LinkedFiles(ctx, by)
	return v3.Each(list, renderLinkedFile), err
}

func (a API) getLinkedFile(ctx context.Context, by tracker.Actor, in linkedFileID) (LinkedFile, error) {
	f, err := a.Service.LinkedFile(ctx, by, in.ID)
	return renderLinkedFile(f), err
}

type createLinkedFile struct {
	ContentType  tracker.Opt[string]       `json:"content_type" is:"max=128"`
	Description  tracker.Opt[string]       `json:"description" is:"max=512"`
	Name         string                    `json:"name" is:"required,min=1,max=256"`
	Size         tracker.Opt[int64]        `json:"size" doc:"In bytes."`
	StoryID      tracker.Opt[int64]        `json:"story_id" doc:"The story to attach it to."`
	ThumbnailURL tracker.Opt[string]       `json:"thumbnail_url" is:"max=2048,weburl"`
	Type         string                    `json:"type" is:"required,enum=box|dropbox|google|onedrive|url"`
	UploaderID   tracker.Opt[tracker.UUID] `json:"uploader_id" doc:"Default: who asks."`
	URL          string                    `json:"url" is:"required,max=2048,weburl"`
}

func (a API) createLinkedFile(ctx context.Context, by tracker.Actor, in createLinkedFile) (LinkedFile, error) {
	f, err := a.Service.CreateLinkedFile(ctx, by, tracker.LinkedFileParams{
		Name: in.Name, Description: in.Description, Type: in.Type, URL: in.URL, ThumbnailURL: in.ThumbnailURL,
		ContentType: in.ContentType, Size: in.Size, StoryID: in.StoryID, UploaderID: in.UploaderID,
	})
	return renderLinkedFile(f), err
}

type updateLinkedFile struct {
	ID           int64                     `path:"linked-file-public-id" doc:"The id of the linked file."`
	Description  tracker.Opt[string]       `json:"description" is:"max=512"`
	Name         tracker.Opt[string]       `json:"name" is:"min=1,max=256"`
	Size         tracker.Opt[int64]        `json:"size" doc:"In bytes."`
	StoryID      tracker.Opt[int64]        `json:"story_id" doc:"One more story to attach it to."`
	ThumbnailURL tracker.Opt[string]       `json:"thumbnail_url" is:"max=2048,weburl"`
	Type         tracker.Opt[string]       `json:"type" is:"enum=box|dropbox|google|onedrive|url"`
	UploaderID   tracker.Opt[tracker.UUID] `json:"uploader_id"`
	URL          tracker.Opt[string]       `json:"url" is:"max=2048,weburl"`
}

func (a API) updateLinkedFile(ctx context.Context, by tracker.Actor, in updateLinkedFile) (LinkedFile, error) {
	f, err := a.Service.UpdateLinkedFile(ctx, by, in.ID, tracker.LinkedFileChange{
		Name: in.Name, Description: in.Description, Type: in.Type, URL: in.URL, ThumbnailURL: in.ThumbnailURL, Size: in.Size,
		StoryID: in.StoryID, UploaderID: in.UploaderID,
	})
	return renderLinkedFile(f), err
}

func (a API) deleteLinkedFile(ctx context.Context, by tracker.Actor, in linkedFileID) (rest.None, error) {
	return rest.None{}, a.Service.DeleteLinkedFile(ctx, by, in.ID)
}
