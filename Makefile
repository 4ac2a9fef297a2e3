# `make demo` prints an example scene, `make test` runs the tests. Both need only Python 3.11 and make.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin

# Without bytecode of the tests each worker of each run would compile all of them.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test test-all sync lowest lint bench scenebench continuity conformance hosts vsix test-vscode changelog clean

demo: $(VENV)/installed
	$(BIN)/cuedeck -C examples/login scene --print
	@$(BIN)/cuedeck -C examples/login scene

# Leaves out the tests marked `slow`: crashes, abuse, benchmarks, a browser, the longest others.
test: $(VENV)/tested
	PYTHONHASHSEED=1 $(BIN)/python -m pytest -m "not slow"

# All tests, as CI runs them. The second run covers byte-stable output under another hash seed;
# tests/transcripts/test_determinism.py runs commands with other seeds.
test-all: $(VENV)/tested
	PYTHONHASHSEED=1 $(BIN)/python -m pytest
	PYTHONHASHSEED=2 $(BIN)/python -m pytest tests/golden

# Installs the versions of uv.lock; needs uv.
sync:
	UV_PROJECT_ENVIRONMENT=$(VENV) uv sync --quiet --frozen --extra test
	@touch $(VENV)/installed $(VENV)/tested

# Runs the tests with the oldest dependencies that pyproject.toml allows.
lowest:
	$(PYTHON) -m venv $(VENV)/lowest
	$(VENV)/lowest/bin/python -m pip install --quiet --disable-pip-version-check -e '.[test]'
	sed -n '/^dependencies/,/^test/s/^ *"\(.*\)>=\(.*\)",/\1==\2/p' pyproject.toml > $(VENV)/lowest/versions
	$(VENV)/lowest/bin/python -m pip install --quiet --disable-pip-version-check -r $(VENV)/lowest/versions
	$(VENV)/lowest/bin/python -m pytest

lint: $(VENV)/tested
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(VENV)/tested
	$(BIN)/python -m benchmarks

scenebench: $(VENV)/tested
	$(BIN)/python -m benchmarks.scenes $(ARGS)

# Feeds real conversations of a folder of yours through the hooks: `make continuity ARGS=FOLDER`.
continuity: $(VENV)/tested
	$(BIN)/python -m benchmarks.continuity $(ARGS)

conformance: $(VENV)/tested
	$(BIN)/python -m conformance

# Runs the agent hosts that are installed (HOSTS_BIN, else PATH) against a mock model; prints what each receives.
hosts: $(VENV)/tested
	$(BIN)/python -m conformance.hosts $(ARGS)

# Packs the extension for Visual Studio Code; needs Node.js.
vsix:
	cd editors/vscode && npm ci --silent && npm run --silent package

# Tries the packed extension in code-server, which CODE_SERVER names, with Debian's Chromium.
test-vscode: $(VENV)/tested vsix
	$(BIN)/python -m pytest -n 0 editors/vscode/test_vscode.py

# Prints the fragments of changelog.d as the text of a release.
changelog:
	@for kind in Added Changed Removed Fixed Security; do \
	    files=$$(ls changelog.d/*.$$(echo $$kind | tr A-Z a-z).md 2>/dev/null) || continue; \
	    printf '### %s\n\n' $$kind; \
	    sed 's/^/- /' $$files; \
	    echo; \
	done

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache dist

$(VENV)/installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $@

$(VENV)/tested: $(VENV)/installed pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[test]'
	@touch $@
