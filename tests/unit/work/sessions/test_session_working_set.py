"""Changes of the files of a session."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cuedeck.model.session import WorkingFile
from cuedeck.work.sessions.session_working_set import (
    Change,
    changes_since,
    checksum,
    touched,
)

HASHES = st.dictionaries(
    st.sampled_from(["a.py", "b.py", "c/d.py"]), st.sampled_from(["", "1", "2"])
)


@pytest.mark.parametrize(
    ("known", "now", "change"),
    [
        ("old", "new", "changed"),
        ("old", "", "deleted"),
        ("moved", "", "renamed to b/x.py"),
        ("", "new", "back again"),
        ("", "", ""),
        ("old", "old", ""),
    ],
)
def test_a_change_is_found_by_hashes(known: str, now: str, change: str) -> None:
    class Paths:
        paths = staticmethod(lambda: ["b/x.py"])
        hash = staticmethod(lambda path: "moved")

    found = changes_since(Paths(), {"a.py": known}, {"a.py": now})
    assert found == ([Change("a.py", change)] if change else [])


def test_reading_a_written_file_keeps_the_time_of_the_write() -> None:
    written = touched(None, "1", "write", "then")
    assert touched(written, "1", "read", "now") == WorkingFile("1", "both", "then")
    assert touched(written, "2", "read", "now") == WorkingFile("2", "both", "now")
    assert touched(
        touched(None, "1", "read", "then"), "1", "read", "now"
    ) == WorkingFile("1", "read", "now")


@given(HASHES, HASHES, st.sampled_from(["", "r", "s"]))
def test_checksums_are_equal_only_for_equal_files_and_receipts(
    one: dict[str, str], other: dict[str, str], receipt: str
) -> None:
    assert (checksum(one, receipt) == checksum(other, receipt)) == (one == other)
    assert checksum(one, receipt) == checksum(dict(reversed(one.items())), receipt)
    assert checksum(one, receipt) != checksum(one, receipt + "x")


def test_file_read_and_written_has_both_roles() -> None:
    read = touched(None, "1", "read", "t1")
    assert read == WorkingFile("1", "read", "t1")
    assert touched(read, "2", "write", "t2") == WorkingFile("2", "both", "t2")
    assert touched(WorkingFile("2", "both", "t2"), "3", "read", "t3").role == "both"
