# Every target sets up .venv by itself; nothing outside the checkout is touched.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready
COST_LIBRARY := $(VENV)/costs
TESTS ?= tests
PYTEST = $(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder
COSTS = $(BIN)/python benchmarks/speed/costs.py $(COST_LIBRARY)/transformers --changed models/speecht5/modeling_speecht5.py \
	--rounds 1 --most-screens 25 --most-mb 170 --most-growth 2
PYTHONS = python3.10 python3.11 python3.12 python3.13

# Tests start hundreds of processes: each would compile the package again where the environment keeps no bytecode.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: help setup demo quick test nightly lint docs bless prove torch smoke clean

help:            ## list the targets
	@sed -n 's/^\([a-z-]*\): .*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 14

setup: $(READY)  ## make .venv

# torch comes first and alone, so that the rest cannot pull in another build of it.
$(READY): pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet -c constraints.txt torch==2.13.0
	$(BIN)/python -m pip install --quiet -c constraints.txt -e '.[dev,verify]'
	touch $@

# check only reads, so the library comes without its dependencies.
$(COST_LIBRARY)/ready: constraints.txt | $(READY)
	$(BIN)/python -m pip install --quiet --no-deps --upgrade --target $(COST_LIBRARY) -c constraints.txt transformers
	touch $@

demo: $(READY)  ## check, observe, fix and verify a small model
	@PATH="$(abspath $(BIN)):$$PATH" bash scripts/demo.sh

quick: $(READY)  ## run the tests that start no torch and take less than four seconds, and five runs of verify
	$(PYTEST) -m 'not nightly and not torch and not slow'
	$(PYTEST) tests/verify/test_whole_runs.py -k 'fixture_shows or clean_model or factory or git_revision or relative_imports'

test: $(READY)  ## run every test that CI requires (TESTS=tests/commands/test_cli.py for some)
	$(PYTEST) -m 'not nightly' $(TESTS)

nightly: $(READY) $(COST_LIBRARY)/ready  ## what takes long: further tests, proofs on Dynamo, costs, wheels, vulnerabilities
	$(PYTEST) -m nightly $(TESTS)
	LATTICE_CASES=5000 $(BIN)/python -m pytest tests/interp/test_lattice.py
	$(BIN)/python scripts/prove.py
	$(BIN)/python scripts/prove_cases.py
	$(COSTS)
	bash scripts/smoke.sh $(BIN)/python $(PYTHONS)
	bash scripts/audit.sh $(BIN)/python

lint: $(READY)  ## ruff, mypy, and whether the generated pages are fresh
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python scripts/docs.py --check

docs: $(READY)  ## write the generated pages, and the documentation as a site into site/
	$(BIN)/python scripts/docs.py
	$(BIN)/mkdocs build --strict --quiet

bless: $(READY)  ## write the current output of the tool as the expected output
	$(BIN)/python scripts/bless.py

prove: $(READY)  ## run every card's examples on Dynamo
	$(BIN)/python scripts/prove.py

torch: $(READY)  ## a new torch: environment, facts, proofs, a page of differences (make torch VERSION=2.16.0)
	$(BIN)/python scripts/new_torch.py $(VERSION)

smoke: $(READY)  ## build the wheel and try it in an empty environment
	bash scripts/smoke.sh $(BIN)/python $(notdir $(PYTHON))

clean:           ## remove .venv and the caches of tools
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis
