"""Ledgers on disk: appended, never rewritten."""

from __future__ import annotations

from pathlib import Path

import pytest

from cuedeck.ledger.ledger import Ledger, Make
from cuedeck.model.errors import StorageError
from cuedeck.store.workspace_paths import WorkspacePaths


@pytest.fixture
def paths(tmp_path: Path) -> WorkspacePaths:
    (tmp_path / ".cuedeck").mkdir()
    return WorkspacePaths(str(tmp_path))


def one(name: str) -> Make:
    return lambda entries, now: [{"id": name, "timestamp": now}]


def test_entries_have_increasing_times_with_any_clock(paths: WorkspacePaths) -> None:
    place = Path(paths.root, ".cuedeck", "decisions.jsonl")
    place.write_bytes(b'{"id":"z","timestamp":"2999-12-31T23:59:59Z"}\n')
    Ledger(paths).append("decisions", one("a"))
    Ledger(paths).append("decisions", one("b"))
    times = [entry.timestamp for entry in Ledger(paths).read_log("decisions").entries]
    assert times == [
        "2999-12-31T23:59:59Z",
        "2999-12-31T23:59:59.000001Z",
        "2999-12-31T23:59:59.000002Z",
    ]


def test_a_last_line_without_its_newline_is_kept_whole(paths: WorkspacePaths) -> None:
    place = Path(paths.root, ".cuedeck", "decisions.jsonl")
    place.write_bytes(b'{"id":"a"}')
    Ledger(paths).append("decisions", one("b"))
    assert [entry.id for entry in Ledger(paths).read_log("decisions").entries] == [
        "a",
        "b",
    ]


def test_values_derived_from_a_ledger_are_cached_until_it_changes(
    paths: WorkspacePaths,
) -> None:
    ledgers = Ledger(paths)
    Ledger(paths).append("decisions", one("a"))
    made = ledgers.derive("decisions", list)
    assert ledgers.derive("decisions", list) is made
    assert ledgers.derive("decisions", len) == 1
    Ledger(paths).append("decisions", one("b"))
    assert [entry.id for entry in ledgers.derive("decisions", list)] == ["a", "b"]


def test_a_grown_ledger_equals_one_read_completely(paths: WorkspacePaths) -> None:
    kept, place = Ledger(paths), Path(paths.absolute(".cuedeck/decisions.jsonl"))
    data = b""
    for more in (
        b'{"id":"a"}\n',
        b"broken\n",
        b'{"id":"b"}',
        b"\n[]\n",
        b'{"id":"c"}\n',
    ):
        data += more
        place.write_bytes(data)
        assert kept.read_log("decisions") == Ledger(paths).read_log("decisions")
    place.write_bytes(b'{"id":"z"}\n')
    assert [entry.id for entry in kept.read_log("decisions").entries] == ["z"]


def test_a_ledger_that_is_a_link_is_not_read(
    paths: WorkspacePaths, tmp_path: Path
) -> None:
    other = tmp_path / "other.jsonl"
    other.write_bytes(b'{"id":"z","timestamp":"2026-05-03T12:00:00Z"}\n')
    Path(paths.root, ".cuedeck", "decisions.jsonl").symlink_to(other)
    ledgers = Ledger(paths)
    found = ledgers.read_log("decisions")
    assert found.entries == ()
    assert [fault.code for fault in found.faults] == ["unreadable"]
    with pytest.raises(StorageError):
        ledgers.append("decisions", one("a"))
