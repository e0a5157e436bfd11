package service

import (
	"context"
	"errors"

	"milepost/internal/store"
	"milepost/internal/tracker"
)

// EntityTemplateList is templates as they are shown, without what has been deleted or disabled
// since, together with what they show of other entities.
type EntityTemplateList struct {
	Templates   []tracker.EntityTemplate
	Labels      map[int64]tracker.Label
	Files       map[int64]File
	LinkedFiles map[int64]LinkedFile
	Fields      map[tracker.UUID]string // the values of custom fields
}

func (s *Service) EntityTemplates(ctx context.Context, by tracker.Actor) (EntityTemplateList, error) {
	return read(ctx, s, by, func(tx *store.Tx) (EntityTemplateList, error) {
		list, err := tx.EntityTemplates()
		return viewTemplates(tx, list, err)
	})
}

func (s *Service) EntityTemplate(ctx context.Context, by tracker.Actor, id tracker.UUID) (EntityTemplateList, error) {
	return read(ctx, s, by, func(tx *store.Tx) (EntityTemplateList, error) {
		t, err := tx.EntityTemplate(id)
		return viewTemplates(tx, []tracker.EntityTemplate{t}, err)
	})
}

func (s *Service) CreateEntityTemplate(ctx context.Context, by tracker.Actor, p tracker.EntityTemplateParams) (EntityTemplateList, error) {
	return write(ctx, s, by, func(w *work) (EntityTemplateList, error) {
		t, err := w.createTemplate(p)
		return viewTemplates(w.Tx, []tracker.EntityTemplate{t}, err)
	})
}

func (w *work) createTemplate(p tracker.EntityTemplateParams) (t tracker.EntityTemplate, err error) {
	if err := w.require(tracker.EntityTemplates); err != nil {
		return t, err
	}
	if err := mustExistOpt(w, "member", "author_id", p.AuthorID); err != nil {
		return t, err
	}
	t = tracker.EntityTemplate{
		ID: w.s.newID(), Name: p.Name, AuthorID: p.AuthorID.Or(w.by.Member), LastUsedAt: w.now, CreatedAt: w.now, UpdatedAt: w.now,
	}
	w.primary(t)
	if t.Contents, err = w.changedContents(t.Contents, p.Contents); err != nil {
		return t, err
	}
	return create(w, t, w.InsertEntityTemplate)
}

func (s *Service) UpdateEntityTemplate(ctx context.Context, by tracker.Actor, id tracker.UUID, ch tracker.EntityTemplateChange) (EntityTemplateList, error) {
	return write(ctx, s, by, func(w *work) (EntityTemplateList, error) {
		t, err := w.updateTemplate(id, ch)
		return viewTemplates(w.Tx, []tracker.EntityTemplate{t}, err)
	})
}

func (w *work) updateTemplate(id tracker.UUID, ch tracker.EntityTemplateChange) (t tracker.EntityTemplate, err error) {
	if err := w.require(tracker.EntityTemplates); err != nil {
		return t, err
	}
	if t, err = w.EntityTemplate(id); err != nil {
		return t, err
	}
	w.primary(t)
	contents, err := w.changedContents(t.Contents, ch.Contents)
	if err != nil {
		return t, err
	}
	return update(w, t, func(t *tracker.EntityTemplate) {
		ch.Name.Apply(&t.Name)
		t.Contents = contents
	}, w.Tx.UpdateEntityTemplate)
}

func (s *Service) DeleteEntityTemplate(ctx context.Context, by tracker.Actor, id tracker.UUID) error {
	_, err := write(ctx, s, by, func(w *work) (none, error) {
		t, err := w.EntityTemplate(id)
		if err != nil {
			return none{}, err
		}
		return none{}, remove(w, t, func() error { return w.Tx.DeleteEntityTemplate(id) })
	})
	return err
}

// changedContents applies the change, of which every reference must name something.
func (w *work) changedContents(c tracker.StoryContents, ch tracker.StoryContentsChange) (tracker.StoryContents, error) {
	err := w.checkContents(ch)
	if err == nil {
		_, err = w.storyFields(ch.CustomFields.Or(nil), ch.Type.Or(c.Type))
	}
	if err != nil {
		return c, tracker.Within(err, "story_contents")
	}
	if labels, ok := ch.Labels.Get(); ok {
		ids, err := w.labelIDs(labels)
		if err != nil {
			return c, err
		}
		ch.LabelIDs = tracker.Some(ids)
	}
	c.Apply(ch)
	return c, nil
}

// checkContents fails at the first reference to what does not exist; the values of custom fields
// have rules of their own.
func (w *work) checkContents(ch tracker.StoryContentsChange) error {
	var named tracker.StoryContents
	ch.CustomFields = tracker.Opt[[]tracker.StoryField]{}
	named.Apply(ch)
	refs := references(named)
	gone, err := missingReferences(w.Tx, refs)
	if err != nil {
		return err
	}
	for _, r := range refs {
		if gone[target{r.Kind, r.ID}] {
			return tracker.Impossible(r.Field, "names no existing %s: %v", r.Kind, r.ID)
		}
	}
	return nil
}

// template is the template that a story is to be made from, as it is shown.
func (w *work) template(id tracker.UUID) (tracker.EntityTemplate, error) {
	t, err := w.EntityTemplate(id)
	if errors.Is(err, tracker.ErrNotFound) {
		err = tracker.Impossible("story_template_id", "names no existing template: %s", id)
	}
	list, err := viewTemplates(w.Tx, []tracker.EntityTemplate{t}, err)
	if err != nil {
		return t, err
	}
	return list.Templates[0], nil
}

// templateUsed notes that a story was made from the template. That is no update of it.
func (w *work) templateUsed(t tracker.EntityTemplate) error {
	used := t
	used.LastUsedAt = w.now
	delta := tracker.Diff(t, used)
	if len(delta) == 0 {
		return nil
	}
	w.record("update", used, delta)
	return w.EntityTemplateUsed(t.ID, w.now)
}

// viewTemplates loads what the templates refer to, in a fixed number of queries, and drops what
// is gone.
func viewTemplates(tx *store.Tx, templates []tracker.EntityTemplate, err error) (EntityTemplateList, error) {
	view := EntityTemplateList{Templates: templates}
	if err != nil || len(templates) == 0 {
		return view, err
	}
	var refs []tracker.Reference
	var labels, files, linked []int64
	for i := range templates {
		refs = append(refs, references(templates[i].Contents)...)
		labels = append(labels, templates[i].Contents.LabelIDs...)
		files = append(files, templates[i].Contents.FileIDs...)
		linked = append(linked, templates[i].Contents.LinkedFileIDs...)
	}
	catalog, err := tx.Catalog(templates[0].CatalogNumber, func() []int64 { return distinct(labels) })
	if err != nil {
		return view, err
	}
	view.Labels, view.Fields = catalog.Labels, catalog.Values
	if view.Files, err = filesByID(tx, distinct(files)); err != nil {
		return view, err
	}
	if view.LinkedFiles, err = linkedFilesByID(tx, distinct(linked)); err != nil {
		return view, err
	}
	gone, err := missingReferences(tx, refs)
	for i := range templates {
		templates[i].Contents.Keep(func(r tracker.Reference) bool {
			if value, ok := r.ID.(tracker.UUID); ok && r.Kind == "custom-field-value" {
				_, shown := view.Fields[value]
				return shown
			}
			return !gone[target{r.Kind, r.ID}]
		})
	}
	return view, err
}

// references lists everything that the contents name.
func references(c tracker.StoryContents) (refs []tracker.Reference) {
	c.Keep(func(r tracker.Reference) bool {
		refs = append(refs, r)
		return true
	})
	return refs
}

// target is what a reference names.
type target struct {
	kind string
	id   any
}

// missingReferences tells what is named and does not exist, in one query for each kind; it does
// not judge the values of custom fields.
func missingReferences(tx *store.Tx, refs []tracker.Reference) (map[target]bool, error) {
	ints, uuids := map[string][]int64{}, map[string][]tracker.UUID{}
	for _, r := range refs {
		switch id := r.ID.(type) {
		case int64:
			ints[r.Kind] = append(ints[r.Kind], id)
		case tracker.UUID:
			uuids[r.Kind] = append(uuids[r.Kind], id)
		}
	}
	gone := map[target]bool{}
	if err := addMissing(tx, ints, gone); err != nil {
		return nil, err
	}
	return gone, addMissing(tx, uuids, gone)
}

func addMissing[T comparable](tx *store.Tx, ids map[string][]T, gone map[target]bool) error {
	for kind, list := range ids {
		missing, err := store.Missing(tx, kind, list)
		if err != nil {
			return err
		}
		for _, id := range missing {
			gone[target{kind, id}] = true
		}
	}
	return nil
}
