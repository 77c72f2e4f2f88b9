"""The instructor's loop: receive, grade what is new or changed, write feedback and grades."""

import re
import tempfile
from pathlib import Path

import nbformat
from nbgrader.converters import Autograde, GenerateAssignment, GenerateFeedback
from nbgrader.utils import is_grade, is_locked, is_solution, rmtree
from traitlets.config import Config

from helpers.command import Refused
from helpers.exercises import Unreadable, marked, parse, repeated
from helpers.exercises.execution import ENDED, STUCK
from helpers.exercises.scoring import NO_POINTS
from helpers.grading import archives, intake, overview, page, results, roster
from helpers.grading.course import Course, Failed, convert, reason
from helpers.grading.release import generate
from helpers.grading.results import Record


def grade(course: Course, submissions: Path, roster_file: Path | None = None) -> None:
    """Bring `class/` up to date with the hand-ins at `submissions`, and say what happened.

    Raises:
        Refused: there is no exercise or no hand-in, the roster cannot be used, or an exercise is broken.
            Of what was graded before, nothing has changed then.
    """
    if not course.exercises:
        raise Refused(f"There is no exercise in {course.root / 'solutions'}.")
    enrolled = roster.read(roster_file) if roster_file else roster.Roster()
    with archives.opened(submissions) as opened:
        try:
            found = intake.collect(opened, course.exercises, enrolled)
        except Refused as refusal:
            raise Refused(f"Nothing can be graded in {submissions}: {refusal}") from None
        # Nothing was written up to here, and no hand-in is refused from here on.
        course.room.mkdir(parents=True, exist_ok=True)
        problems = found.remarks + register(course)
        for hand_in in found.hand_ins:
            results.receive(course, hand_in)

    results.enrol(course, {student: {} for student in found.students} | enrolled.students)
    grade_received(course)
    grades = results.export(course)
    glance = page.write(course)

    print(f"\n{results.table(course)}\n")
    here = {*found.students, *enrolled.students}
    for student, exercise in results.received(course):
        if student in here:
            record = Record.load(course, student, exercise)
            problems += record.received + record.graded
    if strangers := sorted(set(found.students) - enrolled.students.keys()) if enrolled.students else []:
        problems.append(f"not on the roster, graded all the same: {', '.join(strangers)}.")
    if earlier := sorted(results.students(course) - here):
        problems.append(f"{course.room} also holds, from earlier: {', '.join(earlier)}. To begin anew, remove it.")
    print("Remarks:" if problems else "No remarks.", *problems, sep="\n  ")
    print(f"\nGrades: {grades}\nFeedback: {course.room / 'feedback'}\nThe class at a glance: {glance}")


def register(course: Course) -> list[str]:
    """Tell the gradebook about exercises that are new or changed; remark on what that undid."""
    remarks = []
    with tempfile.TemporaryDirectory() as scratch:
        for exercise in course.exercises:
            mark = course.room / "records" / f"{exercise}.exercise"
            state = results.digest(course.solution(exercise).read_bytes())
            with course.gradebook() as gradebook:
                known = exercise in {assignment.name for assignment in gradebook.assignments}
            if known and mark.is_file() and mark.read_text() == state:
                continue
            config = course.settings(release_directory=scratch)
            try:
                convert(GenerateAssignment, config, exercise)
            except Failed:
                generate(course, Path(scratch))  # refuses an exercise that is broken
                # Graded cells came or went, which nbgrader does not do once there are hand-ins.
                _forget(course, exercise)
                convert(GenerateAssignment, config, exercise)
                remarks.append(f"{exercise}: its graded cells changed, so it is graded anew; manual marks on it are gone.")
            results.write(mark, state.encode())
    return remarks


def _forget(course: Course, exercise: str) -> None:
    """Remove an exercise with its submissions from the gradebook, but keep its due date."""
    with course.gradebook() as gradebook:
        duedate = gradebook.find_assignment(exercise).duedate
        gradebook.remove_assignment(exercise)
        gradebook.add_assignment(exercise, duedate=duedate)


def grade_received(course: Course) -> None:
    """Grade every hand-in in `class/submitted` that has no grade made from just this."""
    state = {exercise: results.fingerprint(course, exercise) for exercise in course.exercises}
    done, marks = results.is_in_gradebook(course), results.marks(course)
    todo, marked = [], []
    for student, exercise in results.received(course):
        files = sorted(path for path in course.folder("submitted", student, exercise).glob("[!.]*") if path.is_file())
        made_from = results.digest(state[exercise].encode(), *(path.read_bytes() for path in files))
        feedback = course.folder("feedback", student, exercise) / f"{exercise}.html"
        record = Record.load(course, student, exercise)
        if record.made_from != made_from or (student, exercise) not in done or not feedback.exists():
            todo.append((student, exercise, made_from))
        elif record.marks != marks.get((student, exercise), ""):
            marked.append((student, exercise, record))

    config = course.settings()
    changed = f", {len(marked)} of them marked by hand" if marked else ""
    print(f"{len(todo)} to grade, {len(results.received(course)) - len(todo)} unchanged{changed}")
    for student, exercise, record in marked:
        if failed := _write_feedback(config, student, exercise):
            print(f"  {student}/{exercise}: {failed[0]}")
            continue
        record.marks = marks.get((student, exercise), "")
        record.save(course, student, exercise)
    for number, (student, exercise, made_from) in enumerate(todo, start=1):
        remarks, final = grade_one(course, config, student, exercise)
        record = Record.load(course, student, exercise)
        record.graded, record.made_from = remarks, made_from if final else ""
        record.lost = overview.causes(course, student, exercise)
        record.marks = results.marks(course, student, exercise).get((student, exercise), "")
        record.save(course, student, exercise)
        score, maximum = results.points(course, student, exercise)
        print(f"{number:4}/{len(todo)}  {student}  {exercise}  {score:g}/{maximum:g}", flush=True)


def grade_one(course: Course, config: Config, student: str, exercise: str) -> tuple[list[str], bool]:
    """Autograde one hand-in and write its feedback: whatever happens, it has a grade afterwards.

    Returns remarks, and whether the grade is final. It is not when nbgrader failed in a way we do
    not know: that may be the machine's fault, so the next run tries again.
    """
    path = course.folder("submitted", student, exercise) / f"{exercise}.ipynb"
    remarks, why_not, final = [], "", True
    results.forget_timestamp(course, student, exercise)
    if path.exists():
        try:
            remarks += _oddities(course, parse(path.read_bytes()), exercise)
            convert(Autograde, config, exercise, student)
            remarks += _events(course, student, exercise) + _marks_that_stay(course, student, exercise)
        except Unreadable as unreadable:
            why_not = str(unreadable)
        except Failed as failed:
            why_not, final = f"nbgrader could not grade it, grade again to retry ({reason(failed)})", False
        if why_not:
            remarks.append(f"{why_not}; zero points.")
    else:
        why_not = "no notebook was handed in"
    if why_not:
        results.zero(course, student, exercise)
        _leave_note(course, student, exercise, f"{why_not[0].upper()}{why_not[1:]}: zero points.")
    remarks += _write_feedback(config, student, exercise)
    return [f"{student}/{exercise}: {remark}" for remark in remarks], final


def _write_feedback(config: Config, student: str, exercise: str) -> list[str]:
    try:
        convert(GenerateFeedback, config, exercise, student)
    except Failed as failed:
        return [f"its feedback could not be written ({reason(failed)})."]
    return []


# -- What can be odd about a hand-in ---------------------------------------------------------


def _oddities(course: Course, notebook: nbformat.NotebookNode, exercise: str) -> list[str]:
    """Graded or locked cells that differ from the released exercise; each is graded as released."""
    source = {cell.metadata.nbgrader.grade_id: cell.source for cell in marked(notebook)}
    remarks = repeated(notebook)

    missing, gone, changed, given = [], [], [], []
    for cell in nbformat.read(course.solution(exercise), as_version=4).cells:
        if is_grade(cell) or is_locked(cell):
            name = cell.metadata.nbgrader.grade_id
            if name not in source and is_grade(cell):
                missing.append(name)
            elif name in source and _visible(source[name]) != _visible(cell.source):
                (changed if is_grade(cell) else given).append(name)
        elif is_solution(cell) and cell.metadata.nbgrader.grade_id not in source:
            gone.append(cell.metadata.nbgrader.grade_id)
    if gone:
        remarks.append(f"answer cells were missing, and count if another cell answers: {', '.join(gone)}.")
    if missing:
        remarks.append(f"tests were missing and put back: {', '.join(missing)}.")
    if changed:
        remarks.append(f"tests differ from the exercise's, which count: {', '.join(changed)}.")
    if given:
        remarks.append(f"locked cells were changed, and were run as changed and then as the exercise has them: {', '.join(given)}.")
    return remarks


def _visible(source: str) -> str:
    """The source of a test cell as students get it."""
    return re.sub(r"^[^\n]*BEGIN HIDDEN TESTS.*?END HIDDEN TESTS[^\n]*\n?", "", source, flags=re.DOTALL | re.MULTILINE).strip()


def _events(course: Course, student: str, exercise: str) -> list[str]:
    """What happened to the kernel and to points while the hand-in ran."""
    notebook = nbformat.read(course.folder("autograded", student, exercise) / f"{exercise}.ipynb", as_version=4)
    cells = {cell.metadata.get("nbgrader", {}).get("grade_id", f"In [{cell.execution_count}]"): cell
             for cell in notebook.cells if cell.cell_type == "code"}
    by_error = {
        ENDED: "ended the kernel, and all else was run without it",
        STUCK: "stopped after the time a cell may take",
        NO_POINTS: "the value is not one finite number, so no points",
    }
    remarks = []
    for error, what in by_error.items():
        names = [name for name, cell in cells.items() if any(output.get("ename") == error for output in cell.outputs)]
        remarks += [f"{what}: {', '.join(names)}."] if names else []
    for name, cell in cells.items():
        if is_grade(cell):
            remarks += [f"{name}: {output.metadata.counts}." for output in cell.outputs if "counts" in output.get("metadata", {})]
    return remarks


def _marks_that_stay(course: Course, student: str, exercise: str) -> list[str]:
    """Marks given by hand, which nbgrader keeps when the hand-in is graded anew."""
    with course.gradebook() as gradebook:
        grades = [grade for notebook in gradebook.find_submission(exercise, student).notebooks for grade in notebook.grades]
        return [f"{grade.name}: the mark given by hand, {grade.manual_score:g}, stays, where the test now gives {grade.auto_score:g}."
                for grade in grades if grade.manual_score is not None and grade.auto_score is not None]


def _leave_note(course: Course, student: str, exercise: str, sentence: str) -> None:
    """In place of a notebook that could not be graded, one that says so: the student's feedback."""
    folder = course.folder("autograded", student, exercise)
    if folder.exists():
        rmtree(str(folder))
    note = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell(sentence, id="note")])
    results.write(folder / f"{exercise}.ipynb", nbformat.writes(note).encode())
