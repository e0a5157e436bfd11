package tracker

// VCSNews is what one delivery of a version-control service tells, in the same form for all of
// them. What a service does not tell is left out.
type VCSNews struct {
	DeliveryID  string
	Repository  *RepositoryNews
	Sender      VCSPerson
	Branches    []BranchNews
	PullRequest *PullRequestNews
	Build       *BuildNews
	Tokens      []string // tokens of ours that stand in the payload
}

// RepositoryNews tells of a repository. At is the provider's time, zero where it does not say.
type RepositoryNews struct {
	ExternalID string
	Name       string
	FullName   string
	URL        string
	At         Time
}

// VCSPerson is somebody as a service knows them; members are found by the e-mail address.
type VCSPerson struct {
	Login string
	Email string
}

// BranchNews tells that a branch was made, pushed to or deleted.
type BranchNews struct {
	Name     string
	URL      string
	Before   string // hash of its newest commit before and after, where told
	After    string
	Created  bool
	Deleted  bool
	Default  bool // it is the repository's main branch
	Aside    bool // it is only named with something else, which says nothing of how it stands
	At       Time
	Mentions []int64
	Commits  []CommitNews
}

// CommitNews tells of a commit that was pushed.
type CommitNews struct {
	Hash     string
	Message  string
	URL      string
	Author   VCSPerson
	At       Time
	Mentions []int64
	Moves    []CommitMove
}

// CommitMove asks for a story to go to the state with the verb.
type CommitMove struct {
	Verb    string
	StoryID int64
}

// PullRequestNews tells how a pull request stands. Nil is not told.
type PullRequestNews struct {
	Number      int64
	Title       string
	URL         string
	Branch      BranchNews
	Target      BranchNews
	Head        string
	Closed      bool
	Merged      *bool
	Draft       bool
	NumAdded    *int64
	NumRemoved  *int64
	NumModified *int64
	NumCommits  *int64
	Labels      []VCSLabel
	Requested   []string // whose review is asked for
	Reviews     []Review
	AllReviews  bool // Reviews is all there is
	At          Time
	CreatedAt   Time
	Mentions    []int64
}

// BuildNews tells the result of one check of a commit.
type BuildNews struct {
	Build
	Numbers  []int64  // of the pull requests that it checks, where told
	Branches []string // whose newest commit it is, where told
}
