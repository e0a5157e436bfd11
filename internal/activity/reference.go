package activity

import (
	"maps"
	"slices"

	"milepost/internal/tracker"
)

// refers says what the ids in a field are ids of.
var refers = map[string]string{
	"story_id": "story", "parent_story_id": "story", "sub_task_story_ids": "story", "subject_id": "story", "object_id": "story",
	"task_ids": "story-task", "workflow_state_id": "workflow-state", "epic_state_id": "epic-state", "epic_id": "epic",
	"iteration_id": "iteration", "previous_iteration_ids": "iteration", "project_id": "project", "label_ids": "label",
	"group_id": "group", "group_ids": "group", "group_mention_ids": "group", "objective_id": "milestone", "objective_ids": "milestone",
	"category_ids": "category", "file_ids": "file", "linked_file_ids": "linked-file", "document_ids": "document", "branch_ids": "branch",
	"commit_ids": "commit", "custom_field_value_ids": tracker.FieldValue,
}

// refs lists references once each, in the order of their first mention.
type refs struct {
	list []tracker.Ref
	seen map[tracker.Ref]bool
}

func (r *refs) add(list ...tracker.Ref) {
	if r.seen == nil {
		r.seen = map[tracker.Ref]bool{}
	}
	for _, ref := range list {
		if !r.seen[ref] {
			r.seen[ref] = true
			r.list = append(r.list, ref)
		}
	}
}

// collect adds what an action names, of what changed the new before the old. A deletion names
// nothing.
func (r *refs) collect(item tracker.ChangeItem, action Object) {
	if item.Action == "delete" {
		return
	}
	changes, _ := action["changes"].(Object)
	for _, key := range slices.Sorted(maps.Keys(changes)) {
		if d, ok := changes[key].(Object); ok {
			for _, side := range []string{"new", "old", "adds", "removes"} {
				r.addIDs(refers[key], d[side])
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(action)) {
		r.addIDs(refers[key], action[key])
	}
}

func (r *refs) addIDs(entityType string, ids any) {
	switch ids := ids.(type) {
	case nil:
	case []any:
		for _, id := range ids {
			r.addIDs(entityType, id)
		}
	default:
		if entityType != "" {
			r.add(tracker.Ref{EntityType: entityType, ID: text(ids)})
		}
	}
}

// drop leaves out the entities that have an action of their own.
func (r *refs) drop(own map[tracker.Ref]bool) {
	r.list = slices.DeleteFunc(r.list, func(ref tracker.Ref) bool { return own[ref] })
}

// reference tells what an id in an action stands for.
func (r Reader) reference(ref tracker.Ref, is tracker.Referent) Object {
	o := Object{"id": PublicID(ref.ID), "entity_type": ref.EntityType, "name": is.Name}
	if pages[ref.EntityType] && ref.EntityType != "group" {
		o["app_url"] = r.By.AppURL(r.PublicURL, ref.EntityType, ref.ID)
	}
	switch ref.EntityType {
	case "story":
		o["story_type"] = is.Type
		if is.ParentID != nil {
			o["parent_story_id"] = *is.ParentID
		}
	case "workflow-state", "epic-state":
		o["type"] = is.Type
	case "branch":
		o["url"] = is.Type
	case "commit":
		delete(o, "name")
		o["message"], o["url"] = is.Name, is.Type
	case "story-task":
		delete(o, "name")
		o["description"] = is.Name
	case tracker.FieldValue:
		delete(o, "name")
		o["string_value"], o["enum_value_enabled"] = is.Name, is.Enabled
		o["field_id"], o["field_type"], o["field_name"], o["field_enabled"] = is.Field.ID, is.Field.FieldType, is.Field.Name, is.Field.Enabled
	}
	return o
}
