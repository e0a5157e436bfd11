package v3

import (
	"context"
	"fmt"
	"io"
	"net/url"

	"milepost/internal/api/rest"
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

// RenderFile is the wire form of a file.
func (a API) RenderFile(f service.File) UploadedFile {
	address := a.PublicURL + ContentPath(f.File)
	out := UploadedFile{
		ContentType: f.ContentType, CreatedAt: f.CreatedAt, Description: f.Description, EntityType: f.EntityType(), ExternalID: f.ExternalID,
		Filename: f.Filename, GroupMentionIDs: f.GroupMentions, ID: f.ID, MemberMentionIDs: f.MemberMentions, MentionIDs: f.MemberMentions,
		Name: f.Name, Size: f.Size, StoryIDs: f.StoryIDs, UpdatedAt: f.UpdatedAt, UploaderID: f.UploaderID, URL: &address,
	}
	if f.ThumbnailType != "" {
		thumbnail := a.PublicURL + ThumbnailPath(f.File)
		out.ThumbnailURL = &thumbnail
	}
	return out
}

// ContentPath and ThumbnailPath are where a file's content and its thumbnail are. The name is there for
// programs that make one of the last part of an address.
func ContentPath(f tracker.File) string {
	return fmt.Sprintf("/api/app/files/%d/content/%s", f.ID, url.PathEscape(f.Filename))
}

func ThumbnailPath(f tracker.File) string { return fmt.Sprintf("/api/app/files/%d/thumbnail", f.ID) }

// filesOf renders the files with the ids.
func (a API) filesOf(files map[int64]service.File, ids []int64) []UploadedFile {
	return Each(ids, func(id int64) UploadedFile { return a.RenderFile(files[id]) })
}

type fileID struct {
	ID int64 `path:"file-public-id" doc:"The id of the file."`
}

func (a API) listFiles(ctx context.Context, by tracker.Actor, _ rest.None) ([]UploadedFile, error) {
	list, err := a.Service.Files(ctx, by)
	return Each(list, a.RenderFile), err
}

func (a API) getFile(ctx context.Context, by tracker.Actor, in fileID) (UploadedFile, error) {
	f, err := a.Service.File(ctx, by, in.ID)
	return a.RenderFile(f), err
}

// Uploads takes the contents of files.
type Uploads struct{ Service *service.Service }

const (
	maxFiles = 4
	formRoom = 64 << 10 // for what surrounds the files of a form
)

func (u Uploads) Keep(ctx context.Context, by tracker.Actor, f rest.File, r io.Reader) (any, error) {
	return u.Service.KeepContent(ctx, by, f.Name, f.ContentType, r)
}

func (u Uploads) Release(ctx context.Context, by tracker.Actor, ref any) {
	u.Service.ReleaseContent(ctx, by, ref.(*service.Content))
}

func (u Uploads) MaxForm() int64 { return maxFiles*u.Service.MaxFileSize() + formRoom }

// CreateFiles makes files of what was uploaded, for the versions that take them under other names.
func (a API) CreateFiles(ctx context.Context, by tracker.Actor, files []rest.File, story tracker.Opt[int64]) ([]service.File, error) {
	return a.Service.CreateFiles(ctx, by, Each(files, func(f rest.File) *service.Content { return f.Ref.(*service.Content) }), story)
}

// The names of beta are taken, too: file, file2, file3 and file4.
type createFiles struct {
	StoryID tracker.Opt[int64] `form:"story_id" doc:"The story to attach them to."`
	Files   []rest.File        `file:"file0|file,file1|file4,file2,file3" is:"required" doc:"A file, named by the filename of its Content-Disposition."`
}

func (a API) createFiles(ctx context.Context, by tracker.Actor, in createFiles) ([]UploadedFile, error) {
	list, err := a.CreateFiles(ctx, by, in.Files, in.StoryID)
	return Each(list, a.RenderFile), err
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
	return a.RenderFile(f), err
}

func (a API) deleteFile(ctx context.Context, by tracker.Actor, in fileID) (rest.None, error) {
	return rest.None{}, a.Service.DeleteFile(ctx, by, in.ID)
}
