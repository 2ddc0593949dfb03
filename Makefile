# Every target makes the environment first, from the lock. Python 3.11 and make are all it needs.
# MEMORY_PIPELINE_HOME, where set, is the home that demo and up work in.
.DEFAULT_GOAL := help
SHELL := /bin/bash
PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin
READY := .venv/ready

$(READY): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info[:2] not in ((3, 11), (3, 12)))' \
		|| { echo "Python 3.11 or 3.12 is needed; name it: make PYTHON=/path/to/python3.11"; exit 1; }
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements.lock
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps -e .
	@touch $(READY)

.PHONY: setup
setup: $(READY) ## Make .venv from the lock

.PHONY: demo
demo: $(READY) ## Run the main job on the sample logs through Dagster, and show what it gives
	@$(BIN)/memory-pipeline demo

.PHONY: up
up: $(READY) ## Start the services, the lineage UI and the daemon; ends with Ctrl-C
	@$(BIN)/memory-pipeline ui

.PHONY: down
down: $(READY) ## Stop the services of the home
	@$(BIN)/memory-pipeline down

.PHONY: test
test: $(READY) ## Run the tests (under 10 minutes on 2 cores)
	$(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder -m "not verify and not neo4j"

.PHONY: verify
verify: $(READY) ## Run the long suites: kills, order, rebuild (at most 25 minutes more)
	$(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder -m "verify"

.PHONY: test-neo4j
test-neo4j: $(READY) ## Run the graph's tests against a real Neo4j (its Maven artifacts, or MEMORY_NEO4J_URI)
	@deploy/neo4j/start.sh

.PHONY: lint
lint: $(READY) ## Check style and format
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

.PHONY: types
types: $(READY) ## Check types
	$(BIN)/mypy

.PHONY: dbt-parse
dbt-parse: $(READY) ## Parse the dbt project without a database
	cd dbt_project && DBT_TARGET_PATH=$$(mktemp -d) DO_NOT_TRACK=1 ../$(BIN)/dbt --log-level-file none --quiet parse --profiles-dir .

.PHONY: bench
bench: $(READY) ## Measure ingestion against the bare embedder
	$(BIN)/python -m benchmarks.ingestion

.PHONY: lock
lock: ## Write requirements.lock anew from pyproject.toml, in a fresh environment
	rm -rf .venv-lock && $(PYTHON) -m venv .venv-lock
	.venv-lock/bin/pip install --quiet --disable-pip-version-check '.[dev]'
	.venv-lock/bin/pip freeze --exclude memory-pipeline --exclude-editable > requirements.lock
	rm -rf .venv-lock

.PHONY: help
help: ## Show this
	@grep -hE '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14
