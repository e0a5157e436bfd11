package service

import (
	"context"
	"fmt"
	"strconv"

	"milepost/internal/store"
	"milepost/internal/tracker"
)

// StoryChanges lists the changes that stand in the history of a story, oldest first, with those of
// their items that are about the story, its tasks, comments and links, or about no story.
func (s *Service) StoryChanges(ctx context.Context, by tracker.Actor, id int64) ([]tracker.Change, error) {
	return read(ctx, s, by, func(tx *store.Tx) ([]tracker.Change, error) {
		if _, err := tx.Story(id); err != nil {
			return nil, err
		}
		return tx.StoryChanges(id)
	})
}

// Referents tells what changes show of the entities that they refer to, in one query for each type;
// those that are gone are left out.
func (s *Service) Referents(ctx context.Context, by tracker.Actor, refs []tracker.Ref) (map[tracker.Ref]tracker.Referent, error) {
	found := make(map[tracker.Ref]tracker.Referent, len(refs))
	if len(refs) == 0 {
		return found, nil
	}
	numbers, uuids := map[string][]int64{}, map[string][]tracker.UUID{}
	for _, r := range refs {
		if id, err := strconv.ParseInt(r.ID, 10, 64); err == nil {
			numbers[r.EntityType] = append(numbers[r.EntityType], id)
		} else {
			uuids[r.EntityType] = append(uuids[r.EntityType], tracker.UUID(r.ID))
		}
	}
	return read(ctx, s, by, func(tx *store.Tx) (map[tracker.Ref]tracker.Referent, error) {
		if err := addReferents(tx, found, numbers); err != nil {
			return nil, err
		}
		if uuids[tracker.FieldValue] != nil {
			if err := addFieldValues(tx, found); err != nil {
				return nil, err
			}
		}
		return found, addReferents(tx, found, uuids)
	})
}

func addReferents[T comparable](tx *store.Tx, to map[tracker.Ref]tracker.Referent, ids map[string][]T) error {
	for entityType, list := range ids {
		found, err := store.Referents(tx, entityType, list)
		if err != nil {
			return err
		}
		for id, r := range found {
			to[tracker.Ref{EntityType: entityType, ID: fmt.Sprint(id)}] = r
		}
	}
	return nil
}

// addFieldValues adds the values of all custom fields: they are few and live with the fields.
func addFieldValues(tx *store.Tx, to map[tracker.Ref]tracker.Referent) error {
	fields, err := tx.CustomFields()
	for i := range fields {
		for _, v := range fields[i].Values {
			to[tracker.Ref{EntityType: tracker.FieldValue, ID: string(v.ID)}] = tracker.Referent{Name: v.Value, Enabled: v.Enabled, Field: &fields[i]}
		}
	}
	return err
}
