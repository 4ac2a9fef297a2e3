"""Of copies of a text, the newest is shown."""

from __future__ import annotations

from collections.abc import Sequence

from cuedeck.knowledge.recall.recall_candidate import (
    Candidate,
    RankedUnit,
    drop_duplicates,
)

OLD = "2026-10-02"
NEW = "2026-11-21"


def ranked(*units: tuple[str, str]) -> Sequence[RankedUnit]:
    """Return units with a text and a date, the best first."""
    return [
        RankedUnit(
            Candidate(at, text.encode(), text.split(), "a.md", date), 100 - at, {}
        )
        for at, (text, date) in enumerate(units)
    ]


def test_a_newer_copy_without_points_takes_the_score_of_the_older() -> None:
    old, new = ranked(("server port 8080", OLD), ("server port 8080", NEW))
    (found,) = drop_duplicates([old, new._replace(score=0)])
    assert found == new._replace(score=old.score)
