package main

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// An operation is one kind of request, to our server and to the floor.
type operation struct {
	name   string
	method string // of ours
	ours   func(*fixture) paths
	floor  func(*fixture) paths
	check  check // of writes
}

// paths gives the path and body of request i of a worker.
type paths func(worker, i int) (path, body string)

var reads = []operation{
	{name: "get story", method: http.MethodGet, ours: getStory("/api/v3/stories/%d"), floor: getStory("/item/%d")},
	{name: "list 25 slim", method: http.MethodGet, ours: ourList("short"), floor: fixed("/list/short")},
	{name: "search 25 full", method: http.MethodGet, ours: ourSearch(frequent), floor: theirSearch(frequent)},
	{name: "list 1,000 slim", method: http.MethodGet, ours: ourList("long"), floor: fixed("/list/long")},
	{name: "rare-word search", method: http.MethodGet, ours: ourSearch(rare), floor: theirSearch(rare)},
	{name: "operator search", method: http.MethodGet, ours: ourSearch(operators), floor: theirSearch(operatorWords)},
}

// writes are measured after the reads, since they change the data; for the floor they are all alike.
var writes = []operation{
	{name: "create", method: http.MethodPost, ours: createStory, check: checkCreated},
	{name: "update", method: http.MethodPut, ours: updateStory, check: checkUpdated},
	{name: "move", method: http.MethodPut, ours: moveStory, check: checkMoved},
	{name: "comment", method: http.MethodPost, ours: commentStory, check: checkCommented},
}

func getStory(form string) func(*fixture) paths {
	return func(fx *fixture) paths {
		return func(worker, i int) (string, string) {
			// Far jumps: neighbours share pages of the database.
			return fmt.Sprintf(form, fx.stories[(worker*7919+i*104729)%len(fx.stories)]), ""
		}
	}
}

func fixed(path string) func(*fixture) paths {
	return func(*fixture) paths { return func(int, int) (string, string) { return path, "" } }
}

func ourList(name string) func(*fixture) paths {
	return func(fx *fixture) paths { return fixed(fmt.Sprintf("/api/v3/labels/%d/stories", fx.lists[name].id))(fx) }
}

// The queries of the searches, which take turns.
func frequent(fx *fixture) []string { return fx.words.around(max(30, len(fx.stories)/100), 16) }
func rare(fx *fixture) []string     { return fx.words.around(3, 16) }

var storyTypes = []string{"feature", "bug", "chore"}

func operators(*fixture) []string {
	var out []string
	for _, t := range storyTypes {
		out = append(out, "label:bench-short type:"+t)
	}
	return out
}

func operatorWords(*fixture) []string {
	var out []string
	for _, t := range storyTypes {
		out = append(out, tagOf("label", "bench-short")+" "+tagOf("type", t))
	}
	return out
}

func ourSearch(queries func(*fixture) []string) func(*fixture) paths {
	return search("/api/v3/search/stories?page_size=25&detail=full&query=", queries)
}

func theirSearch(queries func(*fixture) []string) func(*fixture) paths {
	return search("/search?query=", queries)
}

func search(path string, queries func(*fixture) []string) func(*fixture) paths {
	return func(fx *fixture) paths {
		var all []string
		for _, q := range queries(fx) {
			all = append(all, path+url.QueryEscape(q))
		}
		return func(worker, i int) (string, string) { return all[(worker+i)%len(all)], "" }
	}
}

// text makes what is written about as long as what people write.
var text = strings.Repeat("The export of a long report stops before the last page when the session ends meanwhile. ", 14)

func createStory(fx *fixture) paths {
	return func(worker, i int) (string, string) {
		return "/api/v3/stories", fmt.Sprintf(`{"name":"Created by %d as number %d","description":%q,"story_type":"bug","estimate":3,`+
			`"epic_id":%d,"labels":[{"name":"bench-created"}]}`, worker, i, text, fx.epic)
	}
}

func updateStory(fx *fixture) paths {
	return func(worker, i int) (string, string) {
		return fmt.Sprintf("/api/v3/stories/%d", fx.own(worker, i)), fmt.Sprintf(`{"name":%q,"estimate":%d}`, fx.nameAt(i), 1+i%8)
	}
}

// nameAt is the name that update i gives; it is always of the same length.
func (fx *fixture) nameAt(i int) string {
	return fmt.Sprintf("Renamed for the %010d. time", fx.sequence+int64(i))
}

func moveStory(fx *fixture) paths {
	return func(worker, i int) (string, string) {
		return fmt.Sprintf("/api/v3/stories/%d", fx.own(worker, i)), fmt.Sprintf(`{"workflow_state_id":%d,"move_to":"first"}`, fx.stateAt(worker, i))
	}
}

// stateAt alternates between two states with each turn through the stories of a worker.
func (fx *fixture) stateAt(worker, i int) int64 { return fx.states[1+(worker+i/fx.share())%2] }

func commentStory(fx *fixture) paths {
	return func(worker, i int) (string, string) {
		return fmt.Sprintf("/api/v3/stories/%d/comments", fx.own(worker, i)), fmt.Sprintf(`{"text":%q}`, text[:300])
	}
}

// own is a story that only this worker writes to, so that its last write is known.
func (fx *fixture) own(worker, i int) int64 { return fx.spread[worker*fx.share()+i%fx.share()] }

func (fx *fixture) share() int { return len(fx.spread) / manyConnections }
