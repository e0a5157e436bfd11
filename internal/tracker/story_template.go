package tracker

// StoryFromTemplate is what a story is made with out of a template: values of its own, which win
// over the template's, and adjustments of the template's lists.
type StoryFromTemplate struct {
	TemplateID UUID
	Own        StoryParams // without tasks and sub-tasks
	Tasks      Opt[[]TaskParams]
	SubTasks   Opt[[]SubTaskParams]

	Owners        Adjustment[UUID]
	Followers     Adjustment[UUID]
	Labels        Adjustment[LabelParams]
	Files         Adjustment[int64]
	LinkedFiles   Adjustment[int64]
	ExternalLinks Adjustment[string]
	FieldsAdd     Opt[[]StoryField]
	FieldsRemove  Opt[[]UUID] // by the custom field
}

// Adjustment is what a list of the template gets and loses.
type Adjustment[T any] struct{ Add, Remove Opt[[]T] }

// Check fails when a list is both given as a whole and adjusted.
func (p StoryFromTemplate) Check() error {
	for _, list := range []struct {
		field              string
		whole, add, remove OptState
	}{
		{"owner_ids", p.Own.OwnerIDs.State, p.Owners.Add.State, p.Owners.Remove.State},
		{"follower_ids", p.Own.FollowerIDs.State, p.Followers.Add.State, p.Followers.Remove.State},
		{"labels", p.Own.Labels.State, p.Labels.Add.State, p.Labels.Remove.State},
		{"file_ids", p.Own.FileIDs.State, p.Files.Add.State, p.Files.Remove.State},
		{"linked_file_ids", p.Own.LinkedFileIDs.State, p.LinkedFiles.Add.State, p.LinkedFiles.Remove.State},
		{"external_links", p.Own.ExternalLinks.State, p.ExternalLinks.Add.State, p.ExternalLinks.Remove.State},
		{"custom_fields", p.Own.CustomFields.State, p.FieldsAdd.State, p.FieldsRemove.State},
	} {
		switch {
		case list.whole != Given:
		case list.add == Given:
			return Impossible(list.field+"_add", "cannot be combined with %s", list.field)
		case list.remove == Given:
			return Impossible(list.field+"_remove", "cannot be combined with %s", list.field)
		}
	}
	return nil
}
