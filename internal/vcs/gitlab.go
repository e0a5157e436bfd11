package vcs

import (
	"strconv"
	"strings"

	"milepost/internal/tracker"
)

var gitlab = reader{
	eventHeader: "X-Gitlab-Event", deliveryHeader: "Idempotency-Key", other: ignored,
	events: map[string]func(*delivery, []byte) error{
		"Merge Request Hook": gitlabMerge,
		"Pipeline Hook":      gitlabPipeline,
		"Push Hook":          gitlabPush,
	},
}

type gitlabProject struct {
	ID                int64
	Name              string
	WebURL            string `json:"web_url"`
	PathWithNamespace string `json:"path_with_namespace"`
	DefaultBranch     string `json:"default_branch"`
}

func (d *delivery) gitlabProject(p gitlabProject) {
	if p.ID == 0 {
		return
	}
	d.repository(tracker.RepositoryNews{ExternalID: strconv.FormatInt(p.ID, 10), Name: p.Name, FullName: p.PathWithNamespace, URL: p.WebURL})
}

type gitlabCommit struct {
	ID        string
	Message   string
	URL       string
	Timestamp when
	Author    struct{ Name, Email string }
}

func gitlabPush(d *delivery, payload []byte) error {
	var e struct {
		Ref      string
		Before   string
		After    string
		Username string `json:"user_username"`
		Email    string `json:"user_email"`
		Project  gitlabProject
		Commits  []gitlabCommit
	}
	if err := read(payload, &e); err != nil {
		return err
	}
	d.gitlabProject(e.Project)
	d.news.Sender = person(tracker.VCSPerson{Login: e.Username, Email: e.Email})
	name, isBranch := strings.CutPrefix(e.Ref, "refs/heads/")
	if !isBranch {
		return nil
	}
	b := d.branch(tracker.BranchNews{
		Name: name, URL: under(e.Project.WebURL, "/-/tree/", name), Before: e.Before, After: e.After,
		Created: hash(e.Before) == "", Deleted: hash(e.After) == "", Default: name == e.Project.DefaultBranch,
	})
	for _, c := range e.Commits[:min(len(e.Commits), maxCommits)] {
		b.Commits = append(b.Commits, d.commit(tracker.CommitNews{
			Hash: c.ID, Message: c.Message, URL: c.URL, At: c.Timestamp.time(), Author: tracker.VCSPerson{Login: c.Author.Name, Email: c.Author.Email},
		}))
	}
	d.news.Branches = append(d.news.Branches, b)
	return nil
}

func gitlabMerge(d *delivery, payload []byte) error {
	var e struct {
		User struct {
			Name     string
			Username string
			Email    string
		}
		Project gitlabProject
		Merge   struct {
			IID            int64
			Title          string
			Description    string
			State          string
			URL            string
			Action         string
			Draft          bool
			WorkInProgress bool          `json:"work_in_progress"`
			Source         string        `json:"source_branch"`
			Target         string        `json:"target_branch"`
			SourceProject  gitlabProject `json:"source"`
			LastCommit     gitlabCommit  `json:"last_commit"`
			CreatedAt      when          `json:"created_at"`
			UpdatedAt      when          `json:"updated_at"`
		} `json:"object_attributes"`
		Labels []struct {
			ID           int64
			Title, Color string
			Description  *string
		}
		Reviewers []struct{ Username string }
	}
	if err := read(payload, &e); err != nil {
		return err
	}
	d.gitlabProject(e.Project)
	d.news.Sender = person(tracker.VCSPerson{Login: firstOf(e.User.Username, e.User.Name), Email: e.User.Email})
	m := e.Merge
	if m.IID == 0 {
		return nil
	}
	merged := m.State == "merged"
	source, home := m.Source, e.Project
	if from := m.SourceProject; from.PathWithNamespace != "" && from.PathWithNamespace != home.PathWithNamespace {
		source, home = from.PathWithNamespace+":"+m.Source, from
	}
	news := tracker.PullRequestNews{
		Number: m.IID, Title: m.Title, URL: m.URL, Head: m.LastCommit.ID, Closed: merged || m.State == "closed", Merged: &merged,
		Draft:  m.Draft || m.WorkInProgress,
		Branch: tracker.BranchNews{Name: source, URL: under(home.WebURL, "/-/tree/", m.Source)},
		Target: tracker.BranchNews{Name: m.Target, URL: under(e.Project.WebURL, "/-/tree/", m.Target)},
		At:     m.UpdatedAt.time(), CreatedAt: latest(m.CreatedAt), Labels: []tracker.VCSLabel{}, Requested: []string{},
	}
	for _, l := range e.Labels {
		news.Labels = append(news.Labels, label(l.ID, l.Title, l.Color, l.Description))
	}
	for _, r := range e.Reviewers {
		news.Requested = append(news.Requested, clean(r.Username, maxName))
	}
	if verdict, told := gitlabVerdicts[m.Action]; told {
		news.Reviews = []tracker.Review{{Reviewer: d.news.Sender.Login, Verdict: verdict, At: news.At}}
	}
	d.pullRequest(news, m.Description)
	return nil
}

// gitlabVerdicts are the actions by which somebody approves, or no longer does.
var gitlabVerdicts = map[string]string{"approval": tracker.Approved, "approved": tracker.Approved, "unapproval": "", "unapproved": ""}

func gitlabPipeline(d *delivery, payload []byte) error {
	var e struct {
		Project  gitlabProject
		Pipeline struct {
			ID         int64
			Ref        string
			SHA        string
			Status     string
			Tag        bool
			CreatedAt  when `json:"created_at"`
			FinishedAt when `json:"finished_at"`
		} `json:"object_attributes"`
		Merge *struct{ IID int64 } `json:"merge_request"`
	}
	if err := read(payload, &e); err != nil {
		return err
	}
	d.gitlabProject(e.Project)
	p := e.Pipeline
	result, told := gitlabResults[p.Status]
	if !told || p.Tag {
		return nil
	}
	// A pipeline is checked again as a new one, whose id is higher: it counts for all of that commit.
	news := tracker.BuildNews{Build: tracker.Build{Check: "pipeline", Commit: hash(p.SHA), Result: result, At: latest(p.CreatedAt, p.FinishedAt)}}
	if e.Merge != nil {
		news.Numbers = []int64{e.Merge.IID}
	} else {
		news.Branches = []string{clean(p.Ref, maxName)}
	}
	d.news.Build = &news
	return nil
}

var gitlabResults = map[string]string{
	"created": tracker.Pending, "waiting_for_resource": tracker.Pending, "preparing": tracker.Pending, "pending": tracker.Pending,
	"running": tracker.Pending, "scheduled": tracker.Pending, "success": tracker.Success, "skipped": tracker.Success,
	"failed": tracker.Failure, "canceled": tracker.Failure,
}
