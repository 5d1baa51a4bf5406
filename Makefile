# Two commands for a newcomer: `make demo` and `make test`. Both make their own environment in .venv.

# The newest Python that will do; a version manager's shim is followed to the real interpreter by the venv itself.
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	command -v $$p >/dev/null 2>&1 && $$p -c 'import sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo $$p; break; }; done)
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

.PHONY: help demo test check unit bench docs clean

help:  ## what there is to make
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 10

demo: .venv/installed  ## install into .venv and play an agent's session through the real hook
	@$(BIN)/holdfast demo

test: .venv/tested check unit  ## install what the tests need and run everything

check: .venv/tested  ## style, types, generated pages
	$(BIN)/ruff check src tests bench
	$(BIN)/mypy
	$(BIN)/python -m holdfast dev generate --check

unit: .venv/tested  ## the tests, the real client among them
	$(BIN)/python -m pytest -n 2

bench: .venv/installed  ## the hook's latency, as ratios to a bare interpreter
	@$(BIN)/python bench/hook_latency.py

docs: .venv/installed  ## write the generated pages anew
	$(BIN)/python -m holdfast dev generate

.venv/made:
	@test -n "$(PYTHON)" || { echo "make: Holdfast needs Python 3.11 or newer with the venv module; install it, or run: make PYTHON=/path/to/python3"; exit 1; }
	@$(PYTHON) -m venv .venv || { echo "make: $(PYTHON) could not make a virtual environment; on Debian: apt-get install python3-venv"; exit 1; }
	@touch $@

.venv/installed: .venv/made pyproject.toml
	@echo "installing Holdfast into .venv"
	@$(PIP) install -e .
	@$(BIN)/python -c 'from holdfast.app.interpreter import note_parser; from holdfast.boot import build; note_parser(); build()'
	@touch $@

.venv/tested: .venv/installed
	@echo "installing what the tests need"
	@$(PIP) install -e '.[test]'
	@touch $@

clean:  ## remove what make made
	rm -rf .venv .cache .mypy_cache .ruff_cache .pytest_cache .hypothesis
