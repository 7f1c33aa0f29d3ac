# `make demo` and `make test` do everything that is needed, on a fresh machine too.

SWIFT ?= swift
SWIFTFLAGS ?=
DEMOFLAGS ?= --output .build/demo.sqlite
SWIFT_SOURCES := $(wildcard Package.swift Sources Stores Tests Benchmarks Docs/Examples Docs/Site)

.PHONY: help setup demo test test-packaging docs docs-coverage fuzz fuzz-bytes sanitize crash form-table mutants ledgers \
	bench bench-quick bench-peers bench-limits \
	format format-check clean

help:
	@echo "make demo            set up, build, and run the demo over this machine's package list"
	@echo "                     (DEMOFLAGS='--store memory FILE' is handed to it)"
	@echo "make test            set up, build, and run the tests"
	@echo "make test-packaging  build small packages that depend on Coffer by path, branch and revision"
	@echo "make docs            build the site of all public symbols and the guides, into .build/docs; warnings are errors"
	@echo "                     (HOSTING_BASE_PATH=/coffer where it will not be served from the root)"
	@echo "make docs-coverage   say which public symbols have no comment, or do not say what they throw"
	@echo "make fuzz            run a random program of 100000 graph operations beside a model of the graph in plain Swift"
	@echo "                     (FUZZFLAGS='--seed 7 --operations 5000 --store sqlite'; --help lists the options), and"
	@echo "                     random predicates and orders beside plain Swift in 1000000 comparisons"
	@echo "                     (PREDICATEFLAGS='--seed 7 --comparisons 50000 --store sqlite'); then libFuzzer over all that"
	@echo "                     reads files and tokens, FUZZSECONDS=600 for each of eleven targets"
	@echo "make fuzz-bytes      the last of these alone (FUZZTARGETS='lmdb journals')"
	@echo "make sanitize        the tests of threads, actors and stores under the thread sanitizer, and those of stores and"
	@echo "                     damaged files under the address sanitizer"
	@echo "                     (SANITIZERS=thread; needs no build of make test, and takes as long as one)"
	@echo "make crash           kill processes at every call of the system, have the power go and calls fail, on every store"
	@echo "                     (CRASHFLAGS='kills --store lmdb --seed 7'; --help lists the options; it takes an hour)"
	@echo "make form-table      write the table of predicate forms into Docs/Queries.md"
	@echo "make mutants         seed faults into a store, one at a time, and see the conformance kit find each"
	@echo "make ledgers         run the conformance kit and write what it shows into the READMEs of the stores"
	@echo "make bench           build and measure the stores beside their engines (BENCHFLAGS='--store sqlite')"
	@echo "make bench-quick     the same with less data, in under three minutes"
	@echo "make bench-peers     bench-quick beside SQLAlchemy and peewee, in a virtual environment that is made for them"
	@echo "make bench-limits    count statements, requests and allocations, and hold them to Benchmarks/limits.json"
	@echo "make format          rewrite the sources with the toolchain's own swift format"
	@echo "make format-check    say where the sources are not formatted"

setup:
	@Scripts/set-up

demo: setup
	$(SWIFT) build $(SWIFTFLAGS) --product coffer
	@rm -f .build/demo.sqlite*
	@"$$($(SWIFT) build $(SWIFTFLAGS) --show-bin-path)/coffer" demo $(DEMOFLAGS)

test: setup
	$(SWIFT) test $(SWIFTFLAGS)

test-packaging: setup
	Tests/Packaging/check

docs: setup
	@SWIFT="$(SWIFT)" SWIFTFLAGS="$(SWIFTFLAGS)" Docs/Site/build

docs-coverage: setup
	@SWIFT="$(SWIFT)" SWIFTFLAGS="$(SWIFTFLAGS)" Docs/Site/build --coverage

fuzz: setup
	$(SWIFT) build $(SWIFTFLAGS) --product coffer-fuzz
	@"$$($(SWIFT) build $(SWIFTFLAGS) --show-bin-path)/coffer-fuzz" $(FUZZFLAGS)
	@"$$($(SWIFT) build $(SWIFTFLAGS) --show-bin-path)/coffer-fuzz" predicates $(PREDICATEFLAGS)
	@SWIFT="$(SWIFT)" Scripts/fuzz-bytes $(FUZZSECONDS) $(FUZZTARGETS)

FUZZSECONDS ?= 600
FUZZTARGETS ?=
fuzz-bytes: setup
	@SWIFT="$(SWIFT)" Scripts/fuzz-bytes $(FUZZSECONDS) $(FUZZTARGETS)

SANITIZERS ?= thread address
sanitize: setup
	@SWIFT="$(SWIFT)" SWIFTFLAGS="$(SWIFTFLAGS)" Scripts/sanitize $(SANITIZERS)

crash: setup
	$(SWIFT) build $(SWIFTFLAGS) --product coffer-crash
	@"$$($(SWIFT) build $(SWIFTFLAGS) --show-bin-path)/coffer-crash" $(CRASHFLAGS)

form-table: setup
	COFFER_WRITE_TABLE=1 $(SWIFT) test $(SWIFTFLAGS) --filter FormTableTests

mutants: setup
	$(SWIFT) build $(SWIFTFLAGS) --product coffer-mutants
	@"$$($(SWIFT) build $(SWIFTFLAGS) --show-bin-path)/coffer-mutants" $(MUTANTS)

# The same tests without the variable check that the READMEs and the guide are current.
ledgers: setup
	COFFER_LEDGERS=write $(SWIFT) test $(SWIFTFLAGS) \
		--filter '^(CofferConformanceTests|LogStoreTests|ArchiveStoreTests|DropInTests.ParityTests|CofferCommandTests.CommandLineGuideTests|GuideTests.ErrorListTests)'

# SwiftPM looks for new files of a package that is depended on by path only when the manifest is newer.
bench: setup
	@touch Benchmarks/Package.swift
	$(SWIFT) build -c release --package-path Benchmarks --product coffer-bench
	@"$$($(SWIFT) build -c release --package-path Benchmarks --show-bin-path)/coffer-bench" \
		--html Benchmarks/.build/bench.html --json Benchmarks/.build/bench.json $(BENCHFLAGS)

bench-quick: BENCHFLAGS += --quick
bench-quick: bench

# Without Python or a network the rest is measured, and the reason said.
bench-peers: BENCHFLAGS += --quick --peers Benchmarks/.build/peers
bench-peers: bench

# After `rm Benchmarks/limits.json` the counts become the limits with LIMITSFLAG=--write-limits, once for each build; run
# it a few times, for some workloads have two counts.
LIMITSFLAG ?= --limits
bench-limits: setup
	@touch Benchmarks/Package.swift
	$(SWIFT) build -c release --package-path Benchmarks --product coffer-bench
	@"$$($(SWIFT) build -c release --package-path Benchmarks --show-bin-path)/coffer-bench" \
		--counts --no-baseline --rows 2000 $(LIMITSFLAG) Benchmarks/limits.json
	$(SWIFT) build --product coffer-bench
	@"$$($(SWIFT) build --show-bin-path)/coffer-bench" \
		--counts --no-baseline --rows 2000 $(LIMITSFLAG) Benchmarks/limits.json

format: setup
	$(SWIFT) format format --in-place --parallel --recursive $(SWIFT_SOURCES)

format-check: setup
	$(SWIFT) format lint --strict --parallel --recursive $(SWIFT_SOURCES)

clean:
	rm -rf .build
