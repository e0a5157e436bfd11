package api_test

import (
	"encoding/json"
	"fmt"
	"slices"

	"pgregory.net/rapid"

	"milepost/internal/tracker"
)

func (r *storyRun) create() {
	body, add := r.newStory()
	add(r.send("POST", "/stories", body, 201))
}

func (r *storyRun) createMany() {
	var bodies []any
	var adds []func(int64)
	for range rapid.IntRange(1, 3).Draw(r.T, "n") {
		body, add := r.newStory()
		bodies, adds = append(bodies, body), append(adds, add)
	}
	if r.yes("one is bad") {
		r.send("POST", "/stories/bulk", map[string]any{"stories": append(bodies, map[string]any{"name": "x", "epic_id": 999})}, 422)
		return
	}
	var ids []int64
	for i, c := range r.clients {
		var list []struct{ ID int64 }
		if err := json.Unmarshal([]byte(c.Want(r.t, 201, "POST", "/stories/bulk", map[string]any{"stories": bodies}).Text), &list); err != nil {
			r.Fatal(err)
		}
		var got []int64
		for _, s := range list {
			got = append(got, s.ID)
		}
		if i > 0 && !slices.Equal(got, ids) {
			r.Fatalf("the engines answer with the ids %v and %v", ids, got)
		}
		ids = got
	}
	for i, id := range ids {
		adds[i](id)
	}
}

func (r *storyRun) update() {
	s := r.any("story")
	body, apply := r.fields()
	if r.yes("labels?") {
		names, labels := r.drawLabels()
		body["labels"] = append([]any{}, names...)
		was := apply
		apply = func(s *modelStory) { was(s); s.labels = labels }
	}
	r.send("PUT", storyPath(s.id), body, 200)
	r.model.do(func() []int64 { apply(s); return nil })
}

func (r *storyRun) move() {
	s, state := r.any("story"), r.state()
	body := map[string]any{"workflow_state_id": state}
	at, neighbour := where{}, r.any("neighbour")
	placed := r.yes("placed")
	status := 200
	if placed {
		body["before_id"], at.before = neighbour.id, neighbour.id
		if neighbour == s || neighbour.state != state {
			status = 422
		}
	}
	r.send("PUT", storyPath(s.id), body, status)
	if status != 200 || !placed && state == s.state {
		return
	}
	r.model.do(func() []int64 {
		if state != s.state {
			r.model.enter(s, state)
		}
		if r.model.put(s, at) {
			return []int64{s.id}
		}
		return nil
	})
}

func (r *storyRun) drawPlace() (at where, body map[string]any, neighbour *modelStory) {
	switch rapid.IntRange(0, 3).Draw(r.T, "place") {
	case 0:
		neighbour = r.any("neighbour")
		return where{before: neighbour.id}, map[string]any{"before_id": neighbour.id}, neighbour
	case 1:
		neighbour = r.any("neighbour")
		return where{after: neighbour.id}, map[string]any{"after_id": neighbour.id}, neighbour
	case 2:
		return where{first: true}, map[string]any{"move_to": "first"}, nil
	default:
		return where{}, map[string]any{"move_to": "last"}, nil
	}
}

func (r *storyRun) place() {
	s := r.any("story")
	at, body, neighbour := r.drawPlace()
	if neighbour != nil && (neighbour == s || neighbour.state != s.state) {
		r.send("PUT", storyPath(s.id), body, 422)
		return
	}
	r.send("PUT", storyPath(s.id), body, 200)
	r.model.do(func() []int64 {
		if r.model.put(s, at) {
			return []int64{s.id}
		}
		return nil
	})
}

// bulkPlace places several stories: in each state one behind the other.
func (r *storyRun) bulkPlace() {
	ids := r.some()
	at, body, neighbour := r.drawPlace()
	body["story_ids"] = ids
	bad := func(id int64) bool { return r.model.stories[id].state != neighbour.state }
	if neighbour != nil && (slices.Contains(ids, neighbour.id) || slices.ContainsFunc(ids, bad)) {
		r.send("PUT", "/stories/bulk", body, 422)
		return
	}
	r.send("PUT", "/stories/bulk", body, 200)
	r.model.do(func() (moved []int64) {
		previous := map[int64]int64{}
		for _, id := range ids {
			s, here := r.model.stories[id], at
			if p := previous[s.state]; p != 0 && at != (where{}) {
				here = where{after: p}
			}
			if r.model.put(s, here) {
				moved = append(moved, id)
			}
			previous[s.state] = id
		}
		return moved
	})
}

func (r *storyRun) bulk() {
	ids := r.some()
	body, apply := r.fields()
	body["story_ids"] = ids
	state := int64(0)
	if r.yes("state?") {
		state = r.state()
		body["workflow_state_id"] = state
	}
	label := rapid.IntRange(0, 2).Draw(r.T, "label")
	removes := r.yes("remove")
	key := "labels_add"
	if removes {
		key = "labels_remove"
	}
	body[key] = []any{map[string]any{"name": []string{"a", "b", "c"}[label]}}
	r.send("PUT", "/stories/bulk", body, 200)
	r.model.do(func() (moved []int64) {
		for _, id := range ids {
			s := r.model.stories[id]
			apply(s)
			has := slices.Contains(s.labels, r.labels[label])
			if !has && !removes {
				s.labels = append(slices.Clone(s.labels), r.labels[label])
			} else if removes {
				s.labels = slices.DeleteFunc(slices.Clone(s.labels), func(l int64) bool { return l == r.labels[label] })
			}
			if state != 0 && state != s.state {
				r.model.enter(s, state)
				r.model.put(s, where{})
				moved = append(moved, id)
			}
		}
		return moved
	})
}

func (r *storyRun) verb() tracker.Verb {
	return rapid.SampledFrom([]tracker.Verb{tracker.Blocks, tracker.Blocks, tracker.Duplicates, tracker.RelatesTo}).Draw(r.T, "verb")
}

func (r *storyRun) link() {
	l := modelLink{subject: r.any("subject").id, object: r.any("object").id, verb: r.verb()}
	status := 201
	if l.subject == l.object || slices.ContainsFunc(r.model.links, func(o modelLink) bool { o.id = 0; return o == l }) {
		status = 422
	}
	l.id = r.send("POST", "/story-links", map[string]any{"subject_id": l.subject, "object_id": l.object, "verb": l.verb}, status)
	if status == 201 {
		r.model.do(func() []int64 { r.model.links = append(r.model.links, l); return nil })
	}
}

func (r *storyRun) anyLink() int {
	if len(r.model.links) == 0 {
		r.Skip("no link")
	}
	return rapid.IntRange(0, len(r.model.links)-1).Draw(r.T, "link")
}

func (r *storyRun) relink() {
	i := r.anyLink()
	l := r.model.links[i]
	l.verb, l.object = r.verb(), r.any("object").id
	status := 200
	if l.subject == l.object || slices.ContainsFunc(r.model.links, func(o modelLink) bool {
		return o.id != l.id && o.subject == l.subject && o.object == l.object && o.verb == l.verb
	}) {
		status = 422
	}
	r.send("PUT", fmt.Sprintf("/story-links/%d", l.id), map[string]any{"verb": l.verb, "object_id": l.object}, status)
	if status == 200 {
		r.model.do(func() []int64 { r.model.links[i] = l; return nil })
	}
}

func (r *storyRun) unlink() {
	i := r.anyLink()
	r.send("DELETE", fmt.Sprintf("/story-links/%d", r.model.links[i].id), nil, 204)
	r.model.do(func() []int64 { r.model.links = slices.Delete(r.model.links, i, i+1); return nil })
}

func (r *storyRun) task() {
	s := r.any("story")
	path := storyPath(s.id) + "/tasks"
	what := rapid.IntRange(0, 3).Draw(r.T, "what")
	if what == 0 || len(s.tasks) == 0 {
		complete := r.yes("complete")
		id := r.send("POST", path, map[string]any{"description": "t", "complete": complete}, 201)
		r.model.do(func() []int64 { s.tasks = append(slices.Clone(s.tasks), modelTask{id, complete}); return nil })
		return
	}
	i := rapid.IntRange(0, len(s.tasks)-1).Draw(r.T, "task")
	task := s.tasks[i]
	path = fmt.Sprintf("%s/%d", path, task.id)
	rest := slices.Delete(slices.Clone(s.tasks), i, i+1)
	switch what {
	case 1:
		complete := r.yes("complete")
		r.send("PUT", path, map[string]any{"complete": complete}, 200)
		r.model.do(func() []int64 { s.tasks = slices.Clone(s.tasks); s.tasks[i].complete = complete; return nil })
	case 2:
		if len(rest) == 0 {
			r.Skip("nothing to go before")
		}
		j := rapid.IntRange(0, len(rest)-1).Draw(r.T, "before")
		r.send("PUT", path, map[string]any{"before_id": rest[j].id}, 200)
		r.model.do(func() []int64 { s.tasks = slices.Insert(rest, j, task); return nil })
	case 3:
		r.send("DELETE", path, nil, 204)
		r.model.do(func() []int64 { s.tasks = rest; return nil })
	}
}

func (r *storyRun) comment() {
	s := r.any("story")
	c := modelComment{blocker: r.yes("blocker")}
	body := map[string]any{"text": "c", "blocker": c.blocker}
	status := 201
	if len(s.comments) > 0 && r.yes("reply") {
		parent := rapid.SampledFrom(s.comments).Draw(r.T, "parent")
		c.parent, c.unblocks = parent.id, r.yes("unblocks")
		body["parent_id"], body["unblocks_parent"] = c.parent, c.unblocks
		if c.blocker || parent.deleted || c.unblocks && !parent.blocker {
			status = 422
		}
	}
	c.id = r.send("POST", storyPath(s.id)+"/comments", body, status)
	if status == 201 {
		r.model.do(func() []int64 { s.comments = append(slices.Clone(s.comments), c); return nil })
	}
}

func (r *storyRun) uncomment() {
	s := r.any("story")
	if len(s.comments) == 0 {
		r.Skip("no comment")
	}
	c := rapid.SampledFrom(s.comments).Draw(r.T, "comment")
	path := fmt.Sprintf("%s/comments/%d", storyPath(s.id), c.id)
	if c.deleted {
		r.send("DELETE", path, nil, 404)
		return
	}
	r.send("DELETE", path, nil, 204)
	r.model.do(func() []int64 { s.comments = slices.Clone(s.comments); s.dropComment(c.id); return nil })
}

func (r *storyRun) parent() {
	child, parent := r.any("child"), r.any("parent")
	if r.yes("detach") {
		r.send("PUT", storyPath(child.id), map[string]any{"parent_story_id": nil}, 200)
		r.model.do(func() []int64 { r.model.setParent(child, nil); return nil })
		return
	}
	status := 200
	if child == parent || parent.parent != nil || len(child.subTasks) > 0 {
		status = 422
	}
	r.send("PUT", storyPath(child.id), map[string]any{"parent_story_id": parent.id}, status)
	if status == 200 && (child.parent == nil || *child.parent != parent.id) {
		r.model.do(func() []int64 { r.model.setParent(child, &parent.id); return nil })
	}
}

func (r *storyRun) delete() {
	s := r.any("story")
	r.send("DELETE", storyPath(s.id), nil, 204)
	r.model.do(func() []int64 { r.model.remove(s.id); return nil })
}

func (r *storyRun) bulkDelete() {
	ids := r.some()
	status := 204
	if slices.ContainsFunc(ids, func(id int64) bool { return !r.model.stories[id].archived }) {
		status = 422
	}
	r.send("DELETE", "/stories/bulk", map[string]any{"story_ids": ids}, status)
	if status == 204 {
		r.model.do(func() []int64 {
			for _, id := range ids {
				r.model.remove(id)
			}
			return nil
		})
	}
}
