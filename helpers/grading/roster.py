"""Who is enrolled, and whom a name in a hand-in means."""

import csv
import re
import unicodedata
from dataclasses import dataclass, field
from pathlib import Path

from helpers.command import Refused
from helpers.ids import is_id

# What a column may be called, in lower case and without spaces and punctuation.
COLUMNS = {
    "id": {"id", "studentid", "student", "username", "user", "login", "loginid", "sisloginid", "idnumber", "matriculation"},
    "name": {"name", "fullname", "studentname"},
    "first_name": {"firstname", "givenname", "forename"},
    "last_name": {"lastname", "surname", "familyname"},
    "email": {"email", "mail", "emailaddress"},
}


def plain(text: str) -> str:
    """Without case, accents' spelling, spaces and punctuation: how two systems write one name."""
    return "".join(letter for letter in unicodedata.normalize("NFKC", text).casefold() if letter.isalnum())


@dataclass
class Roster:
    """The students enrolled: id → {first_name, last_name, email}. Empty: nobody was named."""

    students: dict[str, dict[str, str]] = field(default_factory=dict)

    def resolve(self, name: str) -> str:
        """The id of the one student whom `name` means (by id, e-mail or name); `name` itself if there is none."""
        if name in self.students:
            return name
        ids = [student for student, who in self.students.items() if plain(name) in _spellings(student, who)]
        return ids[0] if len(ids) == 1 and plain(name) else name


def _spellings(student: str, who: dict[str, str]) -> set[str]:
    first, last, email = who["first_name"], who["last_name"], who["email"]
    return {plain(text) for text in (student, email, email.partition("@")[0], first + last, last + first)}


def read(path: Path) -> Roster:
    """Read a CSV file with a column for the id and, if it has them, for name and e-mail.

    Raises:
        Refused: it cannot be read, has no such column, names nobody, or a line has no id of its own.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise Refused(f"The roster {path} cannot be read: {_reason(error)}.") from None
    first_line = text.partition("\n")[0]
    rows = csv.reader(text.splitlines(), delimiter=max(",;\t", key=first_line.count), strict=True)
    try:
        rows = iter(list(rows))
    except csv.Error as error:
        raise Refused(f"The roster {path} cannot be read: in line {rows.line_num}, {error}.") from None
    header = [plain(title) for title in next(rows, [])]
    column = {what: next((i for i, title in enumerate(header) if title in titles), None) for what, titles in COLUMNS.items()}
    if column["id"] is None:
        raise Refused(f"The roster {path} has no column called id; its first line is {first_line.strip()!r}.")

    students = {}
    for number, row in enumerate(rows, start=2):
        if not any(cell.strip() for cell in row):
            continue
        cells = {what: unicodedata.normalize("NFC", row[i]).strip() if i is not None and i < len(row) else ""
                 for what, i in column.items()}
        student = cells.pop("id")
        if not is_id(student):
            raise Refused(f"Line {number} of the roster {path} has no usable id: {student!r}.")
        if student in students:
            raise Refused(f"Line {number} of the roster {path} names {student} a second time.")
        students[student] = _who(**cells)
    if not students:
        raise Refused(f"The roster {path} names nobody.")
    return Roster(students)


def _who(name: str, first_name: str, last_name: str, email: str) -> dict[str, str]:
    if not (first_name or last_name):
        if "," in name:  # "Lovelace, Ada"
            last_name, _, first_name = name.partition(",")
        else:
            first_name, _, last_name = name.rpartition(" ")
    # A comma or quote would break the columns of nbgrader's CSV export.
    clean = {"first_name": first_name, "last_name": last_name, "email": email}
    return {what: " ".join(re.sub(r'[,"]', " ", text).split()) for what, text in clean.items()}


def _reason(error: Exception) -> str:
    return error.strerror.lower() if isinstance(error, OSError) and error.strerror else "it is not UTF-8 text"
