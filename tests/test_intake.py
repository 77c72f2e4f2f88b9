"""From an instructor's folder or zip to hand-ins: nothing is lost, nothing stops the class, nothing gets out.

These tests look at what intake finds; test_grading.py grades it.
"""

import io
import os
import stat
import zipfile
from pathlib import Path

import pytest

from helpers.command import Refused
from helpers.grading import archives, intake, roster
from helpers.grading.intake import Intake

EXERCISES = ["masks", "scaling"]
NOBODY = roster.Roster()


def folder_with(where: Path, files: dict[str, str]) -> Path:
    """A folder with these files; a name that ends in / is an empty folder."""
    for name, text in files.items():
        path = where / name
        (path if name.endswith("/") else path.parent).mkdir(parents=True, exist_ok=True)
        if not name.endswith("/"):
            path.write_text(text, encoding="utf-8")
    return where


def zip_with(path: Path, files: dict[str, str]) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return path


def take(path: Path, enrolled: roster.Roster = NOBODY) -> Intake:
    with archives.opened(path) as opened:
        found = intake.collect(opened, EXERCISES, enrolled)
        for hand_in in found.hand_ins:  # read while the scratch folder is there
            hand_in.notebook = hand_in.notebook and hand_in.notebook.read_text(encoding="utf-8")
    return found


def contents(found: Intake) -> dict[str, str | None]:
    return {f"{hand_in.student}/{hand_in.exercise}": hand_in.notebook for hand_in in found.hand_ins}


CLASS = {"ada/scaling": "1", "ada/masks": "2", "bob/masks": "3"}
LAYOUTS = {
    "nbgrader's own": "{student}/{exercise}/{exercise}.ipynb",
    "in a wrapping folder": "Homework 2/{student}/{exercise}/{exercise}.ipynb",
    "flat": "{student}_{exercise}.ipynb",
    "flat, as Canvas exports": "{student}_12345_67890_{exercise}.ipynb",
    "flat, as Canvas exports a late one": "{student}_LATE_12345_67890_{exercise}.ipynb",
    "flat, as Moodle exports": "{student}_4711_assignsubmission_file_{exercise}.ipynb",
    "flat, a browser's second download": "{student}_1_2_{exercise} (1).ipynb",
    "flat, in a wrapping folder": "export/{student}_1_2_{exercise}.ipynb",
    "a folder a student, as Moodle exports": "{student}_4711_assignsubmission_file_/{exercise}.ipynb",
}


@pytest.mark.parametrize("packed", [False, True], ids=["folder", "zip"])
@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
def test_every_layout_gives_the_same_hand_ins(layout, packed, tmp_path):
    files = {layout.format(student=name.split("/")[0], exercise=name.split("/")[1]): text for name, text in CLASS.items()}
    files |= {"__MACOSX/._x_scaling.ipynb": "", ".DS_Store": ""}
    path = zip_with(tmp_path / "class.zip", files) if packed else folder_with(tmp_path / "class", files)
    found = take(path)
    assert contents(found) == CLASS, f"{layout} was read as {contents(found)}, not {CLASS}"
    assert found.students == ["ada", "bob"] and not found.remarks, f"students {found.students}, remarks {found.remarks}"


# Each leaves ada's hand-in as it is and adds something odd; what is said of it must name it.
ODD = {
    "an empty exercise folder": ({"bob/masks/": ""}, {"bob/masks": None}, "bob/masks: the folder is empty; zero points."),
    "a wrong file name": ({"bob/masks/homework.ipynb": "x"}, {"bob/masks": None},
                          "bob/masks: no file called masks.ipynb, only homework.ipynb; zero points."),
    "a browser's number": ({"bob/masks/masks (2).ipynb": "x"}, {"bob/masks": "x"}, "bob/masks/masks (2).ipynb: taken for masks.ipynb."),
    "several copies": ({"bob/masks/masks.ipynb": "x", "bob/masks/masks (10).ipynb": "z", "bob/masks/masks (9).ipynb": "y"},
                       {"bob/masks": "z"}, "bob/masks/masks (10).ipynb: of 3 copies this one counts."),
    "extra files": ({"bob/masks/masks.ipynb": "x", "bob/masks/torch.py": "1"}, {"bob/masks": "x"},
                    "bob/masks: not needed and not used: torch.py."),
    "another exercise": ({"bob/attention/attention.ipynb": "x"}, {},
                         "bob/attention/attention.ipynb: the exercises are masks, scaling, this name says none of them; not graded."),
    "a wrong flat name": ({"bob_1_2_homework.ipynb": "x"}, {},
                          "bob_1_2_homework.ipynb: the exercises are masks, scaling, this name says none of them; not graded."),
    "a student's folder with nothing in it": ({"bob/": ""}, {}, "bob: the folder holds no exercise; nothing was handed in."),
    "a timestamp that is none": ({"bob/masks/masks.ipynb": "x", "bob/masks/timestamp.txt": "soon"}, {"bob/masks": "x"},
                                 "bob/masks/timestamp.txt: no date can be read from it; not used."),
}


@pytest.mark.parametrize("packed", [False, True], ids=["folder", "zip"])
@pytest.mark.parametrize("case", ODD.values(), ids=ODD)
def test_an_odd_hand_in_is_named_and_its_student_kept(case, packed, tmp_path):
    files, expected, remark = case
    files = {"ada/masks/masks.ipynb": "a"} | files
    path = zip_with(tmp_path / "class.zip", files) if packed else folder_with(tmp_path / "class", files)
    found = take(path)
    said = found.remarks + [remark for hand_in in found.hand_ins for remark in hand_in.remarks]
    assert contents(found) == {"ada/masks": "a"} | expected, f"found {contents(found)}"
    assert said == [remark], f"said {said}, expected {[remark]}"
    assert found.students == ["ada", "bob"], f"students {found.students}: one without a row would be forgotten"


def test_a_timestamp_in_nbgraders_form_comes_along(tmp_path):
    files = {"ada/masks/masks.ipynb": "a", "ada/masks/timestamp.txt": "2031-02-03 04:05:06 UTC"}
    (hand_in,) = take(folder_with(tmp_path, files)).hand_ins
    assert hand_in.timestamp == "2031-02-03 04:05:06 UTC" and not hand_in.remarks, hand_in


def test_accents_that_macos_takes_apart_are_the_same_student(tmp_path):
    apart, whole = "Jose\u0301", "Jos\u00e9"
    found = take(zip_with(tmp_path / "x.zip", {f"{apart}_1_masks.ipynb": "a", f"{whole}_1_scaling.ipynb": "b"}))
    assert found.students == [whole], f"{found.students} are two, and should be one student"


REFUSED = {
    "no notebook": ({"ada/masks/notes.txt": ""}, "it holds no notebook (.ipynb)."),
    "an unknown exercise": ({"ada/permutation/permutation.ipynb": ""}, "it holds no hand-in for masks or scaling"),
}


@pytest.mark.parametrize("case", REFUSED.values(), ids=REFUSED)
def test_a_class_with_nothing_to_grade_is_refused(case, tmp_path):
    files, sentence = case
    with pytest.raises(Refused) as refusal:
        take(zip_with(tmp_path / "class.zip", files))
    assert str(refusal.value).startswith(sentence), refusal.value


# -- Archives --------------------------------------------------------------------------------


def test_an_entry_that_leads_out_of_the_zip_or_is_a_link_is_left_out_and_named(tmp_path):
    link = zipfile.ZipInfo("eve/masks/masks.ipynb")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    path = tmp_path / "in" / "class.zip"
    path.parent.mkdir()
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("ada/masks/masks.ipynb", "a")
        archive.writestr(link, "/etc/passwd")
        for name in ("../out/x_masks.ipynb", "/tmp/x_masks.ipynb", "..\\out\\x_masks.ipynb", "C:\\x_masks.ipynb"):
            archive.writestr(name, "x")
    found = take(path)
    assert contents(found) == {"ada/masks": "a"}, f"found {contents(found)}"
    assert len(found.remarks) == 5 and all("left out" in remark for remark in found.remarks), found.remarks
    assert sorted(os.listdir(tmp_path)) == ["in"], f"something was written outside: {sorted(os.listdir(tmp_path))}"


def test_a_link_in_a_folder_is_not_followed(tmp_path):
    (tmp_path / "secret.ipynb").write_text("s")
    folder = folder_with(tmp_path / "class", {"ada/masks/masks.ipynb": "a", "eve/masks/": ""})
    (folder / "eve/masks/masks.ipynb").symlink_to(tmp_path / "secret.ipynb")
    found = take(folder)
    assert contents(found) == {"ada/masks": "a", "eve/masks": None}, f"found {contents(found)}"
    assert found.remarks == ["eve/masks/masks.ipynb: a link, not followed."], found.remarks


def test_a_file_that_is_too_large_is_zero_points_and_the_class_goes_on(tmp_path, monkeypatch):
    monkeypatch.setattr(archives, "LARGEST_FILE", 1000)
    monkeypatch.setattr(intake, "LARGEST_FILE", 1000)
    for path in (
        zip_with(tmp_path / "class.zip", {"ada/masks/masks.ipynb": "a", "eve/masks/masks.ipynb": "0" * 5000}),
        folder_with(tmp_path / "class", {"ada/masks/masks.ipynb": "a", "eve/masks/masks.ipynb": "0" * 5000}),
    ):
        found = take(path)
        assert contents(found) == {"ada/masks": "a", "eve/masks": None}, f"found {contents(found)} in {path.name}"
        assert "larger than" in found.hand_ins[1].remarks[0], found.hand_ins[1]


def test_a_zip_that_unpacks_to_too_much_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(archives, "LARGEST_CLASS", 10_000)
    path = zip_with(tmp_path / "bomb.zip", {f"s{i}/masks/masks.ipynb": "0" * 3000 for i in range(5)})
    with pytest.raises(Refused, match="unpacks to more than"):
        take(path)


def test_a_damaged_entry_is_named_and_not_taken_for_an_empty_file(tmp_path):
    """An empty file would replace what the student handed in before."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("ada/masks/masks.ipynb", "a")
        archive.writestr("eve/masks/masks.ipynb", "intact text")
    path = tmp_path / "class.zip"
    path.write_bytes(buffer.getvalue().replace(b"intact text", b"broken text"))  # its checksum no longer fits
    found = take(path)
    assert contents(found) == {"ada/masks": "a", "eve/masks": None}, "the damaged file was believed, or stopped the class"
    with archives.opened(path) as opened:
        assert opened.remarks == ["eve/masks/masks.ipynb: damaged or encrypted in the zip, not read; download the zip again."]


def test_forms_may_be_mixed_and_no_folder_is_taken_for_a_further_student(tmp_path):
    path = zip_with(tmp_path / "mixed.zip", {
        "ada_77_assignsubmission_file/scaling.ipynb": "a", "eve/scaling/scaling.ipynb": "e",
    })
    assert take(path).students == ["ada", "eve"], f"{take(path)}"


# -- Students' zips --------------------------------------------------------------------------


def zipped(files: dict[str, str | bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def handed_in(student: str, *exercises: str, **texts: str) -> bytes:
    """The zip that `make handin` writes."""
    return zipped({f"{student}/{name}/{name}.ipynb": texts.get(name, student) for name in exercises or ("masks",)})


def take_zips(folder: Path, files: dict[str, bytes], enrolled: roster.Roster = NOBODY) -> Intake:
    """What is found in these files in a folder; and the same in a zip of it."""
    for name, content in files.items():
        (folder / "in" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "in" / name).write_bytes(content)
    (folder / "class.zip").write_bytes(zipped(files))
    found, in_a_zip = take(folder / "in", enrolled), take(folder / "class.zip", enrolled)
    assert found == in_a_zip, f"a folder gives {found}, a zip of it {in_a_zip}"
    return found


def said(found: Intake) -> list[str]:
    return found.remarks + [remark for hand_in in found.hand_ins for remark in hand_in.remarks]


ZIPS = {
    "as they are": "handin-{student}.zip",
    "in a folder around them": "Homework 2/handin-{student}.zip",
    "in a folder as a platform names it": "CS101_Homework_2/handin-{student}.zip",
    "in a folder for each, as Moodle exports": "{student}_1234_assignsubmission_file/handin-{student}.zip",
    "flat, as Canvas exports": "{student}_123_456_handin-{student}.zip",
    "under names of the students' own": "{student}_123_my homework.zip",
    "with nothing outside": "homework of {student}.zip",
}


@pytest.mark.parametrize("name", ZIPS.values(), ids=ZIPS)
def test_a_class_of_zips_gives_the_hand_ins_in_them(name, tmp_path):
    found = take_zips(tmp_path, {name.format(student=student): handed_in(student, "masks", "scaling") for student in ("ada", "bob")})
    expected = {f"{student}/{exercise}": student for student in ("ada", "bob") for exercise in ("masks", "scaling")}
    assert (contents(found), found.students, said(found)) == (expected, ["ada", "bob"], []), found


def test_the_zip_of_one_student_is_taken_as_it_is(tmp_path):
    (tmp_path / "handin-ada.zip").write_bytes(handed_in("ada"))
    found = take(tmp_path / "handin-ada.zip")
    assert (contents(found), said(found)) == ({"ada/masks": "ada"}, []), found


def test_of_several_zips_of_a_student_the_highest_number_counts_for_each_exercise(tmp_path):
    found = take_zips(tmp_path, {
        "handin-ada.zip": handed_in("ada", "masks", "scaling", masks="1", scaling="1"),
        "handin-ada (2).zip": handed_in("ada", masks="2"),
        "handin-ada (10).zip": handed_in("ada", masks="10"),
    })
    assert contents(found) == {"ada/masks": "10", "ada/scaling": "1"}, found
    assert said(found) == ["handin-ada (10).zip/ada/masks/masks.ipynb: of 3 copies this one counts."], said(found)


def test_an_id_that_ends_like_a_copy_stays_what_it_is(tmp_path):
    found = take_zips(tmp_path, {"handin-group-1.zip": handed_in("group-1"), "handin-group-2.zip": handed_in("group-2")})
    assert (contents(found), said(found)) == ({"group-1/masks": "group-1", "group-2/masks": "group-2"}, []), found


ADA_AND_EVE = roster.Roster({student: {"first_name": first, "last_name": last, "email": ""}
                             for student, first, last in (("4711", "Ada", "Lovelace"), ("4712", "Eve", "Moneypenny"))})
# Eve's zip says inside that it is Ada's.
FORGED = {
    "its own name": ("handin-eve.zip", NOBODY, "eve"),
    "the platform's folder": ("Eve_77_assignsubmission_file/handin-ada.zip", NOBODY, "Eve"),
    "the front of its name": ("eve_77_handin-ada.zip", NOBODY, "eve"),
    "the platform's folder, by the roster": ("Eve Moneypenny_77_assignsubmission_file/handin-4711.zip", ADA_AND_EVE, "4712"),
    "a folder called after her, by the roster": ("Eve Moneypenny/handin-4711.zip", ADA_AND_EVE, "4712"),
    "a folder, whatever front she gave it": ("Eve Moneypenny_77_file/4711_1_handin-4711.zip", ADA_AND_EVE, "4712"),
}


@pytest.mark.parametrize("case", FORGED.values(), ids=FORGED)
def test_nobody_hands_in_for_another_by_what_a_zip_says_inside(case, tmp_path):
    name, enrolled, student = case
    inside = "ada" if enrolled is NOBODY else "4711"
    found = take_zips(tmp_path, {name: handed_in(inside), "Bob_78_assignsubmission_file/handin-bob.zip": handed_in("bob")}, enrolled)
    forged = {where: text for where, text in contents(found).items() if text == inside}
    assert list(forged) == [f"{student}/masks"], f"what {student} handed in is graded as {list(forged)}"
    assert f"{name}: inside it names {inside}; what is in it is taken for {student}'s, after its name outside." in said(found), said(found)


def test_nobody_hands_in_for_another_by_what_a_notebook_is_called(tmp_path):
    found = take(folder_with(tmp_path, {"Eve Moneypenny_77_file/4711_1_masks.ipynb": "e"}), ADA_AND_EVE)
    assert contents(found) == {"4712/masks": "e"} and "taken for 4712's" in found.remarks[0], found


def test_a_zip_packed_by_hand_is_read_too(tmp_path):
    found = take_zips(tmp_path, {
        "ada_1_work.zip": zipped({"masks.ipynb": "a"}),
        "bob_2_work.zip": zipped({"scaling/scaling.ipynb": "b", "__MACOSX/scaling/._scaling.ipynb": ""}),
        "cy_3_work.zip": zipped({"cy/masks/homework.ipynb": "c"}),
        "dan_4_work.rar": b"Rar!",
        "eve.zip": zipped({"masks.ipynb": "e"}),
    })
    assert contents(found) == {"ada/masks": "a", "bob/scaling": "b", "cy/masks": None, "eve/masks": "e"}, found
    assert found.students == ["ada", "bob", "cy", "dan", "eve"], found.students
    assert said(found) == [
        "dan_4_work.rar: an archive, but no zip; not read.",
        "cy_3_work.zip/cy/masks: no file called masks.ipynb, only homework.ipynb; zero points.",
    ], said(found)


def test_a_hostile_zip_costs_its_sender_alone(tmp_path, monkeypatch):
    monkeypatch.setattr(archives, "LARGEST_HAND_IN", 3000)
    monkeypatch.setattr(archives, "MOST_FILES_OF_ONE", 5)
    link = zipfile.ZipInfo("eve/masks/masks.ipynb")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(tmp_path / "links.zip", "w") as archive:
        archive.writestr(link, "/etc/passwd")
        archive.writestr("../../eve_masks.ipynb", "x")
    found = take_zips(tmp_path, {
        "handin-ada.zip": handed_in("ada"),
        "handin-bomb.zip": zipped({"bomb/masks/masks.ipynb": "0" * 100_000}),
        "handin-broken.zip": b"PK no zip",
        "handin-eve.zip": (tmp_path / "links.zip").read_bytes(),
        "handin-large.zip": os.urandom(5000),
        "handin-many.zip": zipped({f"many/{number}.txt": "" for number in range(9)}),
        "handin-nested.zip": zipped({"nested/masks/handin.zip": handed_in("nested")}),
    })
    assert {where: text for where, text in contents(found).items() if text} == {"ada/masks": "ada"}, found
    assert found.students == ["ada", "bomb", "broken", "eve", "large", "many", "nested"], "one without a row would be forgotten"
    for remark in (
        "handin-bomb.zip: larger than any hand-in; not read.",
        "handin-broken.zip: damaged (File is not a zip file); not read.",
        "handin-eve.zip/eve/masks/masks.ipynb: leads out of the zip or is a link; left out.",
        "handin-eve.zip/../../eve_masks.ipynb: leads out of the zip or is a link; left out.",
        "handin-large.zip: larger than any hand-in; not read.",
        "handin-many.zip: larger than any hand-in; not read.",
        "handin-nested.zip/nested/masks/handin.zip: a zip within a student's zip; not read.",
    ):
        assert remark in found.remarks, f"{remark!r} is not among {found.remarks}"
    assert sorted(os.listdir(tmp_path)) == ["class.zip", "in", "links.zip"], "something was written outside"


def test_a_date_that_a_student_packed_is_not_believed(tmp_path):
    files = {"ada/masks/masks.ipynb": "a", "ada/masks/timestamp.txt": "2001-02-03 04:05:06 UTC"}
    found = take_zips(tmp_path, {"handin-ada.zip": zipped(files)})
    assert found.hand_ins[0].timestamp is None, "a student could set the time of the hand-in"
    assert said(found) == ["handin-ada.zip/ada/masks: not needed and not used: timestamp.txt."], said(found)


def test_zips_that_all_together_unpack_to_too_much_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(archives, "LARGEST_CLASS", 10_000)
    for number in range(5):
        (tmp_path / f"handin-s{number}.zip").write_bytes(handed_in(f"s{number}", masks="0" * 3000))
    with pytest.raises(Refused, match="unpack to more than"):
        take(tmp_path)


# -- The roster ------------------------------------------------------------------------------

ROSTERS = {
    "plain": "id,name,e-mail\nada,Ada Lovelace,ada@x.org\n",
    "semicolons and a byte-order mark": "\ufeffID;Name;E-Mail\nada;Ada Lovelace;ada@x.org\n",
    "a platform's own titles": "Email address,Last name,First name,Student ID\nada@x.org,Lovelace,Ada,ada\n",
    "name with the last one first": 'Username\tFull name\tMail\nada\t"Lovelace, Ada"\tada@x.org\n\n',
}


@pytest.mark.parametrize("text", ROSTERS.values(), ids=ROSTERS)
def test_a_roster_is_read_as_systems_write_it(text, tmp_path):
    path = tmp_path / "roster.csv"
    path.write_text(text, encoding="utf-8")
    expected = {"ada": {"first_name": "Ada", "last_name": "Lovelace", "email": "ada@x.org"}}
    assert roster.read(path).students == expected, roster.read(path).students


BROKEN = {
    "is not there": (None, "cannot be read: no such file or directory"),
    "is not text": (b"\xff\xfe\x00", "cannot be read: it is not UTF-8 text"),
    "has no ids": (b"name,e-mail\nAda,a@x\n", "has no column called id"),
    "is empty": (b"", "has no column called id"),
    "names nobody": (b"id,name\n", "names nobody"),
    "names somebody twice": (b"id\nada\nada\n", "Line 3 of the roster"),
    "leaves an id out": (b"id,name\n,Ada\n", "Line 2 of the roster"),
    "has a quote that never ends": (b'id,name\nada,"Ada Lovelace\nbob,Bob\n', "in line 3, unexpected end of data"),
    "has an id that no folder can have": (b"id\n../ada\n", "Line 2 of the roster"),
}


@pytest.mark.parametrize("case", BROKEN.values(), ids=BROKEN)
def test_a_broken_roster_is_refused_in_a_sentence(case, tmp_path):
    content, sentence = case
    path = tmp_path / "roster.csv"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(Refused) as refusal:
        roster.read(path)
    assert sentence in str(refusal.value) and "\n" not in str(refusal.value), refusal.value


def test_a_file_name_means_the_student_on_the_roster_by_id_e_mail_or_name(tmp_path):
    path = tmp_path / "roster.csv"
    path.write_text("id,name,e-mail\n4711,Ada Lovelace,al@x.org\n4712,Bo Li,bl@x.org\n4713,Li Bo,lb@x.org\n")
    enrolled = roster.read(path)
    meant = {name: enrolled.resolve(name) for name in ("4711", "al", "Ada Lovelace", "lovelaceada", "lb@x.org", "boli", "eve")}
    expected = dict.fromkeys(["al", "4711", "Ada Lovelace", "lovelaceada"], "4711") | {"lb@x.org": "4713", "boli": "boli", "eve": "eve"}
    assert meant == expected, f"{meant}: 'boli' could be either of two and must stay as it is"
