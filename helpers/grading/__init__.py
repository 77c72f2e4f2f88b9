"""The instructor's side: release, grade, and pack the course for students.

`python -m helpers.grading --help` lists the commands. One module a duty:

    course.py         where things are: exercises, rooms, nbgrader's settings
    release.py        solutions/ → notebooks/exercises/
    archives.py       a folder or zip, with students' zips in it → files
    senders.py        whose a file is, by where it lies
    intake.py         files → hand-ins
    roster.py         who is enrolled, and who a file name means
    grade.py          the loop: hand-ins → class/
    kernels.py        how kernels start, and what they find around them
    mother.py         the process that they are forked from
    preprocessors.py  our step among nbgrader's: the exercise's cells come back
    feedback.py       what a feedback page begins with, and what it must not show
    results.py        what was graded already, the gradebook, grades.csv, the table
    overview.py       what became of each part, and which mistakes were made
    page.py           class/overview.html, which says so
    pack.py           the zip that students get

No lesson imports this package, and it imports no lesson.
"""
