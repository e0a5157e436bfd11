#!/usr/bin/env bash
# Runs a command beside a throw-away S3 server, the address of whose bucket is in MILEPOST_TEST_S3:
#
#   scripts/with-s3.sh go test ./internal/blob/...
#
# The server is the one in VERSITYGW, or else what `make deps` has installed.
set -euo pipefail

if [ $# -eq 0 ]; then
	echo "usage: $0 command [argument…]" >&2
	exit 2
fi

cache=${MILEPOST_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/milepost}
server=${VERSITYGW:-$(compgen -G "$cache/versitygw-*/versitygw" | tail -n 1 || true)}
if [ ! -x "$server" ]; then
	echo "$0: there is no versitygw: run make deps first" >&2
	exit 1
fi

dir=$(mktemp -d "${TMPDIR:-/tmp}/milepost-s3.XXXXXX")
pid=
stop() {
	trap '' INT TERM
	if [ -n "$pid" ]; then
		kill "$pid" 2>/dev/null || true
		wait "$pid" 2>/dev/null || true
	fi
	rm -rf "$dir"
}
trap stop EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

export AWS_ACCESS_KEY_ID=milepost AWS_SECRET_ACCESS_KEY=throw-away
mkdir -p "$dir/buckets/milepost" "$dir/attributes"

# Only the server itself can tell that a port is free, so it tries some. They are below the range from which systems
# give ports to outgoing connections. Attributes go to files of their own, since not every file system keeps them.
started=
for _ in 1 2 3 4 5 6 7 8; do
	port=$((20000 + RANDOM % 12000))
	ROOT_ACCESS_KEY=$AWS_ACCESS_KEY_ID ROOT_SECRET_KEY=$AWS_SECRET_ACCESS_KEY "$server" --port "127.0.0.1:$port" \
		--keep-alive --quiet posix --sidecar "$dir/attributes" --disableotmp "$dir/buckets" >"$dir/log" 2>&1 &
	pid=$!
	for _ in $(seq 100); do
		kill -0 "$pid" 2>/dev/null || break
		if (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then
			started=yes
			break 2
		fi
		sleep 0.1
	done
	kill "$pid" 2>/dev/null || true
done
if [ -z "$started" ]; then
	echo "$0: the S3 server does not start:" >&2
	cat "$dir/log" >&2
	exit 1
fi

export MILEPOST_TEST_S3="s3://milepost?region=us-east-1&endpoint=http://127.0.0.1:$port"
"$@"
