package store

import "milepost/internal/tracker"

var vcsIntegrations = newTable("vcs_integration", "id", nil, func(i *tracker.VCSIntegration) []column {
	return []column{
		{"id", &i.ID}, {"hook_id", &i.HookID}, {"provider", &i.Provider}, {"name", &i.Name}, {"secret", &i.Secret},
		{"disabled", &i.Disabled}, {"rules", jsonText{&i.Rules}}, {"creator_id", &i.CreatorID}, {"created_at", &i.CreatedAt},
		{"updated_at", &i.UpdatedAt},
	}
})

func (tx *Tx) VCSIntegrations() ([]tracker.VCSIntegration, error) {
	return vcsIntegrations.find(tx, "")
}
func (tx *Tx) VCSIntegration(id int64) (tracker.VCSIntegration, error) {
	return vcsIntegrations.get(tx, id)
}
func (tx *Tx) UpdateVCSIntegration(i *tracker.VCSIntegration) error {
	return vcsIntegrations.update(tx, i)
}

// VCSIntegrationOfHook finds an integration by what stands in its address.
func (tx *Tx) VCSIntegrationOfHook(id tracker.UUID) (tracker.VCSIntegration, error) {
	return first(vcsIntegrations.find(tx, "hook_id = $2", id))
}

// InsertVCSIntegration also notes that the workspace has version control.
func (tx *Tx) InsertVCSIntegration(i *tracker.VCSIntegration) error {
	if err := vcsIntegrations.insert(tx, i); err != nil {
		return err
	}
	return tx.noteVCS()
}

// DeleteVCSIntegration also forgets the deliveries. What they told stays.
func (tx *Tx) DeleteVCSIntegration(id int64) error {
	if _, err := tx.exec(`delete from vcs_delivery where workspace_id = $1 and integration_id = $2`, id); err != nil {
		return err
	}
	if err := vcsIntegrations.delete(tx, id); err != nil {
		return err
	}
	return tx.noteVCS()
}

func (tx *Tx) noteVCS() error {
	tx.access = true // what tokens open tells it
	_, err := tx.exec(`update workspace set has_vcs = exists (select 1 from vcs_integration where workspace_id = $1) where workspace_id = $1`)
	return err
}

// KeepVCSDelivery notes that a delivery arrived and reports whether it is the first with that id.
func (tx *Tx) KeepVCSDelivery(integration int64, id string, at tracker.Time) (isNew bool, err error) {
	rows, err := tx.exec(`insert into vcs_delivery (workspace_id, integration_id, delivery_id, at) values ($1, $2, $3, $4)
		on conflict do nothing`, integration, id, at)
	return rows == 1, err
}

// ForgetVCSDeliveries deletes the deliveries that are not newer than the time.
func (tx *Tx) ForgetVCSDeliveries(until tracker.Time) error {
	_, err := tx.exec(`delete from vcs_delivery where workspace_id = $1 and at <= $2`, until)
	return err
}
