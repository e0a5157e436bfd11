package activity

import (
	"fmt"
	"strconv"
	"strings"

	"milepost/internal/tracker"
)

// untold are fields that the change log keeps for the server alone: they follow from others.
var untold = map[string]bool{"num_tasks_completed": true}

// pages are the entity types that have a page of their own in the web application.
var pages = map[string]bool{
	"story": true, "epic": true, "iteration": true, "label": true, "project": true, "milestone": true, "group": true,
	"document": true,
}

// nameOnly are the entity types of which only what they are known by is told, whatever was done.
var nameOnly = map[string]bool{"branch": true, "commit": true, "pull-request": true}

// action tells what was done to one entity; nil when nothing of it is to be told.
func (r Reader) action(item tracker.ChangeItem) Object {
	o := Object{}
	switch {
	case nameOnly[item.EntityType] && tracker.Updates(item.Action):
		identify(o, item, item.About)
	case nameOnly[item.EntityType]:
		identify(o, item, item.Data)
	case item.Action == "create":
		for key, v := range item.Data {
			if !untold[key] && (tracker.Identifies(item.EntityType, key) || v != false && v != "") {
				o[key] = v
			}
		}
	case item.Action == "update":
		changes := Object{}
		for key, v := range item.Data {
			if !untold[key] {
				changes[key] = delta(key, v)
			}
		}
		if len(changes) == 0 {
			return nil
		}
		o["changes"] = changes
		identify(o, item, item.About)
	default:
		identify(o, item, item.Data)
	}
	if url := r.url(item, o); url != "" && item.Action != "delete" {
		o["app_url"] = url
	}
	o["id"], o["entity_type"], o["action"] = PublicID(item.EntityID), item.EntityType, item.Action
	return o
}

// delta leaves out the id of nobody, which is no value.
func delta(key string, v any) any {
	d, ok := v.(Object)
	if !ok || !strings.HasSuffix(key, "_id") {
		return v
	}
	for _, side := range []string{"old", "new"} {
		if d[side] == "" {
			delete(d, side)
		}
	}
	return d
}

// identify adds what people know the entity by: out of known or, where it changed, as it is now.
func identify(o Object, item tracker.ChangeItem, known Object) {
	for key, v := range known {
		if tracker.Identifies(item.EntityType, key) {
			o[key] = v
		}
	}
	if !tracker.Updates(item.Action) {
		return
	}
	for key, v := range item.Data {
		if d, ok := v.(Object); ok && d["new"] != nil && tracker.Identifies(item.EntityType, key) {
			o[key] = d["new"]
		}
	}
}

// url is the page that shows the entity.
func (r Reader) url(item tracker.ChangeItem, o Object) string {
	if pages[item.EntityType] {
		return r.By.AppURL(r.PublicURL, item.EntityType, item.EntityID)
	}
	parent, isComment := strings.CutSuffix(item.EntityType, "-comment")
	if !isComment {
		return ""
	}
	return r.By.AppURL(r.PublicURL, parent, text(o[parent+"_id"])) + "#activity-" + item.EntityID
}

// PublicID is an id of the change log as clients know it: a number or a UUID.
func PublicID(id string) any {
	if n, err := strconv.ParseInt(id, 10, 64); err == nil {
		return n
	}
	return id
}

// text is an id in the data of a change, which JSON has made a float or left a string.
func text(id any) string {
	if n, ok := id.(float64); ok {
		return strconv.FormatInt(int64(n), 10)
	}
	return fmt.Sprint(id)
}
