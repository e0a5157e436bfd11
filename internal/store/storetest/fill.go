package storetest

import (
	"errors"

	"milepost/internal/store"
	"milepost/internal/tracker"
)

// fill makes a row in every table that a Tx can write to, with the given ids and text.
func fill(tx *store.Tx, uuid func(int) tracker.UUID, text string) error {
	user, err := tx.Account(text+"@example.org", uuid(2), now)
	if err != nil {
		return err
	}
	labelID, categoryID, teamID := tx.NextID(), tx.NextID(), tx.NextID()
	workflowID, stateID, epicWorkflowID, epicStateID := tx.NextHighID(), tx.NextHighID(), tx.NextHighID(), tx.NextHighID()
	var state tracker.WorkflowState
	state.ID, state.WorkflowID, state.Name, state.Type, state.CreatedAt, state.UpdatedAt = stateID, workflowID, text, tracker.Unstarted, now, now
	var epicState tracker.EpicState
	epicState.ID, epicState.Name, epicState.Type, epicState.CreatedAt, epicState.UpdatedAt = epicStateID, text, tracker.Unstarted, now, now
	return errors.Join(
		tx.InsertMember(&tracker.Member{ID: uuid(3), UserID: user, Name: text, Email: text + "@example.org", MentionName: text,
			Role: tracker.Owner, CreatedAt: now, UpdatedAt: now}),
		tx.InsertToken(&tracker.Token{ID: uuid(4), Member: uuid(3), Name: text, Hash: text, CreatedAt: now}),
		tx.InsertAudit(&tracker.AuditEntry{ID: uuid(5), At: now, Member: uuid(3), Action: text, Subject: text, Detail: map[string]any{}}),
		tx.AppendChange(&tracker.Change{Member: uuid(3), Actor: text, Items: []tracker.ChangeItem{
			{EntityType: "label", EntityID: text, Action: "create", Data: map[string]any{"name": text}},
		}}),
		tx.InsertLabel(label(labelID, text)),
		tx.InsertCategory(&tracker.Category{ID: categoryID, Name: text, CreatedAt: now, UpdatedAt: now}),
		tx.InsertWorkflow(&tracker.Workflow{ID: workflowID, TeamID: teamID, Name: text, DefaultStateID: stateID, CreatedAt: now, UpdatedAt: now}),
		tx.InsertWorkflowState(&state),
		tx.InsertEpicWorkflow(&tracker.EpicWorkflow{ID: epicWorkflowID, DefaultStateID: epicStateID, CreatedAt: now, UpdatedAt: now}),
		tx.InsertEpicState(&epicState),
	)
}

// storylessRows fill the tables that no method of Tx can insert into yet.
var storylessRows = []string{
	`insert into epic (workspace_id, id, name, epic_state_id, archived, created_at, updated_at)
		values ($1, 7770003, 'foreign', 777000003, false, 0, 0)`,
	`insert into epic_label (workspace_id, epic_id, label_id) values ($1, 7770003, 7770000)`,
	`insert into story (workspace_id, id, name, story_type, workflow_id, workflow_state_id, position, archived, created_at, updated_at, moved_at)
		values ($1, 7770004, 'foreign', 'bug', 777000000, 777000001, 0, false, 0, 0, 0)`,
	`insert into story_label (workspace_id, story_id, label_id) values ($1, 7770004, 7770000)`,
}
