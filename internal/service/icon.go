package service

import (
	"context"

	"milepost/internal/store"
	"milepost/internal/tracker"
)

// CreateIcon keeps a picture that groups and members can then refer to.
func (s *Service) CreateIcon(ctx context.Context, by tracker.Actor, contentType string, content []byte) (tracker.Icon, error) {
	return write(ctx, s, by, func(w *work) (tracker.Icon, error) {
		icon, err := tracker.NewIcon(w.s.newID(), contentType, content, w.now)
		if err != nil {
			return icon, err
		}
		return create(w, icon, w.InsertIcon)
	})
}

// IconsOf tells the icon, without its content, of each member that has one.
func (s *Service) IconsOf(ctx context.Context, by tracker.Actor, members ...tracker.Member) (map[tracker.UUID]*tracker.Icon, error) {
	return read(ctx, s, by, func(tx *store.Tx) (map[tracker.UUID]*tracker.Icon, error) {
		var ids []tracker.UUID
		for _, m := range members {
			if m.IconID != nil {
				ids = append(ids, *m.IconID)
			}
		}
		icons, err := iconsByID(tx, ids)
		byMember := map[tracker.UUID]*tracker.Icon{}
		for _, m := range members {
			if m.IconID != nil {
				byMember[m.ID] = icons[*m.IconID]
			}
		}
		return byMember, err
	})
}

func iconsByID(tx *store.Tx, ids []tracker.UUID) (map[tracker.UUID]*tracker.Icon, error) {
	list, err := tx.IconsByID(ids)
	icons := map[tracker.UUID]*tracker.Icon{}
	for i := range list {
		icons[list[i].ID] = &list[i]
	}
	return icons, err
}

// Icon returns a picture with its content.
func (s *Service) Icon(ctx context.Context, by tracker.Actor, id tracker.UUID) (tracker.Icon, error) {
	return read(ctx, s, by, func(tx *store.Tx) (tracker.Icon, error) { return tx.Icon(id) })
}
