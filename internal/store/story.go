package store

import (
	"database/sql/driver"
	"fmt"
	"slices"
	"strings"

	"milepost/internal/store/db"
	"milepost/internal/tracker"
)

var stories = newTable("story", "id", nil, func(s *tracker.Story) []column {
	return []column{
		{"id", &s.ID}, {"name", &s.Name}, {"description", &s.Description}, {"story_type", &s.Type}, {"workflow_id", &s.WorkflowID},
		{"workflow_state_id", &s.StateID}, {"position", &s.Position}, {"project_id", &s.ProjectID}, {"epic_id", &s.EpicID},
		{"iteration_id", &s.IterationID}, {"iteration_since", &s.IterationSince}, {"group_id", &s.GroupID},
		{"parent_story_id", &s.ParentID}, {"requested_by_id", &s.RequestedBy}, {"estimate", &s.Estimate}, {"deadline", &s.Deadline},
		{"external_id", &s.ExternalID}, {"story_template_id", &s.TemplateID}, {"source_task_id", &s.SourceTaskID},
		{"archived", &s.Archived}, {"blocked", &s.Blocked}, {"blocker", &s.Blocker},
		{"owner_ids", uuids{&s.OwnerIDs}}, {"follower_ids", uuids{&s.FollowerIDs}}, {"label_ids", ints{&s.LabelIDs}},
		{"member_mention_ids", uuids{&s.MemberMentions}}, {"group_mention_ids", uuids{&s.GroupMentions}},
		{"previous_iteration_ids", ints{&s.PreviousIterations}}, {"sub_task_story_ids", ints{&s.SubTaskIDs}},
		{"task_ids", ints{&s.TaskIDs}}, {"num_tasks_completed", &s.TasksCompleted}, {"comment_ids", ints{&s.CommentIDs}},
		{"blocker_comment_ids", ints{&s.BlockerComments}}, {"subject_link_ids", ints{&s.SubjectLinkIDs}},
		{"object_link_ids", ints{&s.ObjectLinkIDs}}, {"file_ids", ints{&s.FileIDs}},
		{"linked_file_ids", ints{&s.LinkedFileIDs}}, {"branch_ids", ints{&s.BranchIDs}}, {"commit_ids", ints{&s.CommitIDs}},
		{"pull_request_ids", ints{&s.PullRequestIDs}}, {"external_links", jsonText{&s.ExternalLinks}},
		{"custom_fields", storyFields{&s.CustomFields}}, {"started_at", &s.StartedAt}, {"started_at_override", &s.StartedAtOverride},
		{"completed_at", &s.CompletedAt}, {"completed_at_override", &s.CompletedAtOverride}, {"moved_at", &s.MovedAt},
		{"created_at", &s.CreatedAt}, {"updated_at", &s.UpdatedAt}, catalogNumber(&s.CatalogNumber),
	}
})

// briefStories are stories without their descriptions, which are most of their text.
var briefStories = newTable("story", "id", nil, func(s *tracker.Story) []column {
	return slices.DeleteFunc(stories.columns(s), func(c column) bool { return c.name == "description" })
})

// storyFields keeps the custom fields of a story as JSON. It reads what it wrote itself, at a fraction of
// what JSON in general costs.
type storyFields struct{ list *[]tracker.StoryField }

const fieldHead, fieldMiddle, fieldTail = `{"field_id":"`, `","value_id":"`, `"}`

// ScanText implements db.TextScanner.
func (f storyFields) ScanText(text string, from *db.Rows) error {
	*f.list = []tracker.StoryField{}
	if text == "null" { // so is a list that was never made
		return nil
	}
	text = from.Text(strings.TrimSuffix(strings.TrimPrefix(text, "["), "]"))
	for text != "" {
		field, rest, ok := strings.Cut(strings.TrimPrefix(text, fieldHead), fieldMiddle)
		value, rest, closed := strings.Cut(rest, fieldTail)
		if !ok || !closed {
			return fmt.Errorf("the custom fields of a story are damaged: %q", text)
		}
		*f.list = append(*f.list, tracker.StoryField{FieldID: tracker.UUID(field), ValueID: tracker.UUID(value)})
		text = strings.TrimPrefix(rest, ",")
	}
	return nil
}

// Value implements driver.Valuer.
func (f storyFields) Value() (driver.Value, error) { return jsonText{f.list}.Value() }

// storyRefs is what stories are found by, beside the columns with an index of their own.
func storyRefs(s *tracker.Story) refs {
	values := make([]tracker.UUID, len(s.CustomFields))
	for i, f := range s.CustomFields {
		values[i] = f.ValueID
	}
	links := make([]string, len(s.ExternalLinks))
	for i, link := range s.ExternalLinks {
		links[i] = linkRef(link)
	}
	return refs{
		"owner": refsOf(s.OwnerIDs), "follower": refsOf(s.FollowerIDs), "label": intRefs(s.LabelIDs), "file": intRefs(s.FileIDs),
		"linked-file": intRefs(s.LinkedFileIDs), "external-link": links, "custom-field-value": refsOf(values),
		"previous-iteration": intRefs(s.PreviousIterations), "branch": intRefs(s.BranchIDs), "commit": intRefs(s.CommitIDs),
		"pull-request": intRefs(s.PullRequestIDs),
	}
}

func (tx *Tx) Story(id int64) (tracker.Story, error) { return stories.get(tx, id) }

// StoriesByID lists the stories with the ids, each once, in the order of the ids; those that do
// not exist are left out.
func (tx *Tx) StoriesByID(ids []int64) ([]tracker.Story, error) {
	return stories.byID(tx, ids, func(s *tracker.Story) int64 { return s.ID })
}

func (tx *Tx) InsertStory(s *tracker.Story) error {
	if err := stories.insert(tx, s); err != nil {
		return err
	}
	if err := tx.saveRefs("story", s.ID, nil, storyRefs(s)); err != nil {
		return err
	}
	return tx.saveTexts(searchedStory, s.ID, texts{}, texts{s.Name, s.Description})
}

func (tx *Tx) UpdateStory(before, after *tracker.Story) error {
	if err := stories.change(tx, before, after); err != nil {
		return err
	}
	if err := tx.saveRefs("story", after.ID, storyRefs(before), storyRefs(after)); err != nil {
		return err
	}
	return tx.saveTexts(searchedStory, after.ID, texts{before.Name, before.Description}, texts{after.Name, after.Description})
}

func (tx *Tx) DeleteStory(s *tracker.Story) error {
	if err := tx.saveRefs("story", s.ID, storyRefs(s), nil); err != nil {
		return err
	}
	if err := tx.forget(searchedStory, s.ID); err != nil {
		return err
	}
	return stories.delete(tx, s.ID)
}

// StoryQuery picks stories, oldest first; StoryPage reads them.
type StoryQuery struct {
	condition string // its parameters start at $2
	args      []any
	byRef     bool // the condition picks rows of ref, which name the stories
}

// StoryPageSize is how many stories are read at once of a list that may be long.
const StoryPageSize = 2000

// StoryPage reads the stories of a query that come after the one with the id, perhaps without their
// descriptions.
func (tx *Tx) StoryPage(q StoryQuery, after int64, descriptions bool) ([]tracker.Story, error) {
	read := briefStories
	if descriptions {
		read = stories
	}
	return read.scan(tx, q.statement(read), append(q.args[:len(q.args):len(q.args)], after, StoryPageSize)...)
}

func (q StoryQuery) statement(of *table[tracker.Story]) string {
	n := len(q.args) + 2
	if q.byRef { // "cross" makes ref the outer loop, whose rows are in the order of the stories
		return fmt.Sprintf(`%s from ref cross join story where story.workspace_id = $1 and story.id = ref.id
			and ref.workspace_id = $1 and ref.entity = 'story' and (%s) and ref.id > $%d order by ref.id limit $%d`, of.wantedSQL, q.condition, n, n+1)
	}
	return fmt.Sprintf(`%s and (%s) and id > $%d order by id limit $%d`, of.selectSQL, q.condition, n, n+1)
}

// The queries of the stories that other entities have.
func StoriesOfEpic(id int64) StoryQuery {
	return StoryQuery{condition: "epic_id = $2", args: []any{id}}
}
func StoriesOfProject(id int64) StoryQuery {
	return StoryQuery{condition: "project_id = $2", args: []any{id}}
}
func StoriesOfIteration(id int64) StoryQuery {
	return StoryQuery{condition: "iteration_id = $2", args: []any{id}}
}

func StoriesWithLabel(l tracker.Label) StoryQuery {
	return storiesReferring("label", l.EntityID())
}
func StoriesWithLink(link string) StoryQuery { return storiesReferring("external-link", linkRef(link)) }

// storiesReferring picks the stories that have the target in their list of that kind.
func storiesReferring(kind, target string) StoryQuery {
	return StoryQuery{condition: "ref.kind = $2 and ref.target = $3", args: []any{kind, target}, byRef: true}
}

// StoriesOfGroup is the one list with pages.
func (tx *Tx) StoriesOfGroup(id tracker.UUID, limit, offset int64) ([]tracker.Story, error) {
	return stories.scan(tx, stories.selectSQL+` and (group_id = $2) order by id limit $3 offset $4`, id, limit, offset)
}

// SomeStoriesOf lists up to limit stories whose column (epic_id, iteration_id, group_id, …) is the id.
func (tx *Tx) SomeStoriesOf(column string, id any, limit int) ([]tracker.Story, error) {
	return stories.scan(tx, stories.selectSQL+` and (`+column+` = $2) order by id limit $3`, id, limit)
}

// SomeStoriesReferring lists up to limit stories that have the target in their list of that kind.
func (tx *Tx) SomeStoriesReferring(kind, target string, limit int) ([]tracker.Story, error) {
	ids, err := tx.Referring("story", kind, target, limit)
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	return tx.StoriesByID(ids)
}
