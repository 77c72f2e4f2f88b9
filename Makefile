# The course's commands; `make` alone lists them. Each sets up what it needs first.
# PYTHON=python3.12 picks the Python; TORCH_INDEX picks where PyTorch comes from: by default, on
# Linux, https://download.pytorch.org/whl/cpu (without CUDA; why, in tools/install.py).

.DEFAULT_GOAL := help
PYTHON ?= python3
export PATH := $(CURDIR)/.venv/bin:$(PATH)
# This environment's kernel and extensions come before a user's own of the same name.
export JUPYTER_PREFER_ENV_PATH := 1

define FIND_PYTHON
command -v "$(PYTHON)" >/dev/null || { \
    echo "There is no $(PYTHON) here: install Python 3.11 or newer from python.org, or name one you have, as in: make lab PYTHON=/path/to/python" >&2; \
    exit 1; }
endef

.PHONY: help install lab check handin doctor clean

help: ## list these commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s%s\n", $$1, $$2 }' $(MAKEFILE_LIST)

install: ## set up .venv (the other commands do so by themselves)
	@$(FIND_PYTHON)
	@"$(PYTHON)" tools/install.py

lab: install ## read and run the lessons in JupyterLab; ARGS="--no-browser --port 8899" is handed on
	@.venv/bin/python -m helpers.lab $(ARGS)

check: install ## say which parts of the exercises are done, and why others are not; ARGS=scaling picks some
	@.venv/bin/python -m helpers.check $(ARGS) || true # a part that is open is no error of make's

# NAME from the command line alone: some systems have a variable of that name. It is handed on as it
# was typed: neither make nor the shell is to read a command in it.
unexport NAME
handin: export STUDENT := $(if $(filter command,$(origin NAME)),$(value NAME))
handin: install ## check the exercises and pack what is answered; NAME=ada says who you are
	@.venv/bin/python -m helpers.handin -- "$$STUDENT" $(ARGS)

doctor: ## look at the set-up, also where it is broken, and say what to do
	@if test -x .venv/bin/python; then .venv/bin/python -m helpers.doctor; else \
	    $(FIND_PYTHON); "$(PYTHON)" -m helpers.doctor; fi

clean: ## remove the set-up and what tests leave behind; class/ stays
	rm -rf .venv .lock build dist install.log .pytest_cache .hypothesis ./*.egg-info
	find $(wildcard benchmarks book helpers notebooks solutions tests tools) -name __pycache__ -o -name .ipynb_checkpoints | while read -r folder; do rm -rf "$$folder"; done

# The maintainer's and the instructor's commands; the students' copy goes without.
-include instructor.mk
