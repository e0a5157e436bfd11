#!/bin/sh
# Makes cmd/milepost/default.pgo anew: a profile of every measured operation on both engines, by which the compiler
# decides what to inline. Runs under with-postgres.sh, with bin/bench built.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Without -s, so that the profile has names, and in a neutral place, which the profile also tells.
CGO_ENABLED=0 go build -trimpath -pgo=off -o "$work/milepost" ./cmd/milepost
n=0
for engine in sqlite postgres; do
	for op in 'get story' 'list 25 slim' 'search 25 full' 'list 1,000 slim' 'rare-word search' 'operator search' create update move comment; do
		n=$((n + 1))
		bin/bench profile --engines "$engine" --milepost "$work/milepost" --stories 2000 --op "$op" --for 5s --lines 0 --out "$work/$n.pb.gz"
	done
done
go tool pprof -proto "$work"/*.pb.gz >cmd/milepost/default.pgo
