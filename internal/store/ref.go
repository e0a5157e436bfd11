package store

import (
	"crypto/sha256"
	"fmt"
	"strconv"
	"strings"

	"milepost/internal/store/db"
)

// refs is what one entity refers to, by kind: the entries of the index table ref.
type refs map[string][]string

func refsOf[T ~string](ids []T) []string {
	out := make([]string, len(ids))
	for i, id := range ids {
		out[i] = string(id)
	}
	return out
}

func intRefs(ids []int64) []string {
	out := make([]string, len(ids))
	for i, id := range ids {
		out[i] = strconv.FormatInt(id, 10)
	}
	return out
}

// linkRef is how the index knows an external link. A long one goes by its hash, since indexes of
// PostgreSQL take entries of some 2,700 bytes only.
func linkRef(link string) string {
	if len(link) <= 512 {
		return link
	}
	return fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(link)))
}

// saveRefs brings the index from what an entity referred to before to what it refers to now.
func (tx *Tx) saveRefs(entity string, id int64, before, after refs) error {
	gone, fresh := refRows(before, after), refRows(after, before)
	if len(gone) > 0 {
		if err := tx.refStatement(`delete from ref where workspace_id = $1 and entity = $2 and id = $3 and (`, " or ", "(kind = $%d and target = $%d)", `)`, entity, id, gone); err != nil {
			return err
		}
	}
	if len(fresh) > 0 {
		return tx.refStatement(`insert into ref (workspace_id, entity, id, kind, target) values `, ", ", "($1, $2, $3, $%d, $%d)", ` on conflict do nothing`, entity, id, fresh)
	}
	return nil
}

func (tx *Tx) refStatement(head, between, row, tail, entity string, id int64, rows [][2]string) error {
	for len(rows) > 0 {
		n := min(len(rows), 200)
		parts := make([]string, n)
		args := []any{entity, id}
		for i, r := range rows[:n] {
			parts[i] = fmt.Sprintf(row, len(args)+2, len(args)+3)
			args = append(args, r[0], r[1])
		}
		if _, err := tx.exec(head+strings.Join(parts, between)+tail, args...); err != nil {
			return err
		}
		rows = rows[n:]
	}
	return nil
}

// refRows lists the entries of a that b lacks, as kind and target.
func refRows(a, b refs) [][2]string {
	var out [][2]string
	for kind, targets := range a {
		has := map[string]bool{}
		for _, t := range b[kind] {
			has[t] = true
		}
		for _, t := range targets {
			if !has[t] {
				out = append(out, [2]string{kind, t})
			}
		}
	}
	return out
}

// Referring lists up to limit ids of the entities whose list of that kind holds the target.
func (tx *Tx) Referring(entity, kind, target string, limit int) ([]int64, error) {
	var ids []int64
	err := tx.each(func(row db.Row) error {
		var id int64
		err := row.Scan(&id)
		ids = append(ids, id)
		return err
	}, `select id from ref where workspace_id = $1 and entity = $2 and kind = $3 and target = $4 order by id limit $5`,
		entity, kind, target, limit)
	return ids, err
}

// StoriesByTarget lists the stories that have each target in their list of that kind, oldest
// first: of the targets named or, without any, of all.
func (tx *Tx) StoriesByTarget(kind string, targets ...int64) (map[int64][]int64, error) {
	out := map[int64][]int64{}
	condition, args := "true", []any{kind}
	if len(targets) > 0 {
		condition, args = tx.anyOf("target", "$3"), append(args, tx.list(intRefs(targets)))
	}
	err := tx.each(func(row db.Row) error {
		var key string
		var story int64
		if err := row.Scan(&key, &story); err != nil {
			return err
		}
		target, err := strconv.ParseInt(key, 10, 64)
		out[target] = append(out[target], story)
		return err
	}, `select target, id from ref where workspace_id = $1 and entity = 'story' and kind = $2 and (`+condition+`) order by id`, args...)
	return out, err
}
