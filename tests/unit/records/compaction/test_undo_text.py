"""Text of a file after an undo: the bytes of before, and the lines added since."""

from __future__ import annotations

import pytest

from cuedeck.parse.record_file import format_record
from cuedeck.records.compaction.undo_text import restore


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


def text(*lines: str) -> str:
    return "".join(f"{each}\n" for each in lines)


@pytest.mark.parametrize(
    "before", [text("# title", A, B), f"{A}\r\n{B}", "", "\n\nprose\n"]
)
def test_without_changes_since_the_bytes_of_before_return(before: str) -> None:
    assert restore(text(MERGED), before, text(MERGED)) == (before, 0)


def test_added_lines_follow_on_their_own_lines() -> None:
    assert restore(text(MERGED, C, "mine"), f"{A}\n{B}", text(MERGED)) == (
        text(A, B, C, "mine"),
        2,
    )


def test_an_edited_record_keeps_its_place_and_its_new_text() -> None:
    edited = line(2, "b, corrected")
    assert restore(text(MERGED, edited), text(A, B, C), text(MERGED)) == (
        text(A, edited, C),
        0,
    )


def test_an_edited_compaction_record_is_an_added_line() -> None:
    edited = MERGED.replace("a and b", "a, then b")
    assert restore(text(edited), text(A, B), text(MERGED)) == (text(A, B, edited), 1)


def test_forgotten_records_do_not_return() -> None:
    assert restore(text(MERGED, C), text(A, B), text(MERGED), {"id-1", "id-3"}) == (
        text(B),
        0,
    )
