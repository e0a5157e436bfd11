#!/usr/bin/env bash
# Runs every fuzz target of the given packages for the given time; `go test -fuzz` itself takes one target at a time.
set -euo pipefail

fuzztime=$1
shift

# -list prints the targets of a package, then a line "ok <package> <time>".
targets=()
go test -list '^Fuzz' "$@" | while read -r word package _; do
	case $word in
	Fuzz*) targets+=("$word") ;;
	ok)
		for target in ${targets[@]+"${targets[@]}"}; do
			echo "== $package $target"
			go test -run '^$' -fuzz "^$target\$" -fuzztime "$fuzztime" "$package" </dev/null
		done
		targets=()
		;;
	esac
done
