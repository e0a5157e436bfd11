package vcs

import (
	"net/mail"
	"strings"

	"milepost/internal/tracker"
)

var bitbucket = reader{
	eventHeader: "X-Event-Key", deliveryHeader: "X-Request-UUID", other: ignored,
	events: map[string]func(*delivery, []byte) error{
		"pullrequest:approved":                bitbucketPull,
		"pullrequest:changes_request_created": bitbucketPull,
		"pullrequest:changes_request_removed": bitbucketPull,
		"pullrequest:created":                 bitbucketPull,
		"pullrequest:fulfilled":               bitbucketPull,
		"pullrequest:rejected":                bitbucketPull,
		"pullrequest:unapproved":              bitbucketPull,
		"pullrequest:updated":                 bitbucketPull,
		"repo:commit_status_created":          bitbucketStatus,
		"repo:commit_status_updated":          bitbucketStatus,
		"repo:push":                           bitbucketPush,
		"repo:updated":                        bitbucketRepository,
	},
}

type bitbucketLinks struct{ HTML struct{ Href string } }

type bitbucketUser struct {
	Nickname    string
	DisplayName string `json:"display_name"`
	AccountID   string `json:"account_id"`
}

func (u bitbucketUser) name() string { return firstOf(u.Nickname, u.DisplayName, u.AccountID) }

type bitbucketRepo struct {
	UUID       string
	Name       string
	FullName   string `json:"full_name"`
	Links      bitbucketLinks
	MainBranch struct{ Name string }
}

// bitbucketEvent is what all events have.
type bitbucketEvent struct {
	Repository bitbucketRepo
	Actor      bitbucketUser
}

func (d *delivery) bitbucketEvent(e bitbucketEvent) {
	r := e.Repository
	d.repository(tracker.RepositoryNews{ExternalID: r.UUID, Name: r.Name, FullName: r.FullName, URL: r.Links.HTML.Href})
	d.news.Sender.Login = clean(e.Actor.name(), maxName)
}

func bitbucketRepository(d *delivery, payload []byte) error {
	var e bitbucketEvent
	err := read(payload, &e)
	d.bitbucketEvent(e)
	return err
}

type bitbucketRef struct {
	Type   string
	Name   string
	Links  bitbucketLinks
	Target struct{ Hash string }
}

func bitbucketPush(d *delivery, payload []byte) error {
	var e struct {
		bitbucketEvent
		Push struct {
			Changes []struct {
				Old, New *bitbucketRef
				Commits  []struct {
					Hash    string
					Message string
					Date    when
					Links   bitbucketLinks
					Author  struct {
						Raw  string
						User *bitbucketUser
					}
				}
			}
		}
	}
	if err := read(payload, &e); err != nil {
		return err
	}
	d.bitbucketEvent(e.bitbucketEvent)
	for _, change := range e.Push.Changes {
		ref := change.New
		if ref == nil {
			ref = change.Old
		}
		if ref == nil || ref.Type != "branch" {
			continue
		}
		b := tracker.BranchNews{
			Name: ref.Name, URL: firstOf(ref.Links.HTML.Href, under(e.Repository.Links.HTML.Href, "/branch/", ref.Name)),
			Created: change.Old == nil, Deleted: change.New == nil, Default: ref.Name == e.Repository.MainBranch.Name,
		}
		if change.Old != nil {
			b.Before = change.Old.Target.Hash
		}
		if change.New != nil {
			b.After = change.New.Target.Hash
		}
		b = d.branch(b)
		for _, c := range change.Commits[:min(len(change.Commits), maxCommits)] {
			author := bitbucketAuthor(c.Author.Raw)
			if c.Author.User != nil {
				author.Login = c.Author.User.name()
			}
			b.Commits = append(b.Commits, d.commit(tracker.CommitNews{
				Hash: c.Hash, Message: c.Message, URL: c.Links.HTML.Href, At: c.Date.time(), Author: author,
			}))
		}
		d.news.Branches = append(d.news.Branches, b)
	}
	return nil
}

// bitbucketAuthor reads "Name <address>".
func bitbucketAuthor(raw string) tracker.VCSPerson {
	if address, err := mail.ParseAddress(raw); err == nil {
		return tracker.VCSPerson{Login: address.Name, Email: address.Address}
	}
	name, rest, _ := strings.Cut(raw, "<")
	return tracker.VCSPerson{Login: strings.TrimSpace(name), Email: strings.TrimSuffix(strings.TrimSpace(rest), ">")}
}

type bitbucketSide struct {
	Branch     struct{ Name string }
	Commit     struct{ Hash string }
	Repository *bitbucketRepo
}

func bitbucketPull(d *delivery, payload []byte) error {
	var e struct {
		bitbucketEvent
		PullRequest struct {
			ID           int64
			Title        string
			Description  string
			State        string
			Draft        bool
			Links        bitbucketLinks
			Source       bitbucketSide
			Destination  bitbucketSide
			Reviewers    []bitbucketUser
			Participants []struct {
				User     bitbucketUser
				Approved bool
				State    *string
			}
			CreatedOn when `json:"created_on"`
			UpdatedOn when `json:"updated_on"`
		}
		Approval       struct{ Date when }
		ChangesRequest struct{ Date when } `json:"changes_request"`
	}
	if err := read(payload, &e); err != nil {
		return err
	}
	d.bitbucketEvent(e.bitbucketEvent)
	p := e.PullRequest
	if p.ID == 0 {
		return nil
	}
	merged := p.State == "MERGED"
	source, home := p.Source.Branch.Name, e.Repository
	if from := p.Source.Repository; from != nil && from.UUID != home.UUID {
		source, home = from.FullName+":"+source, *from
	}
	news := tracker.PullRequestNews{
		Number: p.ID, Title: p.Title, URL: p.Links.HTML.Href, Head: p.Source.Commit.Hash, Closed: p.State != "OPEN", Merged: &merged, Draft: p.Draft,
		Branch: tracker.BranchNews{Name: source, URL: under(home.Links.HTML.Href, "/branch/", p.Source.Branch.Name)},
		Target: tracker.BranchNews{Name: p.Destination.Branch.Name, URL: under(e.Repository.Links.HTML.Href, "/branch/", p.Destination.Branch.Name)},
		At:     latest(p.UpdatedOn, e.Approval.Date, e.ChangesRequest.Date), CreatedAt: p.CreatedOn.time(), Requested: []string{}, AllReviews: true,
	}
	said := map[string]bool{}
	for _, who := range p.Participants {
		verdict := ""
		switch {
		case who.State != nil && *who.State == "changes_requested":
			verdict = tracker.ChangesRequested
		case who.Approved:
			verdict = tracker.Approved
		default:
			continue
		}
		said[who.User.name()] = true
		news.Reviews = append(news.Reviews, tracker.Review{Reviewer: clean(who.User.name(), maxName), Verdict: verdict, At: news.At})
	}
	for _, r := range p.Reviewers {
		if !said[r.name()] {
			news.Requested = append(news.Requested, clean(r.name(), maxName))
		}
	}
	d.pullRequest(news, p.Description)
	return nil
}

func bitbucketStatus(d *delivery, payload []byte) error {
	var e struct {
		bitbucketEvent
		CommitStatus struct {
			Key       string
			State     string
			RefName   string
			Commit    struct{ Hash string }
			UpdatedOn when `json:"updated_on"`
		} `json:"commit_status"`
	}
	if err := read(payload, &e); err != nil {
		return err
	}
	d.bitbucketEvent(e.bitbucketEvent)
	s := e.CommitStatus
	results := map[string]string{
		"INPROGRESS": tracker.Pending, "SUCCESSFUL": tracker.Success, "FAILED": tracker.Failure, "STOPPED": tracker.Failure,
	}
	result, told := results[s.State]
	if !told {
		return nil
	}
	news := tracker.BuildNews{Build: tracker.Build{Check: clean(s.Key, maxName), Commit: hash(s.Commit.Hash), Result: result, At: s.UpdatedOn.time()}}
	if s.RefName != "" {
		news.Branches = []string{clean(s.RefName, maxName)}
	}
	d.news.Build = &news
	return nil
}
