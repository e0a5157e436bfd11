package v2

import (
	"context"

	"milepost/internal/api/rest"
	"milepost/internal/api/v3"
	"milepost/internal/service"
	"milepost/internal/tracker"
)

// UploadedFile is a file kept by the service.
type UploadedFile struct {
	ContentType      string         `json:"content_type"`
	CreatedAt        tracker.Time   `json:"created_at"`
	Description      *string        `json:"description"`
	EntityType       string         `json:"entity_type"`
	ExternalID       *string        `json:"external_id"`
	Filename         string         `json:"filename"`
	GroupMentionIDs  []tracker.UUID `json:"group_mention_ids"`
	ID               int64          `json:"id"`
	MemberMentionIDs []tracker.UUID `json:"member_mention_ids"`
	MentionIDs       []tracker.UUID `json:"mention_ids"`
	Name             string         `json:"name"`
	Size             int64          `json:"size"`
	StoryIDs         []int64        `json:"story_ids"`
	ThumbnailURL     *string        `json:"thumbnail_url"`
	UpdatedAt        tracker.Time   `json:"updated_at"`
	UploaderID       tracker.UUID   `json:"uploader_id"`
	URL              *string        `json:"url"`
}

func (a API) renderFile(f service.File) UploadedFile { return UploadedFile(a.RenderFile(f)) }

type fileID struct {
	ID int64 `path:"file-public-id" doc:"The id of the file."`
}

func (a API) listFiles(ctx context.Context, by tracker.Actor, _ rest.None) ([]UploadedFile, error) {
	list, err := a.Service.Files(ctx, by)
	return v3.Each(list, a.renderFile), err
}

func (a API) getFile(ctx context.Context, by tracker.Actor, in fileID) (UploadedFile, error) {
	f, err := a.Service.File(ctx, by, in.ID)
	return a.renderFile(f), err
}

type createFiles struct {
	StoryID tracker.Opt[int64] `form:"story_id" doc:"The story to attach them to."`
	Files   []rest.File        `file:"file0|file,file1|file4,file2,file3" is:"required" doc:"A file, named by the filename of its Content-Disposition."`
}

func (a API) createFiles(ctx context.Context, by tracker.Actor, in createFiles) ([]UploadedFile, error) {
	list, err := a.CreateFiles(ctx, by, in.Files, in.StoryID)
	return v3.Each(list, a.renderFile), err
}

type updateFile struct {
	ID          int64                     `path:"file-public-id" doc:"The id of the file."`
	CreatedAt   tracker.Opt[tracker.Time] `json:"created_at"`
	Description tracker.Opt[string]       `json:"description" is:"max=4096"`
	ExternalID  tracker.Opt[string]       `json:"external_id" is:"max=128"`
	Name        tracker.Opt[string]       `json:"name" is:"min=1,max=1024"`
	UpdatedAt   tracker.Opt[tracker.Time] `json:"updated_at"`
	UploaderID  tracker.Opt[tracker.UUID] `json:"uploader_id"`
}

func (a API) updateFile(ctx context.Context, by tracker.Actor, in updateFile) (UploadedFile, error) {
	f, err := a.Service.UpdateFile(ctx, by, in.ID, tracker.FileChange{
		Name: in.Name, Description: in.Description, ExternalID: in.ExternalID, UploaderID: in.UploaderID,
		CreatedAt: in.CreatedAt, UpdatedAt: in.UpdatedAt,
	})
	return a.renderFile(f), err
}

func (a API) deleteFile(ctx context.Context, by tracker.Actor, in fileID) (rest.None, error) {
	return rest.None{}, a.Service.DeleteFile(ctx, by, in.ID)
}
