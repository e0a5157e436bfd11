package v2

import "milepost/internal/tracker"

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
