"""Text of a file after an undo: the previous bytes and the lines added since."""

from __future__ import annotations

import pytest

from cuedeck.knowledge.compaction.undo_text import restore
from cuedeck.ledger.records.record_file import format_record


def line(number: int, text: str, category: str = "note") -> str:
    provenance = {
        "confidence": 1,
        "timestamp": "2026-11-21T12:00:00.000Z",
        "sensitivity": "public",
    }
    return format_record(
        {
            "id": f"id-{number}",
            "category": category,
            "text": text,
            "provenance": provenance,
        }
    )


A, B, C = line(1, "a"), line(2, "b"), line(3, "c")
MERGED = line(9, "a and b", category="compaction")


def join_lines(*lines: str) -> str:
    return "".join(f"{each}\n" for each in lines)


@pytest.mark.parametrize(
    "before", [join_lines("# title", A, B), f"{A}\r\n{B}", "", "\n\nprose\n"]
)
def test_undo_without_later_changes_restores_the_previous_bytes(before: str) -> None:
    assert restore(join_lines(MERGED), before, join_lines(MERGED)) == (before, 0)


def test_lines_added_later_follow_on_their_own_lines() -> None:
    assert restore(join_lines(MERGED, C, "mine"), f"{A}\n{B}", join_lines(MERGED)) == (
        join_lines(A, B, C, "mine"),
        2,
    )


def test_edited_record_keeps_its_place_and_its_new_text() -> None:
    edited = line(2, "b, corrected")
    assert restore(
        join_lines(MERGED, edited), join_lines(A, B, C), join_lines(MERGED)
    ) == (
        join_lines(A, edited, C),
        0,
    )


def test_edited_compaction_record_counts_as_an_added_line() -> None:
    edited = MERGED.replace("a and b", "a, then b")
    assert restore(join_lines(edited), join_lines(A, B), join_lines(MERGED)) == (
        join_lines(A, B, edited),
        1,
    )


def test_forgotten_records_do_not_return() -> None:
    assert restore(
        join_lines(MERGED, C), join_lines(A, B), join_lines(MERGED), {"id-1", "id-3"}
    ) == (
        join_lines(B),
        0,
    )
