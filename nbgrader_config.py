"""Where nbgrader's rooms are, and its settings; each line says why.

Read by `nbgrader …` in this folder, by the formgrader, and by `python -m helpers.grading`,
so that a hand-in is graded alike whichever way it comes.
"""

from pathlib import Path

from helpers.exercises.execution import channels

c = get_config()  # noqa: F821 (given by the reader of this file)

# -- Rooms -----------------------------------------------------------------------------------
course = Path(__file__).resolve().parent
c.CourseDirectory.course_id = "transformers-from-scratch"  # names the course in a JupyterHub exchange
c.CourseDirectory.root = str(course)
c.CourseDirectory.source_directory = "solutions"
c.CourseDirectory.release_directory = "notebooks/exercises"
c.CourseDirectory.submitted_directory = "class/submitted"
c.CourseDirectory.autograded_directory = "class/autograded"
c.CourseDirectory.feedback_directory = "class/feedback"
c.CourseDirectory.db_url = f"sqlite:///{course / 'class' / 'gradebook.db'}"
(course / "class").mkdir(exist_ok=True)  # nbgrader makes its gradebook, but not the folder for it

# -- Taking a hand-in apart ------------------------------------------------------------------
# nbgrader's own list, with whatever the hand-in did to the exercise's cells undone first: it stops
# at a copied cell, and waits for a manual grade for ever where a test is missing.
c.Autograde.sanitize_preprocessors = [
    "nbgrader.preprocessors.ClearOutput",
    "helpers.grading.preprocessors.RestoreCells",
    "nbgrader.preprocessors.OverwriteKernelspec",  # any kernel name becomes the exercise's own
    "nbgrader.preprocessors.OverwriteCells",
    "nbgrader.preprocessors.CheckCellMetadata",
]

# -- Running it ------------------------------------------------------------------------------
# nbgrader's own list, with kernels that start fast and are replaced when a cell ends one, and with
# any value of a test cell made into points that nbgrader understands.
c.Autograde.autograde_preprocessors = [
    "helpers.grading.kernels.RunForked",
    "nbgrader.preprocessors.IgnorePattern",
    "nbconvert.preprocessors.ClearMetadataPreprocessor",
    "nbgrader.preprocessors.LimitOutput",
    "helpers.exercises.scoring.CountPoints",
    "nbgrader.preprocessors.SaveAutoGrades",
    "nbgrader.preprocessors.AssignLatePenalties",
    "nbgrader.preprocessors.CheckCellMetadata",
]
c.Autograde.pre_convert_hook = "helpers.grading.kernels.prepare"  # one thread, nobody's IPython profile
c.KernelManager.update(channels())  # sockets no other user can listen to, and no port is taken twice
c.Execute.timeout = 30  # seconds a cell; the slowest of ours takes about one
c.Execute.startup_timeout = 60  # seconds until a kernel answers, on a busy machine
c.Execute.shutdown_kernel = "immediate"  # nothing in a kernel is worth waiting for
# nbgrader gives no points to a test that wrote anything to stderr; a library's warning is not a
# wrong answer, a failing test raises.
c.IgnorePattern.enabled = True
c.IgnorePattern.pattern = "(?s)."
# Nor is it in Validate, which is as students have it.
load_subconfig("nbgrader_config.py", path=str(course / "tools" / "jupyter" / "student"))  # noqa: F821

# -- Feedback --------------------------------------------------------------------------------
# nbgrader's own list, with the hidden tests and whatever would show them taken out, and a table
# of what was found at the top.
c.GenerateFeedback.exporter_class = "helpers.grading.feedback.FeedbackPage"
c.GenerateFeedback.preprocessors = [
    "nbgrader.preprocessors.GetGrades",
    "helpers.grading.feedback.HideHiddenTests",
    "helpers.grading.feedback.Summary",
    "nbconvert.preprocessors.CSSHTMLHeaderPreprocessor",
]
