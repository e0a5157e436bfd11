package app

import (
	"context"
	"net/url"
	"strconv"

	"milepost/internal/api/rest"
	"milepost/internal/api/v3"
	"milepost/internal/service"
	"milepost/internal/tracker"
)

// link is what a request carries that has a signed link and no token. The server judges it before
// the operation sees it.
type link struct {
	Workspace tracker.Opt[tracker.UUID] `query:"workspace" doc:"Of a signed link."`
	Expires   tracker.Opt[int64]        `query:"expires" doc:"Of a signed link: when it ends, in seconds since 1970."`
	Signature tracker.Opt[string]       `query:"signature" doc:"Of a signed link, which needs no token."`
}

type getContent struct {
	link
	ID   int64  `path:"file-public-id" doc:"The id of the file."`
	Name string `path:"file-name" doc:"Its name, or any other."`
}

func (a API) getContent(ctx context.Context, by tracker.Actor, in getContent) (rest.Content, error) {
	f, err := a.Service.File(ctx, by, in.ID)
	if err != nil {
		return rest.Content{}, err
	}
	body, err := a.Service.OpenContent(ctx, by, f.File)
	return rest.Content{Name: f.Filename, ContentType: f.ContentType, Tag: f.SHA256, Size: f.Size, Body: body}, err
}

type getThumbnail struct {
	link
	ID int64 `path:"file-public-id" doc:"The id of the file."`
}

func (a API) getThumbnail(ctx context.Context, by tracker.Actor, in getThumbnail) (rest.Blob, error) {
	f, err := a.Service.File(ctx, by, in.ID)
	if err != nil {
		return rest.Blob{}, err
	}
	content, err := a.Service.Thumbnail(ctx, by, f.File)
	return rest.Blob{ContentType: f.ThumbnailType, Content: content}, err
}

// FileLink is a pair of addresses that need no token until they expire.
type FileLink struct {
	ExpiresAt    tracker.Time `json:"expires_at"`
	ThumbnailURL *string      `json:"thumbnail_url"`
	URL          string       `json:"url"`
}

type fileID struct {
	ID int64 `path:"file-public-id" doc:"The id of the file."`
}

func (a API) createFileLink(ctx context.Context, by tracker.Actor, in fileID) (FileLink, error) {
	f, links, err := a.Service.FileLinks(ctx, by, in.ID, func(f tracker.File) []string {
		return []string{v3.ContentPath(f), v3.ThumbnailPath(f)}
	})
	if err != nil {
		return FileLink{}, err
	}
	file := a.RenderFile(f)
	out := FileLink{ExpiresAt: links[0].Expires, URL: *file.URL + "?" + query(links[0])}
	if file.ThumbnailURL != nil {
		thumbnail := *file.ThumbnailURL + "?" + query(links[1])
		out.ThumbnailURL = &thumbnail
	}
	return out, nil
}

func query(l service.Link) string {
	return url.Values{
		"workspace": {string(l.Workspace)}, "expires": {strconv.FormatInt(int64(l.Expires), 10)}, "signature": {l.Signature},
	}.Encode()
}

// LinkOf reads the signed link that a request's address holds; false where there is none.
func LinkOf(q url.Values) (service.Link, bool) {
	expires, err := strconv.ParseInt(q.Get("expires"), 10, 64)
	workspace, ok := tracker.ParseUUID(q.Get("workspace"))
	l := service.Link{Workspace: workspace, Expires: tracker.Time(expires), Signature: q.Get("signature")}
	return l, err == nil && ok && l.Signature != ""
}
