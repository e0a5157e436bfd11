package store

import "milepost/internal/tracker"

var linkedFiles = newTable("linked_file", "id", nil, func(f *tracker.LinkedFile) []column {
	return []column{
		{"id", &f.ID}, {"name", &f.Name}, {"description", &f.Description}, {"type", &f.Type}, {"url", &f.URL},
		{"thumbnail_url", &f.ThumbnailURL}, {"content_type", &f.ContentType}, {"size", &f.Size}, {"uploader_id", &f.UploaderID},
		{"member_mention_ids", uuids{&f.MemberMentions}}, {"group_mention_ids", uuids{&f.GroupMentions}},
		{"created_at", &f.CreatedAt}, {"updated_at", &f.UpdatedAt},
	}
})

func (tx *Tx) LinkedFiles() ([]tracker.LinkedFile, error)      { return linkedFiles.find(tx, "") }
func (tx *Tx) LinkedFile(id int64) (tracker.LinkedFile, error) { return linkedFiles.get(tx, id) }
func (tx *Tx) InsertLinkedFile(f *tracker.LinkedFile) error    { return linkedFiles.insert(tx, f) }
func (tx *Tx) UpdateLinkedFile(f *tracker.LinkedFile) error    { return linkedFiles.update(tx, f) }
func (tx *Tx) DeleteLinkedFile(id int64) error                 { return linkedFiles.delete(tx, id) }

// LinkedFilesByID lists the linked files with the ids.
func (tx *Tx) LinkedFilesByID(ids []int64) ([]tracker.LinkedFile, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	return linkedFiles.among(tx, "id", ids)
}
