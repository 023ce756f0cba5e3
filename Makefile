# make demo   set everything up and run the main job on the shipped sample
# make test   set up what the tests need and run them all
# make check  the tests that need no browser
# make test-all   the tests, and again on the oldest supported pandas, with the engines and with provider SDKs

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check -q
NPM := npm --prefix js --no-fund --no-audit
PYTEST := $(BIN)/python -m pytest -q

.PHONY: demo test check lint js browser test-all bundle clean

demo: $(VENV)/.demo
	$(BIN)/python scripts/demo.py

test: check browser

check: lint js $(VENV)/.test
	$(PYTEST) -n 2 --dist worksteal -m "not browser and not engines and not sdk"

browser: $(VENV)/.browser
	@scripts/need-chromium
	$(PYTEST) tests/browser

lint: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# The tests type-check, lint, test and rebuild the front end; the bundle must come out as it is committed.
js: js/node_modules/.package-lock.json

bundle: js/node_modules/.package-lock.json
	$(NPM) run build

test-all: test
	$(PYTHON) -m venv .venv-oldest
	.venv-oldest/bin/python -m pip -q install --upgrade "pip>=25.1"
	.venv-oldest/bin/python -m pip -q install --group test --editable . "pandas==2.2.3"
	.venv-oldest/bin/python -m pytest -q -n 2 --dist worksteal -m "not browser and not engines and not sdk"
	$(PIP) install --group engines --group sdk
	$(PYTEST) -m "engines or sdk"

$(VENV)/.made:
	@command -v $(PYTHON) >/dev/null || { echo "missing: $(PYTHON) (Python 3.11 or newer)"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(PIP) install --upgrade "pip>=25.1"
	@touch $@

$(VENV)/.demo: $(VENV)/.made pyproject.toml
	$(PIP) install --group demo --editable .
	@touch $@

$(VENV)/.test: $(VENV)/.made pyproject.toml
	$(PIP) install --group test --editable .
	@touch $@

$(VENV)/.browser: $(VENV)/.made pyproject.toml
	$(PIP) install --group test --group browser --editable .
	@touch $@

js/node_modules/.package-lock.json: js/package-lock.json
	@command -v npm >/dev/null || { echo "missing: npm (Node.js 20 or newer); Debian: apt-get install nodejs npm"; exit 1; }
	$(NPM) ci

clean:
	rm -rf $(VENV) .venv-oldest js/node_modules demo dist build
