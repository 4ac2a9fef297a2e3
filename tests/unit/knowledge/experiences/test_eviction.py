"""Selection of the experiences to evict from a full store."""

from __future__ import annotations

from cuedeck.knowledge.experiences.distil import select_evicted
from cuedeck.model.memory_record import Experience


def make_experience(identity: str, **fields: object) -> Experience:
    return Experience(
        **{"id": identity, "text": "x", "timestamp": "2026-01-10T00:00:00Z", **fields}
    )  # type: ignore[arg-type]


def test_oldest_experience_of_an_unprotected_category_leaves_first() -> None:
    rows = [
        make_experience("new"),
        make_experience("old", timestamp="2025-10-12T00:00:00Z"),
        make_experience("high", timestamp="2025-01-01T00:00:00Z", category="learned"),
    ]
    assert select_evicted(rows, 1) == ["old", "new"]


def test_nothing_is_evicted_while_there_is_room() -> None:
    assert select_evicted([make_experience("a"), make_experience("b")], 2) == []


def test_newest_and_at_least_one_experience_stay() -> None:
    old, new = (
        make_experience("old", category="learned"),
        make_experience("new", timestamp="2020-01-01T00:00:00Z"),
    )
    assert select_evicted([old, new], 1, ("new",)) == ["old"]
    assert select_evicted([old, new], 1) == ["new"]
    assert select_evicted(
        [make_experience("a"), make_experience("b"), make_experience("c")], 1
    ) == ["a", "b"]
