package beta

import (
	"context"

	"milepost/internal/api/rest"
	"milepost/internal/api/v3"
	"milepost/internal/tracker"
)

// The names of v3 are taken, too: file0, file1, file2 and file3.
type createFiles struct {
	StoryID tracker.Opt[int64] `form:"story_id" doc:"The story to attach them to."`
	Files   []rest.File        `file:"file|file0,file2,file3,file4|file1" is:"required" doc:"A file, named by the filename of its Content-Disposition."`
}

func (a API) createFiles(ctx context.Context, by tracker.Actor, in createFiles) ([]v3.UploadedFile, error) {
	list, err := a.CreateFiles(ctx, by, in.Files, in.StoryID)
	return v3.Each(list, a.RenderFile), err
}
