# A linter finding or a failing test should mean the same everywhere, so tools are pinned here.
GOLANGCI_LINT_VERSION := v2.14.0
# The S3 server that the tests keep files in.
VERSITYGW_VERSION := v1.8.0

# Outside the checkout, so that a fresh clone does not build the tools again.
MILEPOST_CACHE ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/milepost
# Named by both versions: a linter built by an older Go refuses to read newer code.
GOLANGCI_LINT := $(abspath $(MILEPOST_CACHE))/golangci-lint-$(GOLANGCI_LINT_VERSION)-$(shell go env GOVERSION)/golangci-lint
export VERSITYGW := $(abspath $(MILEPOST_CACHE))/versitygw-$(VERSITYGW_VERSION)/versitygw

VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
PKG ?= ./...
FUZZTIME ?= 20s

# The version comes from VERSION above; without the stamp, builds also work where git distrusts the checkout's owner.
# Checks and tests compile everything once, without the profile that `build` gives to the compiler.
export GOFLAGS := -mod=readonly -buildvcs=false -pgo=off
# Nothing but `deps` may reach the network.
OFFLINE := GOPROXY=off
# Also run the clients of others, which need Node.js, and the servers that Milepost can use; `go test` by itself needs Go
# alone.
WITH_ALL := MILEPOST_TEST_CLIENTS=1 scripts/with-postgres.sh scripts/with-s3.sh

.DEFAULT_GOAL := help
.PHONY: help run deps test race verify format vet lint tidy layers generated fuzz build bench bench-growth bench-search profile guide clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: ## start a server on this checkout, data in ./milepost-data
	go run ./cmd/milepost serve

deps: ## get what tests and checks need and is missing; the only step that uses the network
	@GOLANGCI_LINT=$(GOLANGCI_LINT) GOLANGCI_LINT_VERSION=$(GOLANGCI_LINT_VERSION) VERSITYGW_VERSION=$(VERSITYGW_VERSION) scripts/deps.sh

test: deps ## every test on both engines (PKG=./internal/store/... for one package, ARGS='-run Label' for some tests)
	$(OFFLINE) $(WITH_ALL) go test -timeout 20m $(ARGS) $(PKG)

# Apart from `test`, because the race detector needs a C compiler and several times as long.
race: deps ## the same tests under the race detector (needs a C compiler)
	$(OFFLINE) CGO_ENABLED=1 $(WITH_ALL) go test -race -timeout 30m $(ARGS) $(PKG)

verify: format vet lint tidy layers generated ## format, vet, linters, go.mod, import layers, generated files

vet lint tidy layers generated: deps

# git grep lists what is in the working tree and not ignored: new files yes, node_modules no.
format:
	@bad=$$(git grep --untracked -l '' -- '*.go' | xargs gofmt -l) && \
		if [ -n "$$bad" ]; then echo "gofmt -w these files:"; echo "$$bad"; exit 1; fi

vet:
	$(OFFLINE) go vet ./...

lint:
	$(OFFLINE) $(GOLANGCI_LINT) run --allow-parallel-runners

tidy:
	$(OFFLINE) go mod tidy -diff

# -count=1, because the test cache does not see what `go list` reads.
layers:
	$(OFFLINE) go test -count=1 ./internal/archtest/...

# Compares with the state before, so that it can be run with uncommitted work.
WORKING_TREE := { git diff; git status --porcelain; } | git hash-object --stdin
generated:
	@if git grep -q --untracked '^//go:generate ' -- '*.go'; then \
		before=$$($(WORKING_TREE)); \
		$(OFFLINE) go generate ./... && \
		if [ "$$before" != "$$($(WORKING_TREE))" ]; then \
			echo "go generate changed files: review and commit them"; git status --short; exit 1; fi; fi

fuzz: ## every fuzz target for FUZZTIME each (default 20s)
	scripts/fuzz.sh $(FUZZTIME) $(PKG)

build: ## a static binary in bin/milepost
	CGO_ENABLED=0 go build -pgo=auto -trimpath -ldflags '-s -w -X main.version=$(VERSION)' -o bin/milepost ./cmd/milepost

# The servers are compared in the same run, so a busy machine spoils the numbers less than their ratio.
BENCH = DURABLE=1 scripts/with-postgres.sh bin/bench
BENCH_ARGS ?=

bin/bench: FORCE
	CGO_ENABLED=0 go build -trimpath -o $@ ./bench

bench: build bin/bench ## ours against the floor (BENCH_STORIES=10000, BENCH_ENGINES=sqlite, BENCH_OPS='get story', OUT=file.json)
	$(BENCH) run --milepost bin/milepost $(if $(OUT),--out $(OUT)) $(BENCH_ARGS)

bench-growth: build bin/bench ## how costs grow from 1,000 to 100,000 stories (takes half an hour; BENCH_SIZES=1000,10000)
	$(BENCH) growth --milepost bin/milepost $(if $(OUT),--out $(OUT)) $(BENCH_ARGS)

bench-search: build bin/bench ## how long typical searches take with 1,000 to 100,000 stories
	$(BENCH) search --milepost bin/milepost $(if $(OUT),--out $(OUT)) $(BENCH_ARGS)

profile: build bin/bench ## where the time of a request goes (BENCH_OP='list 25 slim', BENCH_ENGINES=postgres, OUT=file.pb.gz)
	$(BENCH) profile --engines $(or $(BENCH_ENGINES),sqlite) --milepost bin/milepost $(if $(OUT),--out $(OUT)) $(BENCH_ARGS)

guide: bin/bench ## a new profile for the compiler, cmd/milepost/default.pgo (takes ten minutes)
	scripts/with-postgres.sh scripts/guide.sh

.PHONY: FORCE
FORCE:

clean: ## remove what was built; the tools in MILEPOST_CACHE stay
	rm -rf bin
