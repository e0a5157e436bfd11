package app

import (
	"context"
	"io"
	"net/http"

	"milepost/internal/api/rest"
	"milepost/internal/api/v3"
	"milepost/internal/tracker"
)

// maxIconForm is a picture of the largest size with the form around it.
const maxIconForm = tracker.MaxIcon + 64<<10

// pictures holds an uploaded picture in memory, since it is small, until it is an icon.
type pictures struct{}

// Keep reads one byte more than an icon may have, so that what is too large is seen to be.
func (pictures) Keep(_ context.Context, _ tracker.Actor, _ rest.File, r io.Reader) (any, error) {
	return io.ReadAll(io.LimitReader(r, tracker.MaxIcon+1))
}

func (pictures) Release(context.Context, tracker.Actor, any) {}

func (pictures) MaxForm() int64 { return maxIconForm }

type createIcon struct {
	Files []rest.File `file:"file" is:"required" doc:"A GIF, JPEG or PNG picture of at most 1 MiB."`
}

// createIcon tells the kind of picture by its content, not by what the client says.
func (a API) createIcon(ctx context.Context, by tracker.Actor, in createIcon) (v3.Icon, error) {
	content := in.Files[0].Ref.([]byte)
	icon, err := a.Service.CreateIcon(ctx, by, http.DetectContentType(content), content)
	return *a.RenderIcon(&icon), err
}

type iconID struct {
	ID tracker.UUID `path:"icon-public-id" doc:"The id of the icon."`
}

func (a API) getIcon(ctx context.Context, by tracker.Actor, in iconID) (rest.Blob, error) {
	icon, err := a.Service.Icon(ctx, by, in.ID)
	return rest.Blob{ContentType: icon.ContentType, Content: icon.Content}, err
}
