package tracker

import (
	"slices"
	"strconv"
)

// Branch is a version-control branch that has to do with stories, whose lists hold it.
type Branch struct {
	ID           int64
	RepositoryID int64
	Name         string
	URL          string
	Head         string // hash of its newest commit, as far as known
	PreviousHead string
	Deleted      bool
	MergedInto   []int64 // other branches
	Mentions     []int64 // stories that its name names
	ToldAt       Time
	CreatedAt    Time
	UpdatedAt    Time
	Stories      []int64 // that hold it; not part of the row
}

// Hear takes over what a delivery tells of the branch, unless it comes late.
func (b *Branch) Hear(news BranchNews) {
	if b.URL == "" {
		b.URL, b.Head = news.URL, news.After
	}
	if news.Aside || b.outdates(news) {
		if b.Deleted && news.After == b.Head {
			b.PreviousHead = news.Before
		}
		return
	}
	b.URL, b.Deleted, b.ToldAt = news.URL, news.Deleted, news.At
	if news.After != "" && news.After != b.Head {
		b.Head, b.PreviousHead = news.After, news.Before
	}
	if news.Deleted && news.Before != "" {
		b.Head = news.Before
	}
}

// outdates reports whether something newer is known. Where the provider tells no time, a push is old
// that ends where a known one began, or with the commit that the branch was deleted at.
func (b *Branch) outdates(news BranchNews) bool {
	if news.At != 0 || news.After == "" {
		return news.At < b.ToldAt
	}
	return news.After == b.PreviousHead || b.Deleted && news.After == b.Head
}

// Open reports whether work goes on in the branch.
func (b *Branch) Open() bool { return !b.Deleted && len(b.MergedInto) == 0 }

// Merge notes that the branch was merged into another.
func (b *Branch) Merge(into int64) { b.MergedInto = withID(b.MergedInto, into) }

// Commit is a version-control commit whose message names stories.
type Commit struct {
	ID             int64
	RepositoryID   int64
	BranchID       *int64 // to which it was first pushed, if that is kept
	Hash           string
	Message        string
	URL            string
	AuthorEmail    string
	AuthorID       *UUID  // the member with the e-mail address
	AuthorIdentity string // the name that the provider knows the author by
	Provider       Provider
	MergedInto     []int64 // branches
	Mentions       []int64
	At             Time
	CreatedAt      Time
	UpdatedAt      Time
	Stories        []int64 // that hold it; not part of the row
}

// Merge notes that the commit came to another branch.
func (c *Commit) Merge(into int64) { c.MergedInto = withID(c.MergedInto, into) }

func withID(ids []int64, id int64) []int64 {
	if slices.Contains(ids, id) {
		return ids
	}
	return append(slices.Clip(ids), id)
}

// historyOf lists the stories in whose history an entity stands: a change item has room for two.
// One of more stories stands in the history of those that the same change updates.
func historyOf(stories []int64) []int64 {
	if len(stories) > 2 {
		return nil
	}
	return stories
}

func (b *Branch) Touch(now Time) { b.UpdatedAt = now }
func (c *Commit) Touch(now Time) { c.UpdatedAt = now }

func (b Branch) StoryIDs() []int64  { return historyOf(b.Stories) }
func (b Branch) EntityType() string { return "branch" }
func (b Branch) EntityID() string   { return strconv.FormatInt(b.ID, 10) }

func (b Branch) Fields() []Field {
	return []Field{
		{"name", b.Name}, {"url", b.URL}, {"repository_id", b.RepositoryID}, {"head", b.Head}, {"deleted", b.Deleted},
		{"merged_branch_ids", b.MergedInto},
	}
}

func (c Commit) StoryIDs() []int64  { return historyOf(c.Stories) }
func (c Commit) EntityType() string { return "commit" }
func (c Commit) EntityID() string   { return strconv.FormatInt(c.ID, 10) }

func (c Commit) Fields() []Field {
	return []Field{
		{"hash", c.Hash}, {"message", c.Message}, {"url", c.URL}, {"repository_id", c.RepositoryID}, {"author_email", c.AuthorEmail},
		{"author_id", c.AuthorID}, {"timestamp", c.At}, {"merged_branch_ids", c.MergedInto},
	}
}
