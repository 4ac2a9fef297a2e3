"""Of texts that differ in one word, the newest is first."""

from __future__ import annotations

from collections.abc import Sequence

from cuedeck.records.recall.recall_candidate import (
    Candidate,
    RankedUnit,
    drop_duplicates,
    put_newer_first,
)

QUERY = {"server", "port"}
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


def texts(units: Sequence[RankedUnit]) -> list[str]:
    return [" ".join(unit.candidate.stems) for unit in units]


def test_a_newer_value_takes_the_place_and_the_score_of_the_older() -> None:
    units = ranked(
        ("server port 8080", OLD), ("harbour", NEW), ("server port 9090", NEW)
    )
    found = put_newer_first(units, QUERY)
    assert texts(found) == ["server port 9090", "harbour", "server port 8080"]
    assert [unit.score for unit in found] == [100, 99, 98]
    assert [unit.parts for unit in found] == [{"newer": 1.02}, {}, {"newer": 0.98}]


def test_a_newer_copy_without_points_takes_the_score_of_the_older() -> None:
    old, new = ranked(("server port 8080", OLD), ("server port 8080", NEW))
    (found,) = drop_duplicates([old, new._replace(score=0)])
    assert found == new._replace(score=old.score)


def test_a_word_of_the_query_is_another_subject() -> None:
    units = ranked(("server port 8080", OLD), ("client port 8080", NEW))
    assert put_newer_first(units, QUERY) == units


def test_texts_without_a_date_or_of_two_words_stay() -> None:
    for text, other in (("server port 8080", "server port 9090"), ("port a", "port b")):
        units = ranked((text, OLD), (other, "" if "server" in text else NEW))
        assert put_newer_first(units, QUERY) == units
