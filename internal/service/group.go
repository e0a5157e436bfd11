package service

import (
	"context"

	"milepost/internal/store"
	"milepost/internal/tracker"
)

// GroupView is a group with what belongs to it.
type GroupView struct {
	tracker.Group
	Stories      tracker.StoryStats
	EpicsStarted int64
	Icon         *tracker.Icon
}

// Groups lists the groups: all, or those that are (not) archived.
func (s *Service) Groups(ctx context.Context, by tracker.Actor, archived tracker.Opt[bool]) ([]GroupView, error) {
	return read(ctx, s, by, func(tx *store.Tx) ([]GroupView, error) {
		find := tx.Groups
		if want, ok := archived.Get(); ok {
			find = func() ([]tracker.Group, error) { return tx.GroupsArchived(want) }
		}
		list, err := find()
		if err != nil {
			return nil, err
		}
		return viewGroups(tx, list)
	})
}

func (s *Service) Group(ctx context.Context, by tracker.Actor, id tracker.UUID) (GroupView, error) {
	return read(ctx, s, by, func(tx *store.Tx) (GroupView, error) {
		g, err := tx.Group(id)
		return viewGroup(tx, g, err)
	})
}

// GroupIDsByMember tells which groups each member is in.
func (s *Service) GroupIDsByMember(ctx context.Context, by tracker.Actor) (map[tracker.UUID][]tracker.UUID, error) {
	return read(ctx, s, by, func(tx *store.Tx) (map[tracker.UUID][]tracker.UUID, error) {
		list, err := tx.Groups()
		ids := map[tracker.UUID][]tracker.UUID{}
		for _, g := range list {
			for _, m := range g.MemberIDs {
				ids[m] = append(ids[m], g.ID)
			}
		}
		return ids, err
	})
}

// StoriesOfGroup lists a page of the group's stories.
func (s *Service) StoriesOfGroup(ctx context.Context, by tracker.Actor, id tracker.UUID, limit, offset int64) (StoryList, error) {
	return s.storyList(ctx, by, func(tx *store.Tx) ([]tracker.Story, error) {
		if _, err := tx.Group(id); err != nil {
			return nil, err
		}
		return tx.StoriesOfGroup(id, limit, offset)
	})
}

// CreateGroup makes a group; without workflows it works in the workspace's default one.
func (s *Service) CreateGroup(ctx context.Context, by tracker.Actor, p tracker.GroupParams) (GroupView, error) {
	return write(ctx, s, by, func(w *work) (GroupView, error) {
		if err := w.require(tracker.Groups); err != nil {
			return GroupView{}, err
		}
		ws, err := w.allowsGroup()
		if err != nil {
			return GroupView{}, err
		}
		p.MemberIDs, p.WorkflowIDs = distinct(p.MemberIDs), distinct(p.WorkflowIDs)
		if len(p.WorkflowIDs) == 0 {
			p.WorkflowIDs = []int64{ws.DefaultWorkflowID}
		}
		if err := w.groupRefs(p.MemberIDs, p.WorkflowIDs, p.DisplayIconID); err != nil {
			return GroupView{}, err
		}
		g, err := create(w, tracker.NewGroup(w.s.newID(), p, w.now), w.InsertGroup)
		return viewGroup(w.Tx, g, err)
	})
}

// UpdateGroup changes a group. One that comes back from the archive needs room in the allowance.
func (s *Service) UpdateGroup(ctx context.Context, by tracker.Actor, id tracker.UUID, ch tracker.GroupChange) (GroupView, error) {
	return write(ctx, s, by, func(w *work) (GroupView, error) {
		if err := w.require(tracker.Groups); err != nil {
			return GroupView{}, err
		}
		before, err := w.Group(id)
		if err != nil {
			return GroupView{}, err
		}
		if before.Archived && ch.Archived.State != tracker.Absent && !ch.Archived.Or(false) {
			if _, err := w.allowsGroup(); err != nil {
				return GroupView{}, err
			}
		}
		ch.MemberIDs.Value, ch.WorkflowIDs.Value = distinct(ch.MemberIDs.Value), distinct(ch.WorkflowIDs.Value)
		if err := w.groupRefs(ch.MemberIDs.Value, ch.WorkflowIDs.Value, ch.DisplayIconID); err != nil {
			return GroupView{}, err
		}
		after := before
		if err := after.Apply(ch); err != nil {
			return GroupView{}, err
		}
		after, err = update(w, before, func(g *tracker.Group) { *g = after }, w.Tx.UpdateGroup)
		return viewGroup(w.Tx, after, err)
	})
}

// allowsGroup fails when the workspace may not have another group.
func (w *work) allowsGroup() (*tracker.Workspace, error) {
	ws, err := w.Workspace()
	if err != nil {
		return nil, err
	}
	n, err := w.CountUnarchivedGroups()
	if err != nil {
		return nil, err
	}
	return ws, ws.AllowsGroup(n)
}

func (w *work) groupRefs(members []tracker.UUID, workflows []int64, icon tracker.Opt[tracker.UUID]) error {
	if err := mustExist(w, "member", "member_ids", members...); err != nil {
		return err
	}
	if err := mustExist(w, "workflow", "workflow_ids", workflows...); err != nil {
		return err
	}
	return mustExistOpt(w, "icon", "display_icon_id", icon)
}

func viewGroup(tx *store.Tx, g tracker.Group, err error) (GroupView, error) {
	if err != nil {
		return GroupView{}, err
	}
	views, err := viewGroups(tx, []tracker.Group{g})
	if err != nil {
		return GroupView{}, err
	}
	return views[0], nil
}

// viewGroups loads what belongs to the groups, in a fixed number of queries.
func viewGroups(tx *store.Tx, groups []tracker.Group) ([]GroupView, error) {
	var id any
	var group tracker.UUID
	if len(groups) == 1 {
		group, id = groups[0].ID, groups[0].ID
	}
	stories, err := tx.StoryStats("group_id", id)
	if err != nil {
		return nil, err
	}
	epics, err := tx.EpicsStarted(group)
	if err != nil {
		return nil, err
	}
	icons, err := iconsOf(tx, groups)
	views := make([]GroupView, len(groups))
	for i, g := range groups {
		views[i] = GroupView{Group: g, Stories: stories[string(g.ID)], EpicsStarted: epics[g.ID]}
		if g.DisplayIconID != nil {
			views[i].Icon = icons[*g.DisplayIconID]
		}
	}
	return views, err
}

func iconsOf(tx *store.Tx, groups []tracker.Group) (map[tracker.UUID]*tracker.Icon, error) {
	var ids []tracker.UUID
	for _, g := range groups {
		if g.DisplayIconID != nil {
			ids = append(ids, *g.DisplayIconID)
		}
	}
	return iconsByID(tx, ids)
}
