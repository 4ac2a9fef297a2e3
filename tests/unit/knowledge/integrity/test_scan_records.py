"""Properties of the findings of all records, and findings about superseded records."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cuedeck.knowledge.integrity.scan_records import find_findings
from cuedeck.model.memory_record import SECRET, Record
from cuedeck.text.timestamps import format_moment

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
_SUBJECTS = ("the port", "the deploy day", "default branch", "用户", "Порт")
_CLAIMS = (
    "{0} is {1}.", "{0} is not {1}.", "{0}: {1}", "use {1} for {0}", "never use {1}", "prefers {1} over {0}",
    "{0}是{1}。",
)  # fmt: skip
_VALUES = ("80", "81", "Monday", "Friday", "main", "a/b.toml", "light mode")

_statements = st.builds(
    str.format,
    st.sampled_from(_CLAIMS),
    st.sampled_from(_SUBJECTS),
    st.sampled_from(_VALUES),
)
_texts = st.one_of(
    _statements,
    st.lists(_statements, min_size=1, max_size=3).map(" ".join),
    st.text(max_size=40),
)
_times = st.one_of(
    st.integers(0, 9).map(lambda days: (NOW - timedelta(days=days * 40)).isoformat()),
    st.sampled_from(["", "soon"]),
)
_records = st.lists(
    st.builds(
        Record,
        id=st.sampled_from([f"r{at}" for at in range(12)]),
        text=_texts,
        category=st.sampled_from(["note", "learned", "turn-summary", "compaction"]),
        timestamp=_times,
        sensitivity=st.sampled_from(["public", SECRET]),
    ),
    max_size=12,
    unique_by=lambda record: record.id,
)
_links = st.dictionaries(
    st.sampled_from([f"r{at}" for at in range(12)]),
    st.lists(st.sampled_from([f"r{at}" for at in range(14)])),
    max_size=4,
)


def _with_supersedes(
    records: list[Record], links: dict[str, list[str]]
) -> list[Record]:
    return [
        replace(each, value={"supersedes": links[each.id]} if each.id in links else {})
        for each in records
    ]


@settings(max_examples=40, deadline=None)
@given(_records, _links, st.randoms(use_true_random=False))
def test_order_of_records_does_not_matter(
    records: list[Record], links: dict[str, list[str]], chance: Random
) -> None:
    linked = _with_supersedes(records, links)
    shuffled = list(linked)
    chance.shuffle(shuffled)
    assert find_findings(shuffled, NOW) == find_findings(linked, NOW)


@settings(max_examples=40, deadline=None)
@given(_texts, st.lists(_times, min_size=2, max_size=5))
def test_equal_texts_never_contradict_each_other(text: str, times: list[str]) -> None:
    records = [
        Record(f"r{at}", text, "learned", timestamp=each)
        for at, each in enumerate(times)
    ]
    assert [
        each for each in find_findings(records, NOW) if each.kind == "contradiction"
    ] == []


@settings(max_examples=40, deadline=None)
@given(_records)
def test_proposed_commands_resolve_every_contradiction(records: list[Record]) -> None:
    links: dict[str, list[str]] = {}
    for _ in range(len(records) + 1):
        found = [
            each
            for each in find_findings(_with_supersedes(records, links), NOW)
            if each.kind == "contradiction"
        ]
        gone = {older for targets in links.values() for older in targets}
        assert not [each for each in found if {each.record, each.other} & gone]
        for each in found:
            links.setdefault(each.record, []).append(each.other)
    assert found == []


@settings(max_examples=40, deadline=None)
@given(_records, _links)
def test_case_41_a_message_is_one_line_and_keeps_secrets(
    records: list[Record], links: dict[str, list[str]]
) -> None:
    secret = {each.id for each in records if each.is_secret}
    for finding in find_findings(_with_supersedes(records, links), NOW):
        assert "\n" not in finding.message
        assert len(finding.message) < 200
        assert (
            '"' not in finding.message or not {finding.record, finding.other} & secret
        )


@settings(max_examples=40, deadline=None)
@given(_records)
def test_findings_are_distinct(records: list[Record]) -> None:
    found = find_findings(records, NOW)
    assert len(found) == len({(each.record, each.other, each.kind) for each in found})


def record(
    identity: str,
    text: str = "",
    supersedes: object = None,
    days: int = 1,
    **fields: str,
) -> Record:
    value = {} if supersedes is None else {"supersedes": supersedes}
    return Record(
        identity,
        text,
        timestamp=format_moment(NOW - timedelta(days=days)),
        value=value,
        **fields,
    )


def test_superseded_record_has_no_contradiction_and_is_not_stale() -> None:
    old, new = (
        record("a", "The port is 80.", days=400),
        record("b", "The port is 81.", ["a"]),
    )
    assert find_findings([old, new], NOW) == ()


def test_chain_of_records_is_superseded_except_its_end() -> None:
    chain = [
        record(str(at), f"The port is {at}.", [str(at - 1)], days=9_000 - at)
        for at in range(1, 1_200)  # deeper than the stack of Python
    ]
    found = find_findings(
        [record("0", "The port is 0.", days=9_000), *chain], NOW, 10_000
    )
    assert found == ()


@pytest.mark.parametrize("supersedes", [["gone"], "gone"])
def test_unknown_superseded_id_is_information(supersedes: object) -> None:
    (found,) = find_findings([record("a", supersedes=supersedes)], NOW)
    assert (found.kind, found.severity) == ("superseded", "info")
    assert found.command == "cuedeck memory edit a --supersedes none"
    assert found.message == "a supersedes `gone`, which does not exist"


@pytest.mark.parametrize("supersedes", [[7], 7, {"a": 1}, [""], [["b"]]])
def test_supersedes_value_that_is_not_an_id_is_reported(supersedes: object) -> None:
    assert [
        each.message
        for each in find_findings([record("a", supersedes=supersedes)], NOW)
    ] == ["a supersedes a value that is not an id"]


def test_ids_superseded_by_a_secret_record_are_not_quoted() -> None:
    (found,) = find_findings(
        [record("a", supersedes=["the pin is 9911"], sensitivity=SECRET)], NOW
    )
    assert "9911" not in found.message


def test_records_in_a_cycle_do_not_supersede_each_other() -> None:
    circle = [
        record("a", "The port is 80.", ["c"], 3),
        record("b", "", ["a"], 2),
        record("c", "The port is 81.", ["b"]),
    ]
    found = find_findings([*circle, record("d", "", ["a"])], NOW)
    assert [(each.kind, each.severity, each.record, each.other) for each in found] == [
        ("superseded", "error", "c", "a")
    ]
    assert found[0].message == "c and a supersede each other, in a cycle of 3"


def test_record_that_supersedes_itself_is_an_error() -> None:
    (found,) = find_findings([record("a", supersedes=["a"])], NOW)
    assert (found.severity, found.message) == ("error", "a supersedes itself")


def test_id_of_different_records_is_a_warning_and_the_newest_record_counts() -> None:
    twice = [record("a", "The port is 80.", days=2), record("a", "The port is 81.")]
    (found,) = find_findings(twice, NOW)
    assert (found.kind, found.severity, found.message) == (
        "duplicate",
        "warning",
        "2 different records have the id a",
    )


def test_record_read_from_two_files_counts_once() -> None:
    assert (
        find_findings(
            [record("a", "The port is 80."), record("a", "The port is 80.")], NOW
        )
        == ()
    )


def test_unusual_id_is_quoted_for_the_shell_and_kept_on_one_line() -> None:
    (found,) = find_findings([record("a b\n; rm", supersedes=["gone"])], NOW)
    assert found.command == "cuedeck memory edit 'a b\n; rm' --supersedes none"
    assert found.message.startswith("a b?; rm supersedes")
