package tracker

import "strconv"

// LinkedFile is a file that lies elsewhere and is linked to stories, whose lists hold it.
type LinkedFile struct {
	ID             int64
	Name           string
	Description    *string
	Type           string // where it lies: google, dropbox, …
	URL            string
	ThumbnailURL   *string
	ContentType    *string
	Size           *int64
	UploaderID     UUID
	MemberMentions []UUID
	GroupMentions  []UUID
	CreatedAt      Time
	UpdatedAt      Time
}

// LinkedFileParams is what a linked file can be created with.
type LinkedFileParams struct {
	Name         string
	Description  Opt[string]
	Type         string
	URL          string
	ThumbnailURL Opt[string]
	ContentType  Opt[string]
	Size         Opt[int64]
	StoryID      Opt[int64] // the story that it is attached to
	UploaderID   Opt[UUID]
}

// LinkedFileChange is what can be changed of a linked file.
type LinkedFileChange struct {
	Name         Opt[string]
	Description  Opt[string]
	Type         Opt[string]
	URL          Opt[string]
	ThumbnailURL Opt[string]
	Size         Opt[int64]
	StoryID      Opt[int64] // one more story that it is attached to
	UploaderID   Opt[UUID]
}

// Apply makes the changes that ch asks for on the file itself.
func (f *LinkedFile) Apply(ch LinkedFileChange) {
	ch.Name.Apply(&f.Name)
	ch.Description.ApplyPtr(&f.Description)
	ch.Type.Apply(&f.Type)
	ch.URL.Apply(&f.URL)
	ch.ThumbnailURL.ApplyPtr(&f.ThumbnailURL)
	ch.Size.ApplyPtr(&f.Size)
	ch.UploaderID.Apply(&f.UploaderID)
}

// Touch moves the time of the last update.
func (f *LinkedFile) Touch(now Time) { f.UpdatedAt = now }

func (f LinkedFile) EntityType() string { return "linked-file" }
func (f LinkedFile) EntityID() string   { return strconv.FormatInt(f.ID, 10) }

func (f LinkedFile) Fields() []Field {
	return []Field{
		{"name", f.Name}, {"description", f.Description}, {"type", f.Type}, {"url", f.URL}, {"thumbnail_url", f.ThumbnailURL},
		{"content_type", f.ContentType}, {"size", f.Size}, {"uploader_id", f.UploaderID}, {"mention_ids", f.MemberMentions},
		{"group_mention_ids", f.GroupMentions},
	}
}
