package api_test

import (
	"fmt"
	"strings"
	"testing"

	"milepost/internal/store"
	"milepost/internal/testkit"
	"milepost/internal/tracker"
)

func TestDocumentEpics(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		observer := s.NewMember(t, s.Owner, "oscar", tracker.Observer)
		epic := s.Owner.Want(t, 201, "POST", "/epics", `{"name":"Epic","description":"d"}`).ID(t)
		other := s.Owner.Want(t, 201, "POST", "/epics", `{"name":"Other"}`).ID(t)
		first, second := newDocument(t, s.Owner, "First", ""), newDocument(t, s.Owner, "Second", "")
		link := func(document string, epic int64) string { return fmt.Sprintf("/documents/%s/epics/%d", document, epic) }
		documents, one := fmt.Sprintf("/epics/%d/documents", epic), fmt.Sprintf("/epics/%d", epic)
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "GET", Path: documents, Status: 200, Want: `[]`},
			{Method: "GET", Path: "/documents/" + first + "/epics", Status: 200, Want: `[]`},
			{Method: "PUT", Path: link(second, epic), Status: 204},
			{Name: "beta", Method: "PUT", Path: "/api/beta" + link(first, epic), Status: 204},
			{Name: "again", Method: "PUT", Path: link(first, epic), Status: 204},
			{Method: "PUT", Path: link(first, other), Status: 204},
			{Name: "oldest first", Method: "GET", Path: documents, Status: 200, Want: `[{"title":"First"},{"title":"Second"}]`},
			{Name: "beta", Method: "GET", Path: "/api/beta" + documents, Status: 200, Want: `[{"title":"First"},{"title":"Second"}]`},
			{Method: "GET", Path: "/documents/" + first + "/epics", Status: 200, Want: `[{"name":"Epic","description":"d","stats":{"num_related_documents":2}},
				{"name":"Other","stats":{"num_related_documents":1}}]`},
			{Method: "GET", Path: one, Status: 200, Want: `{"stats":{"num_related_documents":2}}`},
			{Method: "GET", Path: "/epics", Status: 200, Want: `[{"stats":{"num_related_documents":2}},{"stats":{"num_related_documents":1}}]`},
			{Name: "an update of the epic keeps them", Method: "PUT", Path: one, Body: `{"name":"New"}`, Status: 200, Want: `{"stats":{"num_related_documents":2}}`},
			{Name: "observer", As: observer, Method: "GET", Path: documents, Status: 200, Want: `[{"title":"First"},{"title":"Second"}]`},
			{Name: "observer", As: observer, Method: "PUT", Path: link(first, epic), Status: 403},
			{Name: "observer", As: observer, Method: "DELETE", Path: link(first, epic), Status: 403},
			{Method: "PUT", Path: link(noUUID, epic), Status: 404},
			{Method: "PUT", Path: link(first, 99), Status: 404},
			{Method: "DELETE", Path: link(noUUID, epic), Status: 404},
			{Method: "DELETE", Path: link(first, 99), Status: 404},
			{Method: "GET", Path: "/documents/" + noUUID + "/epics", Status: 404},
			{Method: "GET", Path: "/epics/99/documents", Status: 404},
			{Method: "DELETE", Path: link(second, epic), Status: 204},
			{Name: "no longer linked", Method: "DELETE", Path: link(second, epic), Status: 404},
			{Method: "GET", Path: documents, Status: 200, Want: `[{"title":"First"}]`},
			{Name: "the document goes", Method: "DELETE", Path: "/documents/" + first, Status: 204},
			{Method: "GET", Path: documents, Status: 200, Want: `[]`},
			{Method: "GET", Path: one, Status: 200, Want: `{"stats":{"num_related_documents":0}}`},
			{Method: "PUT", Path: link(second, other), Status: 204},
			{Name: "the epic goes", Method: "DELETE", Path: fmt.Sprintf("/epics/%d", other), Status: 204},
			{Method: "GET", Path: "/documents/" + second + "/epics", Status: 200, Want: `[]`},
			{Method: "GET", Path: "/documents/" + second, Status: 200, Want: `{"title":"Second"}`},
		})
	})
}

// TestDocumentLinkBounds: an epic has at most 1,000 documents, and a document of many epics is deleted
// in several changes.
func TestDocumentLinkBounds(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		id := newDocument(t, s.Owner, "x", "")
		epic := s.Owner.Want(t, 201, "POST", "/epics", `{"name":"full"}`).ID(t)
		fill := func(n int) {
			storeWrite(t, s, func(tx *store.Tx) error {
				before, err := tx.Epic(epic)
				after := before
				after.DocumentIDs = nil
				for i := range n {
					after.DocumentIDs = append(after.DocumentIDs, tracker.UUID(fmt.Sprintf("00000000-0000-7000-8000-%012d", i)))
				}
				if err != nil {
					return err
				}
				return tx.UpdateEpic(&before, &after)
			})
		}
		link := fmt.Sprintf("/documents/%s/epics/%d", id, epic)
		fill(1_000)
		testkit.Run(t, s.Owner, []testkit.Case{{Method: "PUT", Path: link, Status: 422,
			Want: `{"errors":{"epic-public-id":"is linked to 1000 documents already"}}`}})
		fill(999)
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "PUT", Path: link, Status: 204},
			{Name: "once more", Method: "PUT", Path: link, Status: 204},
			{Method: "GET", Path: fmt.Sprintf("/epics/%d", epic), Status: 200, Want: `{"stats":{"num_related_documents":1000}}`},
		})
		storeWrite(t, s, func(tx *store.Tx) error {
			like, err := tx.Epic(epic)
			for range 1_000 {
				if err != nil {
					return err
				}
				like.ID, like.DocumentIDs = tx.NextID(), []tracker.UUID{tracker.UUID(id)}
				err = tx.InsertEpic(&like)
			}
			return err
		})
		number := int64(len(s.Changes(t, s.Owner.Workspace, 0)))
		s.Owner.Want(t, 204, "DELETE", "/documents/"+id, nil)
		changes := s.Changes(t, s.Owner.Workspace, number)
		if n := strings.Count(itemsOf(changes), "update epic"); n != 1_001 || len(changes) < 2 {
			t.Errorf("%d changes update %d epics", len(changes), n)
		}
		storeWrite(t, s, func(tx *store.Tx) error {
			left, err := tx.EpicsReferring("document", id)
			if len(left) > 0 {
				t.Errorf("%d epics are still linked", len(left))
			}
			return err
		})
	})
}

func TestDocumentChanges(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		epic := s.Owner.Want(t, 201, "POST", "/epics", `{"name":"e"}`).ID(t)
		id := newDocument(t, s.Owner, "x", "y")
		number := int64(len(s.Changes(t, s.Owner.Workspace, 0)))
		did := func(method, path, body, want, about string) []tracker.Change {
			t.Helper()
			if a := s.Owner.Do(t, method, path, body); a.Status >= 300 {
				t.Fatalf("%s %s %s: %d %s", method, path, body, a.Status, a.Text)
			}
			changes := s.Changes(t, s.Owner.Workspace, number)
			number += int64(len(changes))
			if got := itemsOf(changes); got != want || len(changes) > 1 || want != "" && changes[0].PrimaryID != about {
				t.Errorf("%s %s %s: the changes are %q of %+v, want %q", method, path, body, got, changes, want)
			}
			return changes
		}
		one, link := "/documents/"+id, fmt.Sprintf("/documents/%s/epics/%d", id, epic)
		did("PUT", one, `{"title":"x","content":"y","content_format":"markdown"}`, "", "")
		did("PUT", one, `{"title":"z"}`, "update document", id)
		linked := did("PUT", link, "", "update epic", id)
		if adds := linked[0].Items[0].Data["document_ids"]; fmt.Sprint(adds) != fmt.Sprintf("map[adds:[%s]]", id) {
			t.Errorf("the link is recorded as %v", adds)
		}
		did("PUT", link, "", "", "")
		did("DELETE", link, "", "update epic", id)
		did("PUT", link, "", "update epic", id)
		gone := did("DELETE", one, "", "update epic, delete document", id)
		if data := gone[0].Items[1].Data; data["title"] != "z" || data["content"] != "y" {
			t.Errorf("of the deleted document there is %v", data)
		}
		second := newDocument(t, s.Owner, "x", "y")
		s.Owner.Want(t, 204, "PUT", fmt.Sprintf("/documents/%s/epics/%d", second, epic), nil)
		number += 2
		gone = did("DELETE", fmt.Sprintf("/epics/%d", epic), "", "delete epic", fmt.Sprint(epic))
		if ids := fmt.Sprint(gone[0].Items[0].Data["document_ids"]); ids != "["+second+"]" {
			t.Errorf("of the links of the deleted epic there is %s", ids)
		}
	})
}
