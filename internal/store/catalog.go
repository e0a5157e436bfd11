package store

import (
	"sync"

	"milepost/internal/tracker"
)

// Catalog is what stories show of the workspace's own lists. Its maps are shared: nobody may change
// them.
type Catalog struct {
	Labels map[int64]tracker.Label
	// Values holds the values of enabled custom fields, by the id of the value.
	Values map[tracker.UUID]string
}

const (
	maxCatalogs = 64     // workspaces
	maxCatalog  = 10_000 // labels of one
)

// catalogs remembers the catalogs of the workspaces in use. The row of a workspace counts the changes to
// its catalog, and every transaction reads that number in its own snapshot, so what is remembered is
// exact on every node. A catalog is read as a whole when a number is met for the second time: while
// labels change all the time, only those that are asked for are read.
type catalogs struct {
	mu          sync.RWMutex
	byWorkspace map[tracker.UUID]rememberedCatalog
}

type rememberedCatalog struct {
	number int64
	whole  *Catalog // nil when the number was met once, or the catalog is too large
	failed bool     // it is too large
}

// catalogNumber is a column of what shows something of the catalog: read along, it costs no statement.
func catalogNumber(at *int64) column {
	return column{"catalog_number", lookedUp{at, `select catalog_number from workspace where workspace_id = $1`}}
}

// KnownCatalog gives the catalog when it is remembered. The number is that which this transaction has read; one
// that writes knows better.
func (tx *Tx) KnownCatalog(number int64) (c Catalog, ok bool) {
	known, _ := tx.store.catalogs.get(tx.id, tx.currentCatalog(number))
	if known.whole == nil {
		return c, false
	}
	return *known.whole, true
}

// Catalog gives at least the labels with the ids, and the values of all custom fields.
func (tx *Tx) Catalog(number int64, labels func() []int64) (Catalog, error) {
	number = tx.currentCatalog(number)
	known, met := tx.store.catalogs.get(tx.id, number)
	if known.whole != nil {
		return *known.whole, nil
	}
	committed := tx.row == nil || number == tx.row.saved.catalog // not so what the write itself has changed
	if !met || known.failed || !committed {
		if !met && committed {
			tx.store.catalogs.put(tx.id, rememberedCatalog{number: number})
		}
		return tx.partOfCatalog(labels())
	}
	whole, err := tx.wholeCatalog()
	if err != nil {
		return Catalog{}, err
	}
	tx.store.catalogs.put(tx.id, rememberedCatalog{number, whole, whole == nil})
	if whole == nil {
		return tx.partOfCatalog(labels())
	}
	return *whole, nil
}

func (tx *Tx) currentCatalog(read int64) int64 {
	if tx.row != nil {
		return tx.row.counters.catalog
	}
	return read
}

// catalogChanged is to be called by whatever changes a label or a custom field.
func (tx *Tx) catalogChanged() {
	if tx.row != nil { // a transaction that only reads fails by itself
		tx.row.counters.catalog++
	}
}

// wholeCatalog is nil when there are too many labels to remember.
func (tx *Tx) wholeCatalog() (*Catalog, error) {
	found, err := labels.scan(tx, labels.selectSQL+` order by id limit $2`, maxCatalog+1)
	if err != nil || len(found) > maxCatalog {
		return nil, err
	}
	fields, err := tx.CustomFields()
	return &Catalog{Labels: labelsByID(found), Values: tracker.ShownValues(fields)}, err
}

func (tx *Tx) partOfCatalog(ids []int64) (Catalog, error) {
	found, err := tx.LabelsByID(ids)
	if err != nil {
		return Catalog{}, err
	}
	fields, err := tx.CustomFields()
	return Catalog{Labels: labelsByID(found), Values: tracker.ShownValues(fields)}, err
}

func labelsByID(list []tracker.Label) map[int64]tracker.Label {
	out := make(map[int64]tracker.Label, len(list))
	for _, l := range list {
		out[l.ID] = l
	}
	return out
}

func (c *catalogs) get(workspace tracker.UUID, number int64) (known rememberedCatalog, met bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	known, met = c.byWorkspace[workspace]
	if known.number != number {
		return rememberedCatalog{}, false
	}
	return known, met
}

// put remembers a catalog, unless a newer one is known: transactions overlap.
func (c *catalogs) put(workspace tracker.UUID, found rememberedCatalog) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.byWorkspace == nil {
		c.byWorkspace = map[tracker.UUID]rememberedCatalog{}
	}
	if known, ok := c.byWorkspace[workspace]; ok && known.number > found.number {
		return
	}
	c.byWorkspace[workspace] = found
	for other := range c.byWorkspace { // any one: the next use of it brings it back
		if len(c.byWorkspace) <= maxCatalogs {
			return
		}
		if other != workspace {
			delete(c.byWorkspace, other)
		}
	}
}
