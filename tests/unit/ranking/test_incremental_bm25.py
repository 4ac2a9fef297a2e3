"""A tally that was kept says what one that is made anew says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from cuedeck.ranking.bm25 import middle, rarity, score
from cuedeck.ranking.incremental_bm25 import Tally

NAMES = st.sampled_from(["a.py", "b.py", "c.py", "d.py", "e.py", "f.py"])
TERMS = st.sampled_from(["token", "login", "form", "=verify_token"])
TEXTS = st.dictionaries(TERMS, st.integers(1, 9), max_size=4)
QUERIES = st.dictionaries(TERMS, st.sampled_from([0.5, 1.0, 2.0]), max_size=3)
SLOPE = 0.75


class Step(NamedTuple):
    """Texts that are written anew or, as None, gone; and what is asked then."""

    edits: Mapping[str, Mapping[str, int] | None]
    query: Mapping[str, float]
    everything: bool
    """True when nobody knows what changed."""


STEPS = st.builds(
    Step,
    st.dictionaries(NAMES, st.one_of(st.none(), TEXTS), max_size=3),
    st.one_of(st.just({"token": 1.0, "login": 2.0}), QUERIES),
    st.sampled_from([False, False, False, True]),
)


class Shelf:
    """Texts as counts of terms."""

    def __init__(self) -> None:
        self.texts: dict[str, Mapping[str, int]] = {}

    def take(self, edits: Mapping[str, Mapping[str, int] | None]) -> None:
        for name, counts in edits.items():
            self.texts.pop(name, None)
            if counts is not None:
                self.texts[name] = counts

    @property
    def lengths(self) -> dict[str, int]:
        return {name: sum(counts.values()) for name, counts in self.texts.items()}

    def postings(self, term: str) -> dict[str, int]:
        return {name: counts[term] for name, counts in self.texts.items() if term in counts}

    def points(self, tally: Tally, query: Mapping[str, float], changed: list[str] | None) -> dict[str, int]:
        mean = middle(sum(self.lengths.values()), len(self.texts))
        tally.note(changed)
        found = tally.update(query, self.postings, self.lengths, mean=mean)
        return {name: value for name, value in found.items() if value}


@given(st.lists(STEPS, max_size=8))
def test_after_any_edits_the_points_are_those_of_a_new_tally(steps: list[Step]) -> None:
    shelf, kept = Shelf(), Tally(SLOPE)
    pending: dict[str, None] = {}
    for at, step in enumerate(steps):
        shelf.take(step.edits)
        pending.update(dict.fromkeys(step.edits))
        changed = None if step.everything or at == 0 else list(pending)
        pending.clear()
        found = shelf.points(kept, step.query, changed)
        assert found == shelf.points(Tally(SLOPE), step.query, None)
        postings = {term: shelf.postings(term) for term in step.query}
        plain = score(step.query, postings, shelf.lengths, total=len(shelf.texts), slope=SLOPE)
        assert found == {name: value for name, value in plain.items() if value}


def test_to_ask_twice_changes_nothing() -> None:
    shelf, tally = Shelf(), Tally(SLOPE)
    shelf.take({"a.py": {"token": 2}, "b.py": {"token": 1, "form": 3}, "c.py": {"form": 1}, "d.py": {}})
    first = shelf.points(tally, {"token": 1.0}, None)
    assert first.keys() == {"a.py", "b.py"}
    assert shelf.points(tally, {"token": 1.0}, []) == first
    assert shelf.points(tally, {"token": 1.0}, ["a.py", "gone.py"]) == first


def test_what_is_asked_for_no_longer_gives_no_points() -> None:
    shelf, tally = Shelf(), Tally(SLOPE)
    shelf.take({"a.py": {"token": 2}, "b.py": {"form": 1}})
    assert shelf.points(tally, {"token": 1.0, "form": 1.0}, None).keys() == {"a.py", "b.py"}
    assert shelf.points(tally, {"form": 1.0}, []).keys() == {"b.py"}
    assert shelf.points(tally, {}, []) == {}


def test_points_are_those_of_the_weight_and_the_rarity_of_now() -> None:
    shelf, tally = Shelf(), Tally(SLOPE)
    shelf.take({f"{at}.py": {"form": 1} for at in range(20)} | {"a.py": {"token": 1}})
    rare = shelf.points(tally, {"token": 1.0}, None)["a.py"]
    more = {f"{at}.py": {"token": 1} for at in range(10)}
    shelf.take(more)
    common = shelf.points(tally, {"token": 1.0}, list(more))["a.py"]
    assert rarity(11, 21) < rarity(1, 21) and 0 < common < rare
    assert shelf.points(tally, {"token": 2.0}, [])["a.py"] == 2 * common
