# Everything one types here. `make` alone lists it. A machine needs Go, Node, git
# and make; the rest is fetched, pinned by version, from the package registries.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL: # go, esbuild and node each use every core already; mixed output helps nobody

# The compiler that builds what ships. Any Go from 1.21 on fetches it by itself.
export GOTOOLCHAIN := go1.27.3
# The simd package: real vector instructions in WebAssembly.
export GOEXPERIMENT := simd
# Builds must not depend on who owns the checkout, as stamping the commit does, nor
# hold this machine's paths. For tests too: so each package is compiled only once.
export GOFLAGS := -buildvcs=false -trimpath

ADDR ?= 127.0.0.1:8080
# Flags for every `go test`: `make test GOTEST=-v`.
GOTEST ?=
STATICCHECK := bin/staticcheck-v0.8.2
WASM := GOOS=js GOARCH=wasm
# Drops symbols that a browser never reads.
SHIP := -ldflags='-s -w'
# Inlining would make a worker's program a twelfth larger; only the kernels need it.
SMALL := -gcflags=unrolled/...=-l -gcflags=unrolled/engine/internal/vec= -gcflags=runtime=-l

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

## ---- build: each file is made again only when something it is made from changed

GO_FILES := $(shell find engine wasm -type f ! -name '*_test.go' ! -path '*/testdata/*' ! -name README.md) go.mod go.sum Makefile
WEB_FILES := index.html $(shell find web -type f ! -path '*/node_modules/*' ! -path 'web/test/*' ! -path 'web/build/*' ! -path 'web/bench/*' ! -path 'web/img/*' ! -name '*.test.*')

.PHONY: serve
serve: build bin/serve ## build the site and serve it on this machine
	@exec bin/serve -addr $(ADDR)

.PHONY: build
build: bin/site.stamp ## build the whole site into dist/

bin/serve: serve.go go.mod Makefile
	go build -o $@ .

# The engine without a browser: the build takes the first view from it, and the
# browser tests compare the page with it.
bin/unrolled: $(GO_FILES)
	go build -o $@ ./engine/cmd/unrolled

# Joins data segments: a twelfth off every binary, after gzip.
bin/pack: $(wildcard wasm/pack/*.go) go.mod Makefile
	go build -o $@ ./wasm/pack

dist/engine.wasm dist/lab.wasm: dist/%.wasm: $(GO_FILES) bin/pack
	$(WASM) go build $(SHIP) $(SMALL) -o $@ ./wasm/$*
	bin/pack $@

# For a browser without vector instructions.
dist/engine-generic.wasm dist/lab-generic.wasm: dist/%-generic.wasm: $(GO_FILES) bin/pack
	GOEXPERIMENT= $(WASM) go build $(SHIP) $(SMALL) -o $@ ./wasm/$*
	bin/pack $@

dist/stage.wasm: $(GO_FILES) bin/pack
	$(WASM) go build $(SHIP) -o $@ ./wasm/stage
	bin/pack $@

# It must match the compiler, so it is taken from the compiler, never kept.
dist/wasm_exec.js: go.mod Makefile
	@mkdir -p $(@D)
	install -m 644 "$$(go env GOROOT)/lib/wasm/wasm_exec.js" $@

web/node_modules/.stamp: web/package.json web/package-lock.json
	cd web && npm ci --no-audit --no-fund --ignore-scripts
	@touch $@

# The licence of everything that is linked or bundled into the site.
dist/licenses.txt: go.mod go.sum bin/unrolled web/node_modules/.stamp Makefile
	@mkdir -p $(@D)
	@{ \
	  echo 'Unrolled is built from the works below. Each is used under the licence given, unchanged but for the data, of which it is said.'; \
	  bin/unrolled -sources; \
	  echo; printf '==== Go standard library and wasm_exec.js (%s)\n\n' "$$(go env GOVERSION)"; cat "$$(go env GOROOT)/LICENSE"; \
	  $(WASM) go list -deps -f '{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}} {{.Dir}}{{end}}{{end}}' ./wasm/engine ./wasm/lab ./wasm/stage | sort -u | \
	  while read -r path version dir; do \
	    printf '\n==== %s %s\n\n' "$$path" "$$version"; find "$$dir" -maxdepth 1 -type f \( -iname 'LICEN[CS]E*' -o -iname 'NOTICE*' -o -iname 'COPYING*' \) | sort | xargs cat; \
	  done; \
	  (cd web && npm ls --omit=dev --all --parseable | tail -n +2 | sort -u) | \
	  while read -r dir; do \
	    printf '\n==== %s\n\n' "$$(node -p 'const p = require(process.argv[1]); p.name + " " + p.version' "$$dir/package.json")"; cat "$$dir"/LICENSE*; \
	  done; \
	} > $@

bin/site.stamp: dist/engine.wasm dist/engine-generic.wasm dist/lab.wasm dist/lab-generic.wasm dist/stage.wasm dist/wasm_exec.js dist/licenses.txt bin/unrolled web/node_modules/.stamp $(WEB_FILES)
	UNROLLED=$(CURDIR)/bin/unrolled node web/build.mjs
	@find dist -name '*.gz' -delete
	@find dist -type f ! -name '*.png' ! -name '*.gif' -exec gzip -9 -n -k {} +
	@mkdir -p $(@D) && touch $@

.PHONY: size
size: build ## print gzip sizes beside their bounds; fails when one is over
	@node web/test/browser/size.mjs dist

.PHONY: figures
figures: ## draw the README's pictures again
	@mkdir -p web/img
	go run ./wasm/film -o web/img/state-light.png -time 40 -scale 2
	go run ./wasm/film -o web/img/state-dark.png -time 40 -scale 2 -theme dark

## ---- test

.PHONY: test
test: lint test-go test-wasm test-web test-browser ## every check: some nine minutes on two cores

.PHONY: lint
lint: $(STATICCHECK) ## gofmt, vet and staticcheck, natively and for the browser
	@unformatted=$$("$$(go env GOROOT)/bin/gofmt" -l serve.go serve_test.go engine wasm); \
	if [ -n "$$unformatted" ]; then echo "gofmt would change: $$unformatted"; exit 1; fi
	go vet ./...
	$(STATICCHECK) ./...
	$(WASM) go vet ./engine/... ./wasm/...
	$(WASM) $(STATICCHECK) ./engine/... ./wasm/...

# Installed as a program of this machine: `go run` under GOOS=js would build it for the browser.
$(STATICCHECK):
	GOBIN=$(CURDIR)/bin go install honnef.co/go/tools/cmd/staticcheck@v0.8.2
	@mv bin/staticcheck $@

.PHONY: test-go
test-go: ## Go tests on this machine
	go test $(GOTEST) ./...

# Ebitengine needs a browser, so packages that import it are tested there.
# `env -i`: Go's wasm runtime refuses an environment above 8 KB.
.PHONY: test-wasm
test-wasm: ## the same tests compiled for the browser, run under Node
	$(WASM) go test $(GOTEST) \
	  -exec "env -i PATH=$$PATH HOME=$$HOME $$(go env GOROOT)/lib/wasm/go_js_wasm_exec" \
	  $$($(WASM) go list -test -f '{{if .ForTest}}{{.ForTest}} {{join .Deps ","}}{{end}}' ./engine/... ./wasm/... | grep -v hajimehoshi/ebiten | cut -d ' ' -f 1 | sort -u)

.PHONY: test-web
test-web: web/node_modules/.stamp ## TypeScript check and unit tests of web/
	cd web && npm run --silent check
	cd web && node_modules/.bin/tsc -p test/browser
	cd web && npm run --silent test

.PHONY: test-browser
test-browser: build bin/serve bin/unrolled chromium ## the built site in headless Chromium
	cd web && node --test --test-concurrency=1 --test-reporter=spec test/browser/*.test.mjs

# CHROMIUM=/path/to/chrome chooses another.
.PHONY: chromium
chromium:
	@if [ -n "$${CHROMIUM:-}" ] || command -v chromium chromium-browser google-chrome >/dev/null; then exit 0; fi; \
	if command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ]; then \
	  apt-get update -qq && apt-get install -y -qq chromium >/dev/null; \
	else echo 'The browser tests need Chromium: install the package chromium, or set CHROMIUM=/path/to/chrome.'; exit 1; fi

## ---- longer, or only to look at

# FIREFOX=/path/to/firefox chooses another.
.PHONY: firefox
firefox: build bin/serve bin/unrolled ## the essentials of the built site in headless Firefox
	@if [ -n "$${FIREFOX:-}" ] || command -v firefox-esr firefox >/dev/null; then exit 0; fi; \
	if command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ]; then \
	  apt-get update -qq && apt-get install -y -qq firefox-esr >/dev/null; \
	else echo 'This check needs Firefox: install the package firefox-esr or firefox, or set FIREFOX=/path/to/firefox.'; exit 1; fi
	cd web && node --test --test-reporter=spec test/firefox/*.test.mjs

web/test/lighthouse/node_modules/.stamp: web/test/lighthouse/package.json web/test/lighthouse/package-lock.json
	cd web/test/lighthouse && npm ci --no-audit --no-fund --ignore-scripts --loglevel=error
	@touch $@

# A package of its own, fetched only here: it is larger than all other tools together.
LIGHTHOUSE_ROUNDS ?= 3
.PHONY: lighthouse
lighthouse: build bin/serve chromium web/test/lighthouse/node_modules/.stamp ## Lighthouse's mobile audit, the best of LIGHTHOUSE_ROUNDS (3); on an idle machine
	cd web && node test/lighthouse/lighthouse.mjs $(LIGHTHOUSE_ROUNDS)

.PHONY: shots
shots: build bin/serve chromium ## screenshots at 390, 768 and 1280 px, light and dark, into web/build/shots
	cd web && node test/browser/shots.mjs build/shots

.PHONY: latency
latency: build bin/serve chromium ## time from a slider's move to the new chart, in headless Chromium
	cd web && node test/browser/latency.mjs

BENCH := bin/bench
BENCH_ROUNDS ?= 8
# -cpu counts processor time, on a machine that others use too.
BENCH_FLAGS ?=
.PHONY: bench
bench: web/node_modules/.stamp chromium ## the engine's speed beside JavaScript's and NumPy's, as one table
	go build -o $(BENCH)/simd ./engine/cmd/bench
	GOEXPERIMENT= go build -o $(BENCH)/generic ./engine/cmd/bench
	$(WASM) go build $(SHIP) -o $(BENCH)/simd.wasm ./engine/cmd/bench
	GOEXPERIMENT= $(WASM) go build $(SHIP) -o $(BENCH)/generic.wasm ./engine/cmd/bench
	install -m 644 "$$(go env GOROOT)/lib/wasm/wasm_exec.js" $(BENCH)/wasm_exec.js
	cd web && node bench/run.mjs ../$(BENCH) $(BENCH_ROUNDS) $(BENCH_FLAGS)

FUZZTIME ?= 30s
.PHONY: fuzz
fuzz: ## every fuzz test for FUZZTIME (30s)
	@go list ./... | while read -r package; do \
	  go test -list '^Fuzz' "$$package" | { grep '^Fuzz' || true; } | while read -r name; do \
	    echo "$$package $$name"; go test -run '^$$' -fuzz "^$$name\$$" -fuzztime $(FUZZTIME) "$$package"; done; done

SOAK ?= 5
.PHONY: soak
soak: build bin/serve bin/unrolled chromium ## turn every knob at random for SOAK minutes (5) and look for errors and growth
	cd web && node test/browser/soak.mjs $(SOAK)

.PHONY: audit
audit: web/node_modules/.stamp ## what npm knows about the build tools; a report, never a failure
	cd web && npm audit || echo 'npm audit found something above, or could not ask.'

.PHONY: clean
clean: ## remove everything built or fetched into the checkout
	rm -rf dist bin web/build web/node_modules web/test/lighthouse/node_modules
