package tracker

import "slices"

// EntityTemplate is a story template: a name and what it fills into a new story.
type EntityTemplate struct {
	ID         UUID
	Name       string
	AuthorID   UUID
	Contents   StoryContents
	LastUsedAt Time // the creation, until a story is made from it
	CreatedAt  Time
	UpdatedAt  Time

	CatalogNumber int64 // read along, as with a story
}

// StoryContents is what a template fills into a new story, kept as JSON. Empty lists are nil.
type StoryContents struct {
	Name          string            `json:"name,omitempty"`
	Description   string            `json:"description,omitempty"`
	Type          StoryType         `json:"story_type,omitempty"`
	StateID       *int64            `json:"workflow_state_id,omitempty"`
	ProjectID     *int64            `json:"project_id,omitempty"`
	EpicID        *int64            `json:"epic_id,omitempty"`
	IterationID   *int64            `json:"iteration_id,omitempty"`
	GroupID       *UUID             `json:"group_id,omitempty"`
	Estimate      *int64            `json:"estimate,omitempty"`
	Deadline      *Time             `json:"deadline,omitempty"`
	OwnerIDs      []UUID            `json:"owner_ids,omitempty"`
	FollowerIDs   []UUID            `json:"follower_ids,omitempty"`
	LabelIDs      []int64           `json:"label_ids,omitempty"`
	FileIDs       []int64           `json:"file_ids,omitempty"`
	LinkedFileIDs []int64           `json:"linked_file_ids,omitempty"`
	ExternalLinks []string          `json:"external_links,omitempty"`
	CustomFields  []StoryField      `json:"custom_fields,omitempty"`
	Tasks         []ContentsTask    `json:"tasks,omitempty"`
	SubTasks      []ContentsSubTask `json:"sub_tasks,omitempty"`
}

// ContentsTask is a task of the stories that a template makes.
type ContentsTask struct {
	Description string  `json:"description"`
	Complete    bool    `json:"complete,omitempty"`
	ExternalID  *string `json:"external_id,omitempty"`
	OwnerIDs    []UUID  `json:"owner_ids,omitempty"`
}

// ContentsSubTask is a sub-task of the stories that a template makes.
type ContentsSubTask struct {
	Name     string `json:"name"`
	OwnerIDs []UUID `json:"owner_ids,omitempty"`
	StateID  *int64 `json:"workflow_state_id,omitempty"`
}

// EntityTemplateParams is what a template is created with.
type EntityTemplateParams struct {
	Name     string
	AuthorID Opt[UUID]
	Contents StoryContentsChange
}

// EntityTemplateChange is what can be changed of a template.
type EntityTemplateChange struct {
	Name     Opt[string]
	Contents StoryContentsChange
}

// StoryContentsChange is what can be changed of the contents: what is not given stays.
type StoryContentsChange struct {
	Name          Opt[string]
	Description   Opt[string]
	Type          Opt[StoryType]
	StateID       Opt[int64]
	ProjectID     Opt[int64]
	EpicID        Opt[int64]
	IterationID   Opt[int64]
	GroupID       Opt[UUID]
	Estimate      Opt[int64]
	Deadline      Opt[Time]
	OwnerIDs      Opt[[]UUID]
	FollowerIDs   Opt[[]UUID]
	Labels        Opt[[]LabelParams]
	LabelIDs      Opt[[]int64] // of Labels, once they are found or created
	FileIDs       Opt[[]int64]
	LinkedFileIDs Opt[[]int64]
	ExternalLinks Opt[[]string]
	CustomFields  Opt[[]StoryField]
	Tasks         Opt[[]ContentsTask]
	SubTasks      Opt[[]ContentsSubTask]
}

// Apply makes the changes that ch asks for.
func (c *StoryContents) Apply(ch StoryContentsChange) {
	ch.Name.Apply(&c.Name)
	ch.Description.Apply(&c.Description)
	ch.Type.Apply(&c.Type)
	ch.StateID.ApplyPtr(&c.StateID)
	ch.ProjectID.ApplyPtr(&c.ProjectID)
	ch.EpicID.ApplyPtr(&c.EpicID)
	ch.IterationID.ApplyPtr(&c.IterationID)
	ch.GroupID.ApplyPtr(&c.GroupID)
	ch.Estimate.ApplyPtr(&c.Estimate)
	ch.Deadline.ApplyPtr(&c.Deadline)
	applySet(ch.OwnerIDs, &c.OwnerIDs)
	applySet(ch.FollowerIDs, &c.FollowerIDs)
	applySet(ch.LabelIDs, &c.LabelIDs)
	applySet(ch.FileIDs, &c.FileIDs)
	applySet(ch.LinkedFileIDs, &c.LinkedFileIDs)
	applySet(ch.ExternalLinks, &c.ExternalLinks)
	applySet(ch.CustomFields, &c.CustomFields)
	if tasks, ok := ch.Tasks.Get(); ok {
		c.Tasks = append([]ContentsTask(nil), tasks...)
		for i := range c.Tasks {
			c.Tasks[i].OwnerIDs = set(c.Tasks[i].OwnerIDs)
		}
	}
	if subTasks, ok := ch.SubTasks.Get(); ok {
		c.SubTasks = append([]ContentsSubTask(nil), subTasks...)
		for i := range c.SubTasks {
			c.SubTasks[i].OwnerIDs = set(c.SubTasks[i].OwnerIDs)
		}
	}
}

func applySet[T comparable](o Opt[[]T], dst *[]T) {
	if list, ok := o.Get(); ok {
		*dst = set(list)
	}
}

// set drops repeated elements, keeping the order of their first mention; an empty one is nil.
func set[T comparable](list []T) (out []T) {
	seen := make(map[T]bool, len(list))
	for _, v := range list {
		if !seen[v] {
			seen[v] = true
			out = append(out, v)
		}
	}
	return out
}

// Reference is a place in the contents of a template that names another entity.
type Reference struct {
	Field string // in the request
	Kind  string
	ID    any // int64 or UUID
}

// Keep drops the references that has does not hold with. A has that holds with all of them sees
// every reference.
func (c *StoryContents) Keep(has func(Reference) bool) {
	keepOne(&c.StateID, "workflow_state_id", "workflow-state", has)
	keepOne(&c.ProjectID, "project_id", "project", has)
	keepOne(&c.EpicID, "epic_id", "epic", has)
	keepOne(&c.IterationID, "iteration_id", "iteration", has)
	keepOne(&c.GroupID, "group_id", "group", has)
	keep(&c.OwnerIDs, "owner_ids", "member", has)
	keep(&c.FollowerIDs, "follower_ids", "member", has)
	keep(&c.LabelIDs, "labels", "label", has)
	keep(&c.FileIDs, "file_ids", "file", has)
	keep(&c.LinkedFileIDs, "linked_file_ids", "linked-file", has)
	c.CustomFields = slices.DeleteFunc(slices.Clone(c.CustomFields), func(f StoryField) bool {
		return !has(Reference{"custom_fields", "custom-field-value", f.ValueID})
	})
	c.Tasks, c.SubTasks = slices.Clone(c.Tasks), slices.Clone(c.SubTasks)
	for i := range c.Tasks {
		keep(&c.Tasks[i].OwnerIDs, "tasks", "member", has)
	}
	for i := range c.SubTasks {
		keep(&c.SubTasks[i].OwnerIDs, "sub_tasks", "member", has)
		keepOne(&c.SubTasks[i].StateID, "sub_tasks", "workflow-state", has)
	}
}

// StateIDs lists the workflow states that the contents name, each once.
func (c StoryContents) StateIDs() []int64 {
	var ids []int64
	c.Keep(func(r Reference) bool {
		if id, ok := r.ID.(int64); ok && r.Kind == "workflow-state" {
			ids = append(ids, id)
		}
		return true
	})
	return set(ids)
}

func keepOne[T comparable](id **T, field, kind string, has func(Reference) bool) {
	if *id != nil && !has(Reference{field, kind, **id}) {
		*id = nil
	}
}

func keep[T comparable](ids *[]T, field, kind string, has func(Reference) bool) {
	*ids = slices.DeleteFunc(slices.Clone(*ids), func(id T) bool { return !has(Reference{field, kind, id}) })
}

// Touch moves the time of the last update.
func (t *EntityTemplate) Touch(now Time) { t.UpdatedAt = now }

func (t EntityTemplate) EntityType() string { return "entity-template" }
func (t EntityTemplate) EntityID() string   { return string(t.ID) }

func (t EntityTemplate) Fields() []Field {
	return []Field{{"name", t.Name}, {"author_id", t.AuthorID}, {"last_used_at", t.LastUsedAt}, {"story_contents", t.Contents}}
}
