# Every target sets up .venv by itself; nothing outside the checkout is touched.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready
DEMO_LIBRARY := $(VENV)/demo
COST_LIBRARY := $(VENV)/costs
TESTS ?= tests
PYTEST = $(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder
MEASURED = rm -rf .coverage_data && $(BIN)/python -m coverage run -m pytest -n 2 --dist loadfile --no-loadscope-reorder -m 'not unmeasured and not nightly'
COSTS = $(BIN)/python benchmarks/speed/costs.py $(COST_LIBRARY)/transformers --changed models/speecht5/modeling_speecht5.py \
	--rounds 1 --most-screens 25 --most-mb 170 --most-growth 2

# Tests start hundreds of processes: each would compile the package again where the environment keeps no bytecode.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: help demo test nightly costs lint types docs docs-check site bless prove torch smoke coverage mutation-score audit setup clean

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
$(DEMO_LIBRARY)/ready: constraints.txt | $(READY)
	$(BIN)/python -m pip install --quiet --no-deps --upgrade --target $(DEMO_LIBRARY) -c constraints.txt timm
	touch $@

$(COST_LIBRARY)/ready: constraints.txt | $(READY)
	$(BIN)/python -m pip install --quiet --no-deps --upgrade --target $(COST_LIBRARY) -c constraints.txt transformers
	touch $@

demo: $(READY) $(DEMO_LIBRARY)/ready  ## check, fix and verify real models
	@PATH="$(abspath $(BIN)):$$PATH" bash scripts/demo.sh $(DEMO_LIBRARY)/timm

ifndef FLOORS
test: $(READY)  ## run the tests (TESTS=tests/commands/test_cli.py for some; FLOORS=1 measures coverage and holds its floors)
	$(PYTEST) -m 'not nightly' $(TESTS)
else
# Arms of verify take their time, measured or not: without them the tests say enough of everything else.
test: $(READY)
	$(MEASURED) --ignore=tests/verify
	$(BIN)/python scripts/coverage_shares.py --without verify
	$(PYTEST) -m 'not nightly' tests/verify
	$(BIN)/python -m pytest -m 'unmeasured and not nightly' --ignore=tests/verify
endif

nightly: $(READY) $(COST_LIBRARY)/ready  ## run the tests that take long, and prove every card on Dynamo
	$(PYTEST) -m nightly $(TESTS)
	LATTICE_CASES=5000 $(BIN)/python -m pytest tests/interp/test_lattice.py
	$(BIN)/python scripts/prove.py
	$(COSTS)

costs: $(READY) $(COST_LIBRARY)/ready  ## what a whole package costs, with floors: times the screen, megabytes, growth
	$(COSTS)

lint: $(READY)  ## ruff
	$(BIN)/ruff check .

types: $(READY)  ## mypy, strict
	$(BIN)/mypy

docs: $(READY)  ## write the generated pages
	$(BIN)/python scripts/docs.py

docs-check: $(READY)  ## fail when the generated pages are not fresh
	$(BIN)/python scripts/docs.py --check

site: $(READY)  ## build the documentation as a site into site/
	$(BIN)/mkdocs build --strict --quiet

bless: $(READY)  ## write what the tool says now as the expected outputs
	$(BIN)/python scripts/bless.py

prove: $(READY)  ## run every card's examples on Dynamo
	$(BIN)/python scripts/prove.py

torch: $(READY)  ## a new torch: environment, facts, proofs, a page of differences (make torch VERSION=2.16.0)
	$(BIN)/python scripts/new_torch.py $(VERSION)

smoke: $(READY)  ## build the wheel and try it in empty environments of Python 3.10 to 3.13
	bash scripts/smoke.sh $(BIN)/python python3.10 python3.11 python3.12 python3.13

coverage: $(READY)  ## run the tests and tell which branches they take
	$(MEASURED) $(TESTS)
	$(BIN)/python scripts/coverage_shares.py --out benchmarks/results/coverage.json
	$(BIN)/python -m coverage report --skip-covered --sort=cover

mutation-score: $(READY)  ## how many small faults in checks and fixes the tests notice (sampled)
	$(BIN)/python benchmarks/robustness/mutation_score.py --each 2

audit: $(READY)  ## look the dependencies up in the database of known vulnerabilities (needs a network)
	bash scripts/audit.sh $(BIN)/python

clean:           ## remove .venv and what tools cached
	rm -rf $(VENV) .coverage_data .mypy_cache .pytest_cache .ruff_cache .hypothesis
