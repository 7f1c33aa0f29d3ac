# `make demo` and `make test` do everything that is needed, on a fresh machine too.

SWIFT ?= swift
SWIFTFLAGS ?=
DEMOFLAGS ?= --output .build/demo.sqlite
SWIFT_SOURCES := $(wildcard Package.swift Sources Stores Tests Benchmarks)

.PHONY: help setup demo test test-packaging format format-check clean

help:
	@echo "make demo            set up, build, and run the demo over this machine's package list"
	@echo "                     (DEMOFLAGS='--store memory FILE' is handed to it)"
	@echo "make test            set up, build, and run the tests"
	@echo "make test-packaging  build small packages that depend on Coffer by path, branch and revision"
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

format: setup
	$(SWIFT) format format --in-place --parallel --recursive $(SWIFT_SOURCES)

format-check: setup
	$(SWIFT) format lint --strict --parallel --recursive $(SWIFT_SOURCES)

clean:
	rm -rf .build
