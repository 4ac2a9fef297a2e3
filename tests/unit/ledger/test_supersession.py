"""Superseded records: the scan, the memory block and compaction agree on them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from cuedeck.knowledge.compaction.select_records import Selection, select
from cuedeck.ledger.records.record_file import format_record, parse_records
from cuedeck.ledger.records.record_lookup import superseded

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)


def lines(records: dict[str, Any], category: str = "note") -> str:
    """Return MEMORY.md with records by id and the ids that each supersedes."""
    old = {"timestamp": "2026-01-01T00:00:00Z"}
    rows = (
        {
            "id": key,
            "category": category,
            "text": f"say {key}",
            "supersedes": message,
            "provenance": old,
        }
        for key, message in records.items()
    )
    return "".join(f"{format_record(row)}\n" for row in rows)


def ids_of(chosen: Selection) -> dict[str, str]:
    silent = [row for row in chosen.gone if row not in chosen.fresh]
    parts = {"kept": chosen.kept, "fresh": chosen.fresh, "silent": silent}
    return {name: " ".join(row.id for row in rows) for name, rows in parts.items()}


@pytest.mark.parametrize(
    ("links", "gone"),
    [
        ({"a": None, "b": ["a"]}, {"a": "b"}),
        ({"a": None, "b": "a"}, {"a": "b"}),
        ({"b": ["gone", 7, ["c"], ""]}, {"gone": "b"}),
        ({"a": ["a"], "b": {"a": 1}}, {}),
        ({"a": ["b"], "b": "a"}, {}),
        ({"a": ["b", "c"], "b": ["a"], "c": None, "d": ["a"]}, {"c": "a", "a": "d"}),
        ({"a": ["b"], "b": ["c"], "c": ["a"], "d": ["e"], "e": None}, {"e": "d"}),
    ],
)
def test_superseded_records_are_the_same_for_all_readers(
    links: dict[str, Any], gone: dict[str, str]
) -> None:
    """In a cycle, both records used to be withheld and only archived, although the scan
    reported no superseded record.
    """
    text = lines(links)
    records = parse_records(text).records
    assert superseded(records) == gone
    chosen = select(text, NOW, 7)
    assert chosen.replaced == gone.keys()
    assert ids_of(chosen)["silent"] == " ".join(each for each in links if each in gone)


def test_records_in_a_cycle_are_kept_or_compacted_together() -> None:
    assert ids_of(select(lines({"a": ["b"], "b": ["a"]}), NOW, 7)) == {
        "kept": "",
        "fresh": "a b",
        "silent": "",
    }
    text = lines({"a": ["b"]}, "learned") + lines({"b": ["a"]})
    assert ids_of(select(text, NOW, 7)) == {"kept": "a b", "fresh": "", "silent": ""}
