package vcs

import (
	"strconv"
	"strings"

	"milepost/internal/tracker"
)

var github = reader{
	eventHeader: "X-GitHub-Event", deliveryHeader: "X-GitHub-Delivery", other: ignored,
	events: map[string]func(*delivery, []byte) error{
		"check_run":           githubCheckRun,
		"check_suite":         githubCheckSuite,
		"create":              githubRef(false),
		"delete":              githubRef(true),
		"ping":                githubRepository,
		"pull_request":        githubPull,
		"pull_request_review": githubPull,
		"push":                githubPush,
		"repository":          githubRepository,
		"status":              githubStatus,
	},
}

// githubEvent is what all events have.
type githubEvent struct {
	Repository *githubRepo
	Sender     struct{ Login string }
}

type githubRepo struct {
	ID            int64
	Name          string
	FullName      string `json:"full_name"`
	HTMLURL       string `json:"html_url"`
	DefaultBranch string `json:"default_branch"`
	UpdatedAt     when   `json:"updated_at"`
	PushedAt      when   `json:"pushed_at"`
}

func (d *delivery) githubEvent(e githubEvent) {
	d.news.Sender.Login = clean(e.Sender.Login, maxName)
	if r := e.Repository; r != nil && r.ID != 0 {
		d.repository(tracker.RepositoryNews{
			ExternalID: strconv.FormatInt(r.ID, 10), Name: r.Name, FullName: r.FullName, URL: r.HTMLURL, At: r.UpdatedAt.time(),
		})
	}
}

func githubRepository(d *delivery, payload []byte) error {
	var e githubEvent
	err := read(payload, &e)
	d.githubEvent(e)
	return err
}

// githubRef reads that a branch was made or deleted; pushes tell the same with more, if they come.
func githubRef(deleted bool) func(*delivery, []byte) error {
	return func(d *delivery, payload []byte) error {
		var e struct {
			githubEvent
			Ref     string
			RefType string `json:"ref_type"`
		}
		if err := read(payload, &e); err != nil {
			return err
		}
		d.githubEvent(e.githubEvent)
		if e.RefType == "branch" && e.Repository != nil {
			d.news.Branches = append(d.news.Branches, d.branch(tracker.BranchNews{
				Name: e.Ref, URL: under(e.Repository.HTMLURL, "/tree/", e.Ref), Created: !deleted, Deleted: deleted, At: e.Repository.PushedAt.time(),
			}))
		}
		return nil
	}
}

func githubPush(d *delivery, payload []byte) error {
	var e struct {
		githubEvent
		Ref     string
		Before  string
		After   string
		Created bool
		Deleted bool
		Pusher  struct{ Email string }
		Commits []struct {
			ID        string
			Message   string
			URL       string
			Timestamp when
			Author    struct{ Name, Email, Username string }
		}
	}
	if err := read(payload, &e); err != nil {
		return err
	}
	d.githubEvent(e.githubEvent)
	d.news.Sender.Email = clean(e.Pusher.Email, maxName)
	name, isBranch := strings.CutPrefix(e.Ref, "refs/heads/")
	if !isBranch || e.Repository == nil {
		return nil
	}
	b := d.branch(tracker.BranchNews{
		Name: name, URL: under(e.Repository.HTMLURL, "/tree/", name), Before: e.Before, After: e.After, Created: e.Created, Deleted: e.Deleted,
		Default: name == e.Repository.DefaultBranch, At: e.Repository.PushedAt.time(),
	})
	for _, c := range e.Commits[:min(len(e.Commits), maxCommits)] {
		b.Commits = append(b.Commits, d.commit(tracker.CommitNews{
			Hash: c.ID, Message: c.Message, URL: c.URL, At: c.Timestamp.time(),
			Author: tracker.VCSPerson{Login: firstOf(c.Author.Username, c.Author.Name), Email: c.Author.Email},
		}))
	}
	d.news.Branches = append(d.news.Branches, b)
	return nil
}

func firstOf(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}

type githubSide struct {
	Ref  string
	SHA  string
	Repo *githubRepo
	User *struct{ Login string }
}

// name tells the branch of a fork from one of the same name in the repository itself.
func (s githubSide) name(home *githubRepo) string {
	if s.Repo != nil && home != nil && s.Repo.ID != home.ID && s.User != nil {
		return s.User.Login + ":" + s.Ref
	}
	return s.Ref
}

func (s githubSide) url(home *githubRepo) string {
	if s.Repo != nil {
		home = s.Repo
	}
	return under(home.HTMLURL, "/tree/", s.Ref)
}

// githubPull reads everything that is about a pull request; a review tells less of it.
func githubPull(d *delivery, payload []byte) error {
	var e struct {
		githubEvent
		PullRequest *struct {
			Number       int64
			Title        string
			Body         string
			State        string
			HTMLURL      string `json:"html_url"`
			Draft        bool
			Merged       *bool
			MergedAt     when `json:"merged_at"`
			Head, Base   githubSide
			Additions    *int64
			Deletions    *int64
			ChangedFiles *int64 `json:"changed_files"`
			Commits      *int64
			Labels       []struct {
				ID          int64
				Name, Color string
				Description *string
			}
			Reviewers []struct{ Login string } `json:"requested_reviewers"`
			Teams     []struct{ Name string }  `json:"requested_teams"`
			CreatedAt when                     `json:"created_at"`
			UpdatedAt when                     `json:"updated_at"`
		} `json:"pull_request"`
		Review *struct {
			State       string
			User        *struct{ Login string }
			SubmittedAt when `json:"submitted_at"`
		}
	}
	if err := read(payload, &e); err != nil {
		return err
	}
	d.githubEvent(e.githubEvent)
	p := e.PullRequest
	if p == nil || e.Repository == nil || p.Number == 0 {
		return nil
	}
	news := tracker.PullRequestNews{
		Number: p.Number, Title: p.Title, URL: p.HTMLURL, Head: p.Head.SHA, Closed: p.State == "closed", Merged: p.Merged, Draft: p.Draft,
		Branch:   tracker.BranchNews{Name: p.Head.name(e.Repository), URL: p.Head.url(e.Repository)},
		Target:   tracker.BranchNews{Name: p.Base.Ref, URL: under(e.Repository.HTMLURL, "/tree/", p.Base.Ref)},
		NumAdded: p.Additions, NumRemoved: p.Deletions, NumModified: p.ChangedFiles, NumCommits: p.Commits,
		At: p.UpdatedAt.time(), CreatedAt: p.CreatedAt.time(), Labels: []tracker.VCSLabel{}, Requested: []string{},
	}
	if merged := p.MergedAt != 0; merged {
		news.Merged = &merged
	}
	for _, l := range p.Labels {
		news.Labels = append(news.Labels, label(l.ID, l.Name, l.Color, l.Description))
	}
	for _, r := range p.Reviewers {
		news.Requested = append(news.Requested, clean(r.Login, maxName))
	}
	for _, t := range p.Teams {
		news.Requested = append(news.Requested, clean(t.Name, maxName))
	}
	if r := e.Review; r != nil && r.User != nil {
		news.At = latest(p.UpdatedAt, r.SubmittedAt)
		if verdict, told := githubVerdicts[strings.ToLower(r.State)]; told {
			news.Reviews = []tracker.Review{{Reviewer: clean(r.User.Login, maxName), Verdict: verdict, At: news.At}}
		}
	}
	d.pullRequest(news, p.Body)
	return nil
}

// githubVerdicts are the states of a review; a comment is no verdict.
var githubVerdicts = map[string]string{"approved": tracker.Approved, "changes_requested": tracker.ChangesRequested, "dismissed": ""}

func label(id int64, name, color string, description *string) tracker.VCSLabel {
	l := tracker.VCSLabel{ID: id, Name: clean(name, maxName), Color: "#" + strings.TrimPrefix(color, "#")}
	if shown := tracker.HexColor(&l.Color); shown != nil {
		l.Color = *shown
	} else {
		l.Color = "#cccccc"
	}
	if description != nil {
		text := clean(*description, maxTitle)
		l.Description = &text
	}
	return l
}

// githubCheck is a check suite or a check run.
type githubCheck struct {
	ID          int64
	Name        string
	HeadSHA     string  `json:"head_sha"`
	HeadBranch  *string `json:"head_branch"`
	Status      string
	Conclusion  *string
	StartedAt   when `json:"started_at"`
	CompletedAt when `json:"completed_at"`
	UpdatedAt   when `json:"updated_at"`
	Pulls       []struct {
		Number int64
	} `json:"pull_requests"`
}

func githubCheckRun(d *delivery, payload []byte) error {
	var e struct {
		githubEvent
		CheckRun *githubCheck `json:"check_run"`
	}
	if err := read(payload, &e); err != nil || e.CheckRun == nil {
		return err
	}
	d.githubEvent(e.githubEvent)
	d.githubCheck("run/"+e.CheckRun.Name, *e.CheckRun)
	return nil
}

func githubCheckSuite(d *delivery, payload []byte) error {
	var e struct {
		githubEvent
		CheckSuite *githubCheck `json:"check_suite"`
	}
	if err := read(payload, &e); err != nil || e.CheckSuite == nil {
		return err
	}
	d.githubEvent(e.githubEvent)
	d.githubCheck("suite/"+strconv.FormatInt(e.CheckSuite.ID, 10), *e.CheckSuite)
	return nil
}

func (d *delivery) githubCheck(name string, c githubCheck) {
	result := tracker.Pending
	if c.Conclusion != nil {
		switch *c.Conclusion {
		case "success", "neutral", "skipped":
			result = tracker.Success
		case "stale": // GitHub gave up waiting: there is no result
			return
		default:
			result = tracker.Failure
		}
	}
	news := tracker.BuildNews{Build: tracker.Build{
		Check: clean(name, maxName), Commit: hash(c.HeadSHA), Result: result, At: latest(c.StartedAt, c.CompletedAt, c.UpdatedAt),
	}}
	for _, p := range c.Pulls {
		news.Numbers = append(news.Numbers, p.Number)
	}
	if c.HeadBranch != nil {
		news.Branches = []string{clean(*c.HeadBranch, maxName)}
	}
	d.news.Build = &news
}

func githubStatus(d *delivery, payload []byte) error {
	var e struct {
		githubEvent
		SHA       string
		Context   string
		State     string
		UpdatedAt when `json:"updated_at"`
		Branches  []struct {
			Name   string
			Commit struct{ SHA string }
		}
	}
	if err := read(payload, &e); err != nil {
		return err
	}
	d.githubEvent(e.githubEvent)
	results := map[string]string{"pending": tracker.Pending, "success": tracker.Success, "failure": tracker.Failure, "error": tracker.Failure}
	result, told := results[e.State]
	if !told {
		return nil
	}
	news := tracker.BuildNews{Build: tracker.Build{Check: clean("status/"+e.Context, maxName), Commit: hash(e.SHA), Result: result, At: e.UpdatedAt.time()}}
	for _, b := range e.Branches {
		if b.Commit.SHA == e.SHA {
			news.Branches = append(news.Branches, clean(b.Name, maxName))
		}
	}
	d.news.Build = &news
	return nil
}
