package v1

import (
	"context"

	"milepost/internal/api/rest"
	"milepost/internal/api/v3"
	"milepost/internal/service"
	"milepost/internal/tracker"
)

// File is a file kept by the service.
type File struct {
	ContentType  string         `json:"content_type"`
	CreatedAt    tracker.Time   `json:"created_at"`
	Description  *string        `json:"description"`
	Filename     string         `json:"filename"`
	ID           int64          `json:"id"`
	MentionIDs   []tracker.UUID `json:"mention_ids"`
	Name         string         `json:"name"`
	Size         int64          `json:"size"`
	StoryIDs     []int64        `json:"story_ids"`
	ThumbnailURL *string        `json:"thumbnail_url"`
	UpdatedAt    tracker.Time   `json:"updated_at"`
	UploaderID   tracker.UUID   `json:"uploader_id"`
	URL          *string        `json:"url"`
}

func (a API) renderFile(p people, f service.File) File {
	links := a.RenderFile(f)
	return File{
		ContentType: f.ContentType, CreatedAt: f.CreatedAt, Description: f.Description, Filename: f.Filename, ID: f.ID,
		MentionIDs: p.users(f.MemberMentions), Name: f.Name, Size: f.Size, StoryIDs: f.StoryIDs, ThumbnailURL: links.ThumbnailURL,
		UpdatedAt: f.UpdatedAt, UploaderID: p.user(f.UploaderID), URL: links.URL,
	}
}

type fileID struct {
	ID int64 `path:"file-public-id" doc:"The id of the file."`
}

func (a API) listFiles(ctx context.Context, by tracker.Actor, p people, _ rest.None) ([]File, error) {
	list, err := a.Service.Files(ctx, by)
	return v3.Each(list, func(f service.File) File { return a.renderFile(p, f) }), err
}

func (a API) getFile(ctx context.Context, by tracker.Actor, p people, in fileID) (File, error) {
	f, err := a.Service.File(ctx, by, in.ID)
	return a.renderFile(p, f), err
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

func (a API) updateFile(ctx context.Context, by tracker.Actor, p people, in updateFile) (File, error) {
	f, err := a.Service.UpdateFile(ctx, by, in.ID, tracker.FileChange{
		Name: in.Name, Description: in.Description, ExternalID: in.ExternalID, UploaderID: p.memberOpt(in.UploaderID),
		CreatedAt: in.CreatedAt, UpdatedAt: in.UpdatedAt,
	})
	return a.renderFile(p, f), err
}

func (a API) deleteFile(ctx context.Context, by tracker.Actor, in fileID) (rest.None, error) {
	return rest.None{}, a.Service.DeleteFile(ctx, by, in.ID)
}
