"""Files are written whole or not at all, and zips hold nothing of when and where they were made."""

import io
import zipfile

import pytest

from helpers.files import whole, zipped


def test_what_is_written_is_there_when_the_block_ends_in_a_folder_of_its_own(tmp_path):
    target = tmp_path / "new" / "file"
    with whole(target) as file:
        file.write(b"new")
        assert not target.exists(), "the file is there before it is whole"
    assert target.read_bytes() == b"new"
    assert list(target.parent.iterdir()) == [target], "something else is left beside it"


@pytest.mark.parametrize("stop", [ValueError, KeyboardInterrupt])
def test_whatever_stops_the_writing_leaves_what_was_there_and_nothing_else(stop, tmp_path):
    target = tmp_path / "file"
    target.write_bytes(b"old")
    with pytest.raises(stop), whole(target) as file:
        file.write(b"half of the n")
        raise stop
    assert target.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [target], "something else is left beside it"


def test_a_zip_depends_on_its_contents_alone_and_anybody_may_read_them():
    files = {"b/two": b"2", "a/one": b"1" * 1000}
    packed = zipped(files)
    assert packed == zipped(dict(reversed(files.items())))
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        assert {name: archive.read(name) for name in archive.namelist()} == files
        assert {entry.external_attr >> 16 for entry in archive.infolist()} == {0o100644}
        assert len({entry.date_time for entry in archive.infolist()}) == 1
    assert len(packed) < 500, "it is not compressed"
