"""Selection of the experiences to evict from a full store."""

from __future__ import annotations

from cuedeck.knowledge.experiences.eviction import (
    SHARE,
    score_experiences,
    select_evicted,
)
from cuedeck.model.experience import Experience


def make_experience(identity: str, **fields: object) -> Experience:
    return Experience(
        **{"id": identity, "text": "x", "timestamp": "2026-01-10T00:00:00Z", **fields}
    )  # type: ignore[arg-type]


def test_value_depends_on_category_age_confidence_and_names() -> None:
    rows = [
        make_experience("plain", confidence=0.5),
        make_experience("high", category="learned", confidence=0.5),
        make_experience("names", entities=("a.py", "b.py"), confidence=0.5),
        make_experience("sure", confidence=1),
        make_experience("old", timestamp="2025-10-12T00:00:00Z", confidence=0.5),
        make_experience("undated", timestamp="?", confidence=0.5),
    ]
    worth = dict(zip((each.id for each in rows), score_experiences(rows), strict=True))
    assert worth == {
        "plain": 1.5,
        "high": 2.5,
        "names": 1.7,
        "sure": 2.0,
        "old": 1.0,
        "undated": 0.5,
    }


def test_nothing_is_evicted_while_there_is_room() -> None:
    assert select_evicted([make_experience("a"), make_experience("b")], 2) == []


def test_several_experiences_are_evicted_at_once() -> None:
    rows = [
        make_experience(
            f"{number:03d}", timestamp=f"2026-01-01T00:00:{number % 60:02d}Z"
        )
        for number in range(101)
    ]
    leaving = select_evicted(rows, 100)
    assert len(leaving) == 100 // SHARE
    assert leaving == ["000", "060"]


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
