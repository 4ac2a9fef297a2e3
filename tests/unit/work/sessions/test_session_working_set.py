"""Changes of the files of a session."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hypothesis import given
from hypothesis import strategies as st

from cuedeck.model.session import WorkingFile
from cuedeck.work.sessions.session_working_set import Change, checksum, compare, touched

LINES: Mapping[str, Sequence[int]] = {
    "old": (1, 2, 3, 4),
    "new": (1, 2, 3, 5, 6),
    "same-ish": (1, 2, 3, 9),
}
HASHES = st.dictionaries(
    st.sampled_from(["a.py", "b.py", "c/d.py"]), st.sampled_from(["", "1", "2"])
)


def changes(
    known: dict[str, str], now: dict[str, str], elsewhere: dict[str, str] | None = None
) -> list[Change]:
    return compare(known, now, elsewhere or {}, LINES.get)


def test_added_and_removed_lines_are_counted() -> None:
    assert changes({"a.py": "old"}, {"a.py": "new"}) == [Change("a.py", "+2 -1 lines")]


def test_file_without_a_cached_version_is_only_changed() -> None:
    assert changes({"a.py": "forgotten"}, {"a.py": "new"}) == [
        Change("a.py", "changed")
    ]


def test_missing_file_was_deleted_unless_it_is_elsewhere() -> None:
    assert changes({"a.py": "old"}, {"a.py": ""}) == [Change("a.py", "deleted")]
    assert changes({"a.py": "old"}, {"a.py": ""}, {"b/x.py": "old"}) == [
        Change("a.py", "renamed to b/x.py")
    ]


def test_restored_file_is_reported() -> None:
    assert changes({"a.py": ""}, {"a.py": "new"}) == [Change("a.py", "back again")]
    assert changes({"a.py": ""}, {"a.py": ""}) == []


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
