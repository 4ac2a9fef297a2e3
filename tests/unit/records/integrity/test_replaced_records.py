"""Records that others have taken the place of."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from cuedeck.model.memory_record import SECRET, Record
from cuedeck.parse.timestamps import format_moment
from cuedeck.records.integrity.scan_records import find_findings

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)


def record(identity: str, text: str = "", supersedes: object = None, days: int = 1, **said: str) -> Record:
    value = {} if supersedes is None else {"supersedes": supersedes}
    return Record(identity, text, timestamp=format_moment(NOW - timedelta(days=days)), value=value, **said)


def test_a_superseded_record_contradicts_nothing_and_is_not_stale() -> None:
    old, new = record("a", "The port is 80.", days=400), record("b", "The port is 81.", ["a"])
    assert find_findings([old, new], NOW) == ()


def test_a_chain_is_superseded_up_to_its_end() -> None:
    chain = [record(str(at), f"The port is {at}.", [str(at - 1)], days=9_000 - at) for at in range(1, 5_000)]
    found = find_findings([record("0", "The port is 0.", days=9_000), *chain], NOW, 10_000)
    assert found == ()


@pytest.mark.parametrize("supersedes", [["gone"], "gone"])
def test_an_id_that_is_not_there_is_information(supersedes: object) -> None:
    (found,) = find_findings([record("a", supersedes=supersedes)], NOW)
    assert (found.kind, found.severity) == ("superseded", "info")
    assert found.command == "cuedeck memory edit a --supersedes none"
    assert found.message == "a supersedes `gone`, which is not here"


@pytest.mark.parametrize("supersedes", [[7], 7, {"a": 1}, [""], [["b"]]])
def test_what_is_no_id_is_said_to_be_none(supersedes: object) -> None:
    assert [each.message for each in find_findings([record("a", supersedes=supersedes)], NOW)] == [
        "a supersedes something that is no id"
    ]


def test_what_a_secret_record_supersedes_is_not_quoted() -> None:
    (found,) = find_findings([record("a", supersedes=["the pin is 9911"], sensitivity=SECRET)], NOW)
    assert "9911" not in found.message


def test_nobody_supersedes_anybody_in_a_circle() -> None:
    circle = [
        record("a", "The port is 80.", ["c"], 3),
        record("b", "", ["a"], 2),
        record("c", "The port is 81.", ["b"]),
    ]
    found = find_findings([*circle, record("d", "", ["a"])], NOW)
    assert [(each.kind, each.severity, each.record, each.other) for each in found] == [
        ("superseded", "error", "c", "a")
    ]
    assert found[0].message == "c and a supersede each other, in a circle of 3"


def test_a_record_that_supersedes_itself_is_an_error() -> None:
    (found,) = find_findings([record("a", supersedes=["a"])], NOW)
    assert (found.severity, found.message) == ("error", "a supersedes itself")


def test_an_id_of_different_records_is_a_warning_and_the_newest_counts() -> None:
    twice = [record("a", "The port is 80.", days=2), record("a", "The port is 81.")]
    (found,) = find_findings(twice, NOW)
    assert (found.kind, found.severity, found.message) == ("duplicate", "warning", "2 different records have the id a")


def test_one_record_read_from_two_files_is_one() -> None:
    assert find_findings([record("a", "The port is 80."), record("a", "The port is 80.")], NOW) == ()


def test_an_odd_id_is_quoted_for_the_shell_and_kept_on_one_line() -> None:
    (found,) = find_findings([record("a b\n; rm", supersedes=["gone"])], NOW)
    assert found.command == "cuedeck memory edit 'a b\n; rm' --supersedes none"
    assert found.message.startswith("a b?; rm supersedes")
