package storetest

import (
	"slices"
	"strings"
	"testing"
)

// Everything belongs to one workspace and is found through it, but for these.
var (
	globalTables  = []string{"account", "schema_version", "search_doc"} // the last is known to the full-text table by a number
	globalIndexes = []string{"token_hash", "workspace_slug", "account_email_key", "search_words"}
	// A person is the same in all workspaces.
	globalReferences = []string{"member → account"}
)

// schema holds the tables to the rule that keys, indexes and references start with the workspace, so
// that a workspace can move to another database and no reference leads out of it.
func schema(t *testing.T, address string) {
	openStore(t, address)
	tables := catalog(t, address)
	if len(tables) < 10 {
		t.Fatalf("the catalog shows only %d tables", len(tables))
	}
	for name, tab := range tables {
		if slices.Contains(globalTables, name) {
			continue
		}
		if len(tab.primaryKey) == 0 || tab.primaryKey[0] != "workspace_id" {
			t.Errorf("table %s: the primary key is %v, it must start with workspace_id", name, tab.primaryKey)
		}
		for _, k := range tab.foreignKeys {
			if k.columns[0] != "workspace_id" && !slices.Contains(globalReferences, name+" → "+k.table) {
				t.Errorf("table %s: the reference %v to %s must start with workspace_id", name, k.columns, k.table)
			}
		}
	}
	for name, tab := range tables {
		for _, i := range tab.indexes {
			if i.columns[0] != "workspace_id" && !slices.Contains(globalIndexes, i.name) {
				t.Errorf("index %s of %s is on %v, it must start with workspace_id", i.name, name, i.columns)
			}
			// Engine.Violates tells by this name which field is taken.
			if last := i.columns[len(i.columns)-1]; i.unique && !strings.HasSuffix(i.name, last) {
				t.Errorf("the unique index %s of %s must end with %s, its last column", i.name, name, last)
			}
		}
	}
}
