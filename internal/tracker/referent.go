package tracker

// Ref names an entity as the change log does.
type Ref struct{ EntityType, ID string }

// FieldValue is the entity type of the values of custom fields.
const FieldValue = "custom-field-enum-value"

// Referent is what changes tell of an entity that they refer to.
type Referent struct {
	Name     string       // of a task its description, of a commit its message, of a value of a custom field the value
	Type     string       // of a story or a state; of a branch or a commit its address
	ParentID *int64       // of a sub-task
	Field    *CustomField // of a value of a custom field
	Enabled  bool         // of a value of a custom field
}
