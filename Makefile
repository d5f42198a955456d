# Two commands do everything on a fresh machine: `make demo` and `make test`.
PYTHON ?= python3
APT_REPORT = libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0 fonts-liberation fonts-noto-core
APT_TEST = $(APT_REPORT) chromium poppler-utils
BIN = .venv/bin

.DEFAULT_GOAL := help
.PHONY: help demo test test-model bench lint lock clean system-report system-test

help:
	@echo "make demo    write the example's report and say where it is"
	@echo "make test    run every check and every test, browser ones too"
	@echo "make test-model  let a small real model propose causes; builds its server first"
	@echo "make bench   print measurements"
	@echo "make lock    resolve the dependencies anew"

demo: .venv/ready system-report
	@$(BIN)/swarm-reporter report examples/lending-desk/wave -o out/lending-desk

test: .venv/ready system-test lint
	$(BIN)/python -m pytest -n 2 --dist loadgroup

# A model of 250 MB and its server, which is built here for minutes: outside `make test`.
test-model: .venv/ready .venv-model/ready system-report
	PYTHONPATH=tests $(BIN)/python -m real_model .venv-model/bin/python

lint: .venv/ready
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	cd examples/lending-desk && ../../$(BIN)/mypy --config-file ../../pyproject.toml *.py plays

bench: .venv/ready system-report
	PYTHONPATH=tests $(BIN)/python -m bench

lock: .venv/ready
	$(BIN)/pip install --quiet uv
	$(BIN)/uv pip compile pyproject.toml --extra model --group test --universal --generate-hashes \
		--no-annotate --no-header --quiet --upgrade --output-file requirements.lock

clean:
	rm -rf .venv .venv-model out dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis

.venv/ready: requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Python 3.11 or newer is needed; say which: make PYTHON=python3.12 ..."; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || $(call apt,python3-venv)
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

.venv-model/ready: tests/real_model/requirements.txt
	@command -v c++ >/dev/null || $(call apt,g++)
	$(PYTHON) -m venv .venv-model
	.venv-model/bin/pip install --quiet --disable-pip-version-check -r $<
	@touch $@

# Installs Debian packages that are missing; asks for nothing where all are there.
define apt
{ missing=$$(for name in $(1); do dpkg-query --show --showformat='$${Status}\n' $$name 2>/dev/null \
	| grep -q '^install ok installed' || echo $$name; done); \
  if [ -n "$$missing" ]; then \
    if [ "$$(id -u)" = 0 ]; then sudo=; else sudo=sudo; fi; \
    echo "Installing Debian packages:" $$missing; \
    $$sudo apt-get update --quiet --quiet && \
    DEBIAN_FRONTEND=noninteractive $$sudo apt-get install --yes --quiet --quiet \
      --no-install-recommends $$missing >/dev/null; \
  fi; }
endef

system-report:
	@$(call apt,$(APT_REPORT))

system-test:
	@$(call apt,$(APT_TEST))
