package store

import "milepost/internal/tracker"

var files = newTable("file", "id", nil, func(f *tracker.File) []column {
	return []column{
		{"id", &f.ID}, {"content_id", &f.ContentID}, {"name", &f.Name}, {"filename", &f.Filename}, {"description", &f.Description},
		{"external_id", &f.ExternalID}, {"content_type", &f.ContentType}, {"size", &f.Size}, {"sha256", &f.SHA256},
		{"thumbnail_type", &f.ThumbnailType}, {"uploader_id", &f.UploaderID}, {"member_mention_ids", uuids{&f.MemberMentions}},
		{"group_mention_ids", uuids{&f.GroupMentions}}, {"created_at", &f.CreatedAt}, {"updated_at", &f.UpdatedAt},
	}
})

func (tx *Tx) Files() ([]tracker.File, error)      { return files.find(tx, "") }
func (tx *Tx) File(id int64) (tracker.File, error) { return files.get(tx, id) }
func (tx *Tx) InsertFile(f *tracker.File) error    { return files.insert(tx, f) }
func (tx *Tx) UpdateFile(f *tracker.File) error    { return files.update(tx, f) }
func (tx *Tx) DeleteFile(id int64) error           { return files.delete(tx, id) }

// FilesByID lists the files with the ids.
func (tx *Tx) FilesByID(ids []int64) ([]tracker.File, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	return files.among(tx, "id", ids)
}

// FilesByContent lists the files that have one of the contents.
func (tx *Tx) FilesByContent(ids []tracker.UUID) ([]tracker.File, error) {
	return files.among(tx, "content_id", ids)
}

// LinkSecret is what links of the workspace are signed with.
func (tx *Tx) LinkSecret() (secret string, err error) {
	err = tx.one([]any{&secret}, `select secret from link_secret where workspace_id = $1`)
	return secret, err
}

// InsertLinkSecret saves the workspace's secret, of which it has one.
func (tx *Tx) InsertLinkSecret(secret string) error {
	_, err := tx.exec(`insert into link_secret (workspace_id, secret) values ($1, $2)`, secret)
	return err
}
