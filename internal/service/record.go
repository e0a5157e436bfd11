package service

import (
	"slices"

	"milepost/internal/tracker"
)

// recorder collects what a use case did. An entity that is touched several times is one item,
// which tells the difference between how it was found and how it was left.
type recorder struct {
	items []tracker.ChangeItem
	about *string                   // the id of what the request is about, once that is said
	at    map[string]int            // index in items by entity
	found map[string]tracker.Entity // how the updated entities were before
}

// record notes what was done to an entity.
func (r *recorder) record(action string, e tracker.Entity, data map[string]any) {
	item := tracker.NewItem(action, e, data)
	key := item.EntityType + "/" + item.EntityID
	i, known := r.at[key]
	switch {
	case !known:
		if r.at == nil {
			r.at, r.found = map[string]int{}, map[string]tracker.Entity{}
		}
		r.at[key] = len(r.items)
		r.items = append(r.items, item)
	case r.items[i].Action == "create" && action == "delete":
		r.items[i].Action = ""
	default:
		r.items[i] = item
	}
}

// recordUpdate notes that an entity went from before to after, which differ by the delta.
func (r *recorder) recordUpdate(before, after tracker.Entity, delta map[string]any) {
	r.recordAs("update", before, after, delta)
}

// recordAs is recordUpdate under a word that tells more, such as push or close.
func (r *recorder) recordAs(action string, before, after tracker.Entity, delta map[string]any) {
	key := after.EntityType() + "/" + after.EntityID()
	i, known := r.at[key]
	switch {
	case !known:
		r.record(action, after, delta)
		r.found[key] = before
	case r.items[i].Action == "create", r.items[i].Action == "open":
		r.items[i].Data = tracker.Snapshot(after)
	case tracker.Updates(r.items[i].Action):
		if first, ok := r.found[key]; ok {
			delta = tracker.Diff(first, after)
		}
		if action == "update" {
			action = r.items[i].Action
		}
		r.items[i] = tracker.NewItem(action, after, delta)
	}
}

// primary says what the request is about, where that is not what is recorded first.
func (r *recorder) primary(e tracker.Entity) {
	id := e.EntityID()
	r.about = &id
}

// bulk says that the request is about many entities, so about none in particular.
func (r *recorder) bulk() { r.about = new(string) }

// change is the record of it all; nil when nothing was done.
func (r *recorder) change() *tracker.Change {
	items := r.changes()
	if len(items) == 0 {
		return nil
	}
	c := &tracker.Change{PrimaryID: items[0].EntityID, Items: items}
	if r.about != nil {
		c.PrimaryID = *r.about
	}
	return c
}

// changes lists the items that say something.
func (r *recorder) changes() []tracker.ChangeItem {
	return slices.DeleteFunc(r.items, func(i tracker.ChangeItem) bool {
		return i.Action == "" || i.Action == "update" && len(i.Data) == 0
	})
}
