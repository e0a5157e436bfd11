package tracker

import "strconv"

// File is a file that the service keeps, attached to the stories whose lists hold it. Its content
// never changes.
type File struct {
	ID             int64
	ContentID      UUID // under which the content is kept
	Name           string
	Filename       string // its name when it was uploaded
	Description    *string
	ExternalID     *string
	ContentType    string
	Size           int64
	SHA256         string // of the content, in hexadecimal digits
	ThumbnailType  string // the content type of its thumbnail; empty where there is none
	UploaderID     UUID
	MemberMentions []UUID
	GroupMentions  []UUID
	CreatedAt      Time
	UpdatedAt      Time
}

// MaxFileName is how many characters the name of a file may have.
const MaxFileName = 1024

// FileChange is what can be changed of a file.
type FileChange struct {
	Name        Opt[string]
	Description Opt[string]
	ExternalID  Opt[string]
	UploaderID  Opt[UUID]
	CreatedAt   Opt[Time]
	UpdatedAt   Opt[Time]
}

// Apply makes the changes that ch asks for.
func (f *File) Apply(ch FileChange) {
	ch.Name.Apply(&f.Name)
	ch.Description.ApplyPtr(&f.Description)
	ch.ExternalID.ApplyPtr(&f.ExternalID)
	ch.UploaderID.Apply(&f.UploaderID)
	ch.CreatedAt.Apply(&f.CreatedAt)
	ch.UpdatedAt.Apply(&f.UpdatedAt)
}

// Touch moves the time of the last update.
func (f *File) Touch(now Time) { f.UpdatedAt = now }

func (f File) EntityType() string { return "file" }
func (f File) EntityID() string   { return strconv.FormatInt(f.ID, 10) }

func (f File) Fields() []Field {
	return []Field{
		{"name", f.Name}, {"filename", f.Filename}, {"description", f.Description}, {"external_id", f.ExternalID},
		{"content_type", f.ContentType}, {"size", f.Size}, {"sha256", f.SHA256}, {"uploader_id", f.UploaderID},
		{"mention_ids", f.MemberMentions}, {"group_mention_ids", f.GroupMentions}, {"created_at", f.CreatedAt}, {"updated_at", f.UpdatedAt},
	}
}
