package store

import "milepost/internal/tracker"

// uniqueName is the index by which names are unique after folding.
var uniqueName = map[string]string{"name_key": "name"}

var categories = newTable("category", "id", uniqueName, func(c *tracker.Category) []column {
	return []column{
		{"id", &c.ID}, {"name", &c.Name}, {"name_key", derived{tracker.Fold(c.Name)}}, {"color", &c.Color},
		{"external_id", &c.ExternalID}, {"archived", &c.Archived}, {"created_at", &c.CreatedAt}, {"updated_at", &c.UpdatedAt},
	}
})

func (tx *Tx) Categories() ([]tracker.Category, error)     { return categories.find(tx, "") }
func (tx *Tx) Category(id int64) (tracker.Category, error) { return categories.get(tx, id) }
func (tx *Tx) InsertCategory(c *tracker.Category) error    { return categories.insert(tx, c) }
func (tx *Tx) UpdateCategory(c *tracker.Category) error    { return categories.update(tx, c) }
func (tx *Tx) DeleteCategory(id int64) error               { return categories.delete(tx, id) }

// CategoriesNamed finds categories by their folded names.
func (tx *Tx) CategoriesNamed(keys []string) ([]tracker.Category, error) {
	return categories.find(tx, tx.anyOf("name_key", "$2"), tx.list(keys))
}

// CategoriesByID lists the categories with the ids.
func (tx *Tx) CategoriesByID(ids []int64) ([]tracker.Category, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	return categories.among(tx, "id", ids)
}
