#!/usr/bin/env bash
# Gets what tests and checks need, and only what is missing. One function for each dependency.
# Called by `make deps`, which passes the pinned versions.
set -euo pipefail
cd "$(dirname "$0")/.."

apt_install() {
	local apt=(env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300)
	if [ "$(id -u)" -ne 0 ]; then
		command -v sudo >/dev/null || {
			echo "deps: not root and no sudo: install these packages yourself: $*" >&2
			return 1
		}
		apt=(sudo "${apt[@]}")
	fi
	"${apt[@]}" update
	"${apt[@]}" install -y --no-install-recommends "$@"
}

postgres() {
	scripts/find-postgres.sh >/dev/null 2>&1 && return
	if ! command -v apt-get >/dev/null; then
		echo "deps: the tests need PostgreSQL 15 or newer and this is no apt system." >&2
		echo "deps: install its server package (it is enough that initdb is in PATH), then run this again." >&2
		return 1
	fi
	echo "deps: installing PostgreSQL"
	apt_install postgresql
	scripts/find-postgres.sh >/dev/null
}

node_js() {
	command -v node >/dev/null && command -v npm >/dev/null && return
	if ! command -v apt-get >/dev/null; then
		echo "deps: the tests need Node.js 18 or newer with npm and this is no apt system: install it, then run this again." >&2
		return 1
	fi
	echo "deps: installing Node.js"
	apt_install nodejs npm
}

# The clients of others that the tests run. Installed again when the lock file is another than that of the last time.
clients() {
	local folder lock
	for folder in clients/*/; do
		lock=${folder}node_modules/installed-lock.json
		cmp -s "${folder}package-lock.json" "$lock" && continue
		echo "deps: installing what $folder needs"
		npm --prefix "$folder" ci --ignore-scripts --no-audit --no-fund --prefer-offline --loglevel=error
		cp "${folder}package-lock.json" "$lock"
	done
}

golangci_lint() {
	[ -x "$GOLANGCI_LINT" ] && return
	echo "deps: building golangci-lint $GOLANGCI_LINT_VERSION (once, some minutes)"
	GOBIN=$(dirname "$GOLANGCI_LINT") \
		go install "github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$GOLANGCI_LINT_VERSION"
}

versitygw() {
	[ -x "$VERSITYGW" ] && return
	echo "deps: building versitygw $VERSITYGW_VERSION (once, some minutes)"
	GOBIN=$(dirname "$VERSITYGW") go install "github.com/versity/versitygw/cmd/versitygw@$VERSITYGW_VERSION"
}

modules() {
	go mod download
	# `make tidy` also reads the tests of our dependencies, whose modules go.mod does not list. It is the one to
	# judge the result: here only the reading counts.
	go mod tidy -diff >/dev/null 2>&1 || true
}

postgres
node_js
clients
golangci_lint
versitygw
modules
