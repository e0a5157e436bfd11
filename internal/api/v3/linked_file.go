package v3

import (
	"context"

	"milepost/internal/api/rest"
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

// RenderLinkedFile is the wire form of a linked file.
func RenderLinkedFile(f service.LinkedFile) LinkedFile {
	return LinkedFile{
		ContentType: f.ContentType, CreatedAt: f.CreatedAt, Description: f.Description, EntityType: f.EntityType(),
		GroupMentionIDs: f.GroupMentions, ID: f.ID, MemberMentionIDs: f.MemberMentions, MentionIDs: f.MemberMentions, Name: f.Name,
		Size: f.Size, StoryIDs: f.StoryIDs, ThumbnailURL: f.ThumbnailURL, Type: f.Type, UpdatedAt: f.UpdatedAt, UploaderID: f.UploaderID,
		URL: f.URL,
	}
}

// linkedFiles renders the files with the ids.
func linkedFiles(files map[int64]service.LinkedFile, ids []int64) []LinkedFile {
	return Each(ids, func(id int64) LinkedFile { return RenderLinkedFile(files[id]) })
}

type linkedFileID struct {
	ID int64 `path:"linked-file-public-id" doc:"The id of the linked file."`
}

func (a API) listLinkedFiles(ctx context.Context, by tracker.Actor, _ rest.None) ([]LinkedFile, error) {
	list, err := a.Service.LinkedFiles(ctx, by)
	return Each(list, RenderLinkedFile), err
}

func (a API) getLinkedFile(ctx context.Context, by tracker.Actor, in linkedFileID) (LinkedFile, error) {
	f, err := a.Service.LinkedFile(ctx, by, in.ID)
	return RenderLinkedFile(f), err
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
	return RenderLinkedFile(f), err
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
	return RenderLinkedFile(f), err
}

func (a API) deleteLinkedFile(ctx context.Context, by tracker.Actor, in linkedFileID) (rest.None, error) {
	return rest.None{}, a.Service.DeleteLinkedFile(ctx, by, in.ID)
}
