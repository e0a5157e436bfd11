package v3

import (
	"context"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"milepost/internal/service"
	"milepost/internal/tracker"
)

// DocSearchResults is one page of a search for documents.
type DocSearchResults struct {
	Data  []DocSlim `json:"data"`
	Next  *string   `json:"next" doc:"The path of the next page; null on the last one."`
	Total int64     `json:"total"`
}

type searchDocs struct {
	Archived     tracker.Opt[bool]   `query:"archived" doc:"Only archived documents, or only others."`
	CreatedByMe  tracker.Opt[bool]   `query:"created_by_me" doc:"Only documents that the asking member created."`
	FollowedByMe tracker.Opt[bool]   `query:"followed_by_me" doc:"Only documents that the asking member follows."`
	Next         tracker.Opt[string] `query:"next" doc:"The page to go on with, as next of the page before tells it."`
	PageSize     tracker.Opt[int64]  `query:"page_size" is:"least=1,most=25" doc:"How many documents a page has; 25 unless given."`
	Title        string              `query:"title" is:"required,min=1,max=256" doc:"Words, or parts of words, of the title."`
}

func (a API) searchDocs(ctx context.Context, by tracker.Actor, in searchDocs) (DocSearchResults, error) {
	served, after, err := in.place()
	if err != nil {
		return DocSearchResults{}, err
	}
	size := min(in.PageSize.Or(DefaultPageSize), tracker.MaxResults-served)
	q := tracker.DocumentQuery{Words: tracker.TitleWords(in.Title), Archived: in.Archived, After: after, Limit: int(size)}
	if in.CreatedByMe.Or(false) {
		q.CreatedBy = tracker.Some(by.Member)
	}
	if in.FollowedByMe.Or(false) {
		q.FollowedBy = tracker.Some(by.Member)
	}
	page, err := a.Service.SearchDocuments(ctx, by, q)
	return DocSearchResults{
		Data:  Each(page.Documents, func(d tracker.DocumentHit) DocSlim { return a.renderDocSlim(by, d.ID, d.Title) }),
		Next:  in.next(by, page, served),
		Total: page.Total,
	}, err
}

// next is the path of the page that follows. Clients take its last parameter, which is not the
// first, for the page.
func (in searchDocs) next(by tracker.Actor, page service.DocumentPage, served int64) *string {
	if page.Next == nil {
		return nil
	}
	query := url.Values{"title": {in.Title}, "page_size": {strconv.FormatInt(in.PageSize.Or(DefaultPageSize), 10)}}
	for name, v := range map[string]tracker.Opt[bool]{
		"archived": in.Archived, "created_by_me": in.CreatedByMe, "followed_by_me": in.FollowedByMe,
	} {
		if v, ok := v.Get(); ok {
			query.Set(name, strconv.FormatBool(v))
		}
	}
	last := served + int64(len(page.Documents)) - 1
	next := fmt.Sprintf("/api/%s/search/documents?%s&next=%d%s~%d", by.Via, query.Encode(), page.Next.Tier,
		strings.ReplaceAll(string(page.Next.ID), "-", ""), last)
	return &next
}

// place reads next: how many documents were served, and behind which one to go on.
func (in searchDocs) place() (served int64, after tracker.Opt[tracker.DocumentRank], err error) {
	next, ok := in.Next.Get()
	if !ok {
		return 0, after, nil
	}
	key, last, _ := strings.Cut(next, "~")
	served, err = strconv.ParseInt(last, 10, 64)
	if err != nil || served < 0 || len(key) != 33 || key[0] < '0' || key[0] > '3' {
		return 0, after, errNoPage
	}
	id, ok := tracker.ParseUUID(strings.Join([]string{key[1:9], key[9:13], key[13:17], key[17:21], key[21:]}, "-"))
	if !ok {
		return 0, after, errNoPage
	}
	if served++; served >= tracker.MaxResults {
		return 0, after, tracker.ErrPastResults
	}
	return served, tracker.Some(tracker.DocumentRank{Tier: int64(key[0] - '0'), ID: id}), nil
}

var errNoPage = tracker.InvalidFields(map[string]any{"next": "must be what an answer gave as next"})
