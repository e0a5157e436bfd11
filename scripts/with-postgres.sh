#!/usr/bin/env bash
# Runs a command beside a throw-away PostgreSQL, whose address is in MILEPOST_TEST_POSTGRES:
#
#   scripts/with-postgres.sh go test ./internal/store/...
#   scripts/with-postgres.sh sh -c 'psql "$MILEPOST_TEST_POSTGRES"'
#
# With DURABLE=1 commits reach the disk, as they do where data is kept; benchmarks need that.
set -euo pipefail

if [ $# -eq 0 ]; then
	echo "usage: $0 command [argument…]" >&2
	exit 2
fi

bin=$("$(dirname "$0")/find-postgres.sh") || {
	echo "$0: run make deps first" >&2
	exit 1
}

# In /tmp whatever TMPDIR says: the postgres user must reach it, and a socket's path may have only 107 bytes.
dir=$(mktemp -d /tmp/milepost-pg.XXXXXX)

# PostgreSQL refuses to run as root.
as_postgres() {
	if [ "$(id -u)" -eq 0 ]; then
		(cd "$dir" && runuser -u postgres -- "$@")
	else
		(cd "$dir" && "$@")
	fi
}

stop() {
	trap '' INT TERM
	if [ -f "$dir/data/postmaster.pid" ]; then
		as_postgres "$bin/pg_ctl" --pgdata="$dir/data" --mode=immediate stop >/dev/null || true
	fi
	rm -rf "$dir"
}
trap stop EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

if [ "$(id -u)" -eq 0 ]; then
	chown postgres "$dir"
fi

# The C locale sorts by bytes, as SQLite does, and is on every system.
as_postgres "$bin/initdb" --pgdata="$dir/data" --username=postgres --auth=trust \
	--encoding=UTF8 --locale=C --no-sync >/dev/null

cat >>"$dir/data/postgresql.conf" <<CONF
listen_addresses = '127.0.0.1'
unix_socket_directories = '$dir'
max_connections = 400
CONF
if [ -n "${DURABLE:-}" ]; then
	echo "shared_buffers = 256MB" >>"$dir/data/postgresql.conf"
else
	# Durability is given up for speed: nothing here outlives the command.
	cat >>"$dir/data/postgresql.conf" <<-CONF
		fsync = off
		full_page_writes = off
		shared_buffers = 64MB
	CONF
fi

# Only PostgreSQL itself can tell for sure that a port is free, so it tries some.
# They are below the range from which systems give ports to outgoing connections.
started=
for _ in 1 2 3 4 5 6 7 8; do
	port=$((20000 + RANDOM % 12000))
	if as_postgres "$bin/pg_ctl" --pgdata="$dir/data" --log="$dir/log" -o "-p $port" --wait start >/dev/null 2>&1; then
		started=yes
		break
	fi
done
if [ -z "$started" ]; then
	echo "$0: PostgreSQL does not start:" >&2
	cat "$dir/log" >&2
	exit 1
fi

export MILEPOST_TEST_POSTGRES="postgres://postgres@127.0.0.1:$port/postgres?sslmode=disable"
"$@"
