#!/usr/bin/env bash
# Prints the folder of the newest usable PostgreSQL server programs; fails when there are none.
# Debian keeps initdb out of PATH, Homebrew hides versioned formulas, hence the search.
set -euo pipefail

oldest=15

shopt -s nullglob
best=0 bindir=
for initdb in "$(command -v initdb || true)" \
	/usr/lib/postgresql/*/bin/initdb /usr/pgsql-*/bin/initdb \
	/opt/homebrew/opt/postgresql@*/bin/initdb /usr/local/opt/postgresql@*/bin/initdb; do
	[ -x "$initdb" ] || continue
	major=$("$initdb" --version | sed -E 's/^[^0-9]*([0-9]+).*/\1/')
	if [ "$major" -ge "$oldest" ] && [ "$major" -gt "$best" ]; then
		best=$major bindir=$(dirname "$(readlink -f "$initdb")")
	fi
done

if [ -z "$bindir" ]; then
	echo "no PostgreSQL $oldest or newer server programs (initdb, pg_ctl) found" >&2
	exit 1
fi
echo "$bindir"
