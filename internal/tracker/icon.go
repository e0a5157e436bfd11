package tracker

import "slices"

// Icon is a small picture of a member or group.
type Icon struct {
	ID          UUID
	ContentType string
	Content     []byte // left out where only the icon's existence is shown
	CreatedAt   Time
	UpdatedAt   Time
}

// MaxIcon is how many bytes an icon may have.
const MaxIcon = 1 << 20

// IconTypes are the kinds of picture that an icon may be.
var IconTypes = []string{"image/gif", "image/jpeg", "image/png"}

// NewIcon is an icon with the content.
func NewIcon(id UUID, contentType string, content []byte, now Time) (Icon, error) {
	icon := Icon{ID: id, ContentType: contentType, Content: content, CreatedAt: now, UpdatedAt: now}
	switch {
	case !slices.Contains(IconTypes, contentType):
		return icon, Impossible("file", "must be a GIF, JPEG or PNG picture")
	case len(content) == 0 || len(content) > MaxIcon:
		return icon, Impossible("file", "must have from 1 to %d bytes", MaxIcon)
	}
	return icon, nil
}

func (i Icon) EntityType() string { return "icon" }
func (i Icon) EntityID() string   { return string(i.ID) }

func (i Icon) Fields() []Field { return []Field{{"content_type", i.ContentType}} }
