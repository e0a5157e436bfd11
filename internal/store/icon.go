package store

import (
	"database/sql/driver"
	"encoding/base64"

	"milepost/internal/store/db"
	"milepost/internal/tracker"
)

var icons = newTable("icon", "icon_id", nil, func(i *tracker.Icon) []column {
	return []column{
		{"icon_id", &i.ID}, {"content_type", &i.ContentType}, {"content", base64Text{&i.Content}},
		{"created_at", &i.CreatedAt}, {"updated_at", &i.UpdatedAt},
	}
})

func (tx *Tx) InsertIcon(i *tracker.Icon) error           { return icons.insert(tx, i) }
func (tx *Tx) Icon(id tracker.UUID) (tracker.Icon, error) { return icons.get(tx, id) }

// IconsByID lists the icons with the ids, without their content.
func (tx *Tx) IconsByID(ids []tracker.UUID) ([]tracker.Icon, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	var out []tracker.Icon
	err := tx.each(func(row db.Row) error {
		var i tracker.Icon
		err := row.Scan(&i.ID, &i.ContentType, &i.CreatedAt, &i.UpdatedAt)
		out = append(out, i)
		return err
	}, `select icon_id, content_type, created_at, updated_at from icon where workspace_id = $1 and `+tx.anyOf("icon_id", "$2"), tx.list(ids))
	return out, err
}

// base64Text keeps bytes in a text column, which is the same in both engines.
type base64Text struct{ bytes *[]byte }

// ScanText implements db.TextScanner.
func (b base64Text) ScanText(text string, _ *db.Rows) (err error) {
	*b.bytes, err = base64.StdEncoding.DecodeString(text)
	return err
}

// Value implements driver.Valuer.
func (b base64Text) Value() (driver.Value, error) {
	return base64.StdEncoding.EncodeToString(*b.bytes), nil
}
