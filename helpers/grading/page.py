"""`class/overview.html`: the class at a glance, for whoever gives the next lecture.

One page that needs nothing beside it: no script, no network, no other file. It is readable on a
telephone, in a dark theme and on paper, names no student, and the same class always gives the same
bytes. The picture is drawn here rather than by Matplotlib, so that it takes on the page's colours
and its text can be searched.
"""

import re
import textwrap
from collections import Counter
from html import escape
from pathlib import Path

from helpers.grading import results
from helpers.grading.course import Course
from helpers.grading.overview import NOT_ANSWERED, ExerciseTally, PartTally, look
from helpers.phrases import in_html

MOST_MISTAKES = 5  # of an exercise
MOST_REASONS = 3  # of a part


def write(course: Course) -> Path:
    """Write the page of a class into its room."""
    path = course.room / "overview.html"
    results.write(path, page(look(course)).encode())
    return path


def page(exercises: list[ExerciseTally]) -> str:
    """The whole page, as HTML."""
    from helpers import plots  # slow to import

    roles = {"BAR": "query", "MOST": "output", "BAR_IN_THE_DARK": "score", "MOST_IN_THE_DARK": "key"}
    style = re.sub(r"\b[A-Z_]{3,}\b", lambda name: plots.COLOURS[roles[name[0]]], STYLE)
    handed_in = [exercise for exercise in exercises if exercise.handed_in]
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>The class at a glance</title>
<style>{style}</style>
</head>
<body>
<h1>The class at a glance</h1>
<p>Every hand-in counts, also one that was empty or could not be read: it has no points. Who handed in
nothing is not counted. A part is passed with all of its points; marks given by hand count.</p>
<p>A mistake is named where an answer gives what that mistake gives. Where several fit, they are one
entry: “…; or …”.</p>
{picture(handed_in) if handed_in else "<p>Nobody has handed in anything yet.</p>"}
{"".join(map(section, exercises))}</body>
</html>
"""


def picture(exercises: list[ExerciseTally]) -> str:
    """A bar for each part, as SVG; so narrow that its text is legible on a telephone."""
    left, axis, y = 1, 240, 56  # where things begin, how long 100 % is, where the next thing goes
    drawn, told = [], []

    def write_lines(text: str, letters: int, kind: str) -> None:
        nonlocal y
        for line in textwrap.wrap(text, letters):
            drawn.append(f'<text class="{kind}" x="{left}" y="{y}">{escape(line)}</text>')
            y += 18

    for exercise in exercises:
        write_lines(exercise.title, 40, "name")
        write_lines(count(exercise.handed_in, "hand-in"), 40, "quiet")
        shares = []
        for part in exercise.parts:
            y += 4
            write_lines(part.name, 48, "part")
            share, long = percent(part, exercise), axis * part.passed / exercise.handed_in
            kind, mark = ("most", " · lost most") if part in exercise.lost_most else ("bar", "")
            drawn += [
                f'<rect class="track" x="{left}" y="{y - 12}" width="{axis}" height="14"/>',
                f'<rect class="{kind}" x="{left}" y="{y - 12}" width="{long:.1f}" height="14"/>',
                f'<text x="{left + axis + 10}" y="{y}">{share}{mark}</text>',
            ]
            y += 22
            shares.append(f"{part.name} {share}{mark.replace(' · ', ' (') + ')' if mark else ''}")
        told.append(f"{exercise.title}: {', '.join(shares)}.")
        y += 18

    scale = []
    for quarter in range(5):
        x = left + axis * quarter // 4
        place = "start" if quarter == 0 else "middle"
        scale += [
            f'<line x1="{x}" y1="36" x2="{x}" y2="{y - 20}"/>',
            f'<text class="quiet" text-anchor="{place}" x="{x}" y="{y - 4}">{25 * quarter} %</text>',
        ]
    title = "Share of the hand-ins that passed each part"
    lines = "\n".join([f'<text class="title" x="{left}" y="20">{title}</text>', *scale, *drawn])
    alt = escape(f"{title}. {' '.join(told)}")
    return f'<svg viewBox="0 0 400 {y + 4}" role="img" aria-label="{alt}">\n{lines}\n</svg>'


def section(exercise: ExerciseTally) -> str:
    """The commonest mistakes and the table of one exercise."""
    said = [f"<h2>{escape(exercise.title)}</h2>", f"<p>{count(exercise.handed_in, 'hand-in')}.</p>"]
    if exercise.made_by:
        commonest = ranked({words: len(students) for words, students in exercise.made_by.items()})
        said += ["<h3>The commonest mistakes</h3>", "<ol>"]
        for words, students in commonest[:MOST_MISTAKES]:
            where = " · ".join(part.name for part in exercise.parts if part.mistakes[words])
            said.append(f"<li><b>{count(students, 'student')}</b>: {in_html(words)} <small>({escape(where)})</small></li>")
        said.append("</ol>")
        if len(commonest) > MOST_MISTAKES:
            said.append(f"<p>And {count(len(commonest) - MOST_MISTAKES, 'other')}.</p>")
    if exercise.handed_in:
        titles = "".join(f'<th scope="col">{title}</th>' for title in COLUMNS)
        rows = [row(exercise, part) for part in exercise.parts]
        said += ["<table>", f"<thead><tr>{titles}</tr></thead>", "<tbody>", *rows, "</tbody>", "</table>"]
    return "<section>\n" + "\n".join(said) + "\n</section>\n"


COLUMNS = ("part", "passed", "points, on average", "why it was lost", "not answered")


def row(exercise: ExerciseTally, part: PartTally) -> str:
    """One part in its exercise's table."""
    n = exercise.handed_in
    known, others = ranked(part.mistakes), ranked(part.others)
    why = [f"<li>{students} × {in_html(words)}</li>" for words, students in known[:MOST_REASONS]]
    if more := sum(students for _, students in known[MOST_REASONS:]):
        why.append(f"<li>{more} × another known mistake</li>")
    why += [f'<li class="quiet">{students} × {words}</li>' for words, students in others if words != NOT_ANSWERED]
    cells = (
        escape(part.name) + (' <b class="most">lost most</b>' if part in exercise.lost_most else ""),
        f"{part.passed} of {n} ({percent(part, exercise)})",
        f"{round(part.earned / n, 2):g} of {part.points:g} ({100 * part.earned / n / part.points:.0f}\N{NO-BREAK SPACE}%)",
        f"<ul>{''.join(why)}</ul>" if why else "–",
        str(part.others[NOT_ANSWERED] or "–"),
    )
    titled = zip(COLUMNS, cells, strict=True)
    return "<tr>" + "".join(f'<td data-title="{title}"><div>{cell}</div></td>' for title, cell in titled) + "</tr>"


def ranked(counted: dict[str, int] | Counter) -> list[tuple[str, int]]:
    return sorted(counted.items(), key=lambda item: (-item[1], item[0]))


def count(number: int, what: str) -> str:
    return f"{number or 'No'} {what}{'' if number == 1 else 's'}"


def percent(part: PartTally, exercise: ExerciseTally) -> str:
    """The share of hand-ins that passed, rounded, and 100 % only where it is everybody."""
    share = round(100 * part.passed / exercise.handed_in)
    return f"{share if part.passed == exercise.handed_in else min(share, 99)}\N{NO-BREAK SPACE}%"


STYLE = """
:root { --ground: #fff; --text: #222; --quiet: #595959; --line: #d0d0d0; --track: #eee; --bar: BAR; --most: MOST }
@media screen and (prefers-color-scheme: dark) {
  :root { --ground: #181818; --text: #e8e8e8; --quiet: #aaa; --line: #484848; --track: #333;
    --bar: BAR_IN_THE_DARK; --most: MOST_IN_THE_DARK }
}
body { margin: 2rem auto; padding: 0 1rem; max-width: 64rem; background: var(--ground); color: var(--text);
  font: 1rem/1.5 Helvetica, Arial, sans-serif; overflow-wrap: anywhere }
h2 { margin: 2.5rem 0 0; font-size: 1.3rem }
h3 { margin: 0; font-size: 1rem }
ol { margin-top: .3rem }
small, .quiet { color: var(--quiet) }
b.most { display: inline-block; padding: 0 .4em; border: 2px solid var(--most); border-radius: .5em;
  font-size: .8rem; white-space: nowrap }
table { width: 100%; border-collapse: collapse; table-layout: fixed }
th:nth-child(1) { width: 20% } th:nth-child(2), th:nth-child(3) { width: 13% } th:nth-child(5) { width: 10% }
th, td { padding: .4rem .6rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top }
th { font-size: .85rem; overflow-wrap: normal }
th:first-child, td:first-child { padding-left: 0 } th:last-child, td:last-child { padding-right: 0 }
code { font-size: .9em }
td ul { margin: 0; padding-left: 1.1em }
svg { display: block; width: 100%; max-width: 30rem; overflow: visible;
  font: 13px Helvetica, Arial, sans-serif; fill: var(--text) }
svg text { stroke: var(--ground); stroke-width: 4px; paint-order: stroke }
svg .title, svg .name { font-weight: bold }
svg .title { font-size: 15px }
svg .quiet { fill: var(--quiet) }
svg .track { fill: var(--track) }
svg .bar { fill: var(--bar) }
svg .most { fill: var(--most) }
svg line { stroke: var(--line) }
@media screen and (max-width: 44rem) {
  table, tbody, tr { display: block }
  thead { display: none }
  tr { padding: .6rem 0; border-bottom: 1px solid var(--line) }
  td { display: flex; padding: .1rem 0; border: 0 }
  td::before { content: attr(data-title); flex: 0 0 7.5rem; padding-right: .6rem; color: var(--quiet) }
  td div { min-width: 0 }
  td:first-child { font-weight: bold }
}
@media print {
  body { margin: 0; max-width: none; font-size: .8rem }
  svg { max-height: 20cm; print-color-adjust: exact }
  tr, li { break-inside: avoid }
}
"""
