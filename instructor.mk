# Commands for who teaches or maintains the course; included by Makefile.

.PHONY: test test-graders repro notebooks mistakes sample-class book release grade formgrader course bench lock

test: install ## run every test; ARGS="tests/test_setup.py -k lock" picks some
	@.venv/bin/python -m pytest $(ARGS)

test-graders: install ## grade the graders: right answers under 200 seeds, assertions weakened; ARGS="masks" picks some
	@.venv/bin/python tests/support/graders.py $(ARGS)

repro: install ## run every notebook under other processor instructions, threads, languages: all must come out the same
	@.venv/bin/python tests/support/repro.py $(ARGS)

notebooks: install ## run lessons and solutions from the start and record them; ARGS=notebooks/01_qkv.ipynb picks some
	@.venv/bin/python tools/record.py $(ARGS)

mistakes: install ## record what known mistakes give, for the tests to name them; ARGS=scaling picks some
	@.venv/bin/python tests/support/record_mistakes.py $(ARGS)

sample-class: install ## put the sample class's answers into the exercises as they are now
	@.venv/bin/python tests/support/renew_submissions.py

book: install ## make a site of the lessons to read, build/book, from their recorded outputs
	@.venv/bin/python -m book $(ARGS)

release: install ## write the students' exercises from solutions/
	@.venv/bin/python -m helpers.grading release $(ARGS)

grade: install ## grade hand-ins: SUBMISSIONS=folder-or-zip (the sample class), ROSTER=file.csv
	@.venv/bin/python -m helpers.grading grade $(if $(SUBMISSIONS),--submissions "$(SUBMISSIONS)") $(if $(ROSTER),--roster "$(ROSTER)") $(ARGS)

formgrader: install ## open nbgrader's pages on the graded class, in JupyterLab
	@.venv/bin/python -m helpers.lab --formgrader $(ARGS)

course: install ## pack what students get into dist/
	@.venv/bin/python -m helpers.grading course $(ARGS)

bench: install ## measure speed and memory against peers; ARGS="multi_head tiles" picks some
	@.venv/bin/python -m benchmarks $(ARGS)

# In a folder of its own, because .venv cannot be set up while pyproject.toml and the lock disagree.
# What is locked and still fits stays; --upgrade looks for newer releases of all that is not fixed.
# The exception docopt is that of tools/install.py.
lock: ## bring constraints.txt up to date with pyproject.toml; ARGS=--upgrade renews all it may
	@test -x .lock/bin/uv || { "$(PYTHON)" -m venv .lock && \
	    .lock/bin/python -m pip install --quiet --disable-pip-version-check -c constraints.txt uv; }
	@.lock/bin/uv pip compile pyproject.toml --all-extras --output-file constraints.txt --quiet \
	    --universal --python-version 3.11 --no-python-downloads --only-binary :all: --no-binary docopt \
	    --fork-strategy fewest --annotation-style line --custom-compile-command "make lock" $(ARGS) >/dev/null
