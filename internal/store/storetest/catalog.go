package storetest

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// A table as the engine's own catalog describes it.
type table struct {
	name        string
	columns     []string
	primaryKey  []string
	indexes     []index
	foreignKeys []foreignKey
}

type index struct {
	name    string
	unique  bool
	columns []string
}

type foreignKey struct {
	columns []string
	table   string
}

// catalog reads all tables, by name.
func catalog(t *testing.T, address string) map[string]*table {
	t.Helper()
	db := openRaw(t, address)
	if driverOf(address) == "sqlite" {
		return sqliteCatalog(t, db)
	}
	return postgresCatalog(t, db)
}

// rowsOf gives the rows of a statement, each as texts.
func rowsOf(ctx context.Context, t *testing.T, db *sql.DB, statement string, args ...any) [][]string {
	t.Helper()
	rows, err := db.QueryContext(ctx, statement, args...)
	if err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	var out [][]string
	for rows.Next() {
		values, dest := make([]any, len(names)), make([]any, len(names))
		for i := range values {
			dest[i] = &values[i]
		}
		if err := rows.Scan(dest...); err != nil {
			t.Fatal(err)
		}
		row := make([]string, len(names))
		for i, v := range values {
			row[i] = fmt.Sprint(v)
		}
		out = append(out, row)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

func sqliteCatalog(t *testing.T, db *sql.DB) map[string]*table {
	t.Helper()
	tables := map[string]*table{}
	ctx := t.Context()
	for _, r := range rowsOf(ctx, t, db, `select name from pragma_table_list
			where schema = 'main' and type = 'table' and name not like 'sqlite_%'`) {
		tables[r[0]] = &table{name: r[0]}
	}
	for name, tab := range tables {
		for _, r := range rowsOf(ctx, t, db, `select name from pragma_table_info($1) order by cid`, name) {
			tab.columns = append(tab.columns, r[0])
		}
		for _, r := range rowsOf(ctx, t, db, `select name from pragma_table_info($1) where pk > 0 order by pk`, name) {
			tab.primaryKey = append(tab.primaryKey, r[0])
		}
		for _, r := range rowsOf(ctx, t, db, `select name, "unique" from pragma_index_list($1) where origin = 'c'`, name) {
			i := index{name: r[0], unique: r[1] == "1"}
			for _, c := range rowsOf(ctx, t, db, `select name from pragma_index_info($1) order by seqno`, r[0]) {
				i.columns = append(i.columns, c[0])
			}
			tab.indexes = append(tab.indexes, i)
		}
		keys := map[string]*foreignKey{}
		for _, r := range rowsOf(ctx, t, db, `select id, "table", "from" from pragma_foreign_key_list($1) order by id, seq`, name) {
			if keys[r[0]] == nil {
				keys[r[0]] = &foreignKey{table: r[1]}
			}
			keys[r[0]].columns = append(keys[r[0]].columns, r[2])
		}
		for _, k := range keys {
			tab.foreignKeys = append(tab.foreignKeys, *k)
		}
	}
	return tables
}

func postgresCatalog(t *testing.T, db *sql.DB) map[string]*table {
	t.Helper()
	tables := map[string]*table{}
	ctx := t.Context()
	for _, r := range rowsOf(ctx, t, db, `select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`) {
		tables[r[0]] = &table{name: r[0]}
	}
	for name, tab := range tables {
		for _, r := range rowsOf(ctx, t, db, `select attname from pg_attribute
				where attrelid = $1::text::regclass and attnum > 0 and not attisdropped order by attnum`, name) {
			tab.columns = append(tab.columns, r[0])
		}
		for _, r := range rowsOf(ctx, t, db, `select c.relname, i.indisunique, i.indisprimary,
					(select string_agg(coalesce(a.attname, '(expression)'), ',' order by k.n)
					from unnest(i.indkey) with ordinality k (attnum, n)
					left join pg_attribute a on (a.attrelid = i.indrelid and a.attnum = k.attnum and k.attnum > 0))
				from pg_index i join pg_class c on (c.oid = i.indexrelid)
				where i.indrelid = $1::text::regclass`, name) {
			columns := strings.Split(r[3], ",")
			if r[2] == "true" {
				tab.primaryKey = columns
			} else {
				tab.indexes = append(tab.indexes, index{name: r[0], unique: r[1] == "true", columns: columns})
			}
		}
		for _, r := range rowsOf(ctx, t, db, `select c.confrelid::regclass::text,
					(select string_agg(a.attname, ',' order by k.n) from unnest(c.conkey) with ordinality k (attnum, n)
					join pg_attribute a on (a.attrelid = c.conrelid and a.attnum = k.attnum))
				from pg_constraint c where c.contype = 'f' and c.conrelid = $1::text::regclass`, name) {
			tab.foreignKeys = append(tab.foreignKeys, foreignKey{table: r[0], columns: strings.Split(r[1], ",")})
		}
	}
	return tables
}

// dump gives every row of the workspace in every table, so that two dumps can be compared.
func dump(t *testing.T, db *sql.DB, tables map[string]*table, workspace string) map[string][]string {
	t.Helper()
	out := map[string][]string{}
	for name, tab := range tables {
		if slices.Contains(tab.columns, "workspace_id") {
			out[name] = []string{}
			for _, r := range rowsOf(t.Context(), t, db, `select * from `+name+` where workspace_id = $1`, workspace) {
				out[name] = append(out[name], strings.Join(r, " | "))
			}
			slices.Sort(out[name])
		}
	}
	return out
}
