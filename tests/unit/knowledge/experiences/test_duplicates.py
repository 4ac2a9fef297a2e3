"""The index of known texts finds the same duplicates as a comparison with each text."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.experiences.shares import compare
from cuedeck.knowledge.experiences.duplicates import (
    DuplicateIndex,
    NearDuplicate,
    find_near,
)

WORDS = """
    the user users prefers prefer dark mode try tries 80 81 not red Anna tabs over spaces and tests two écrit écrivent
    設定 赤い 青い しない する тест тесты не verify_token
    != & 👍 👎 -5 -v -V PATH path C++ then नहीं ไม่ nu 再 after
"""
TEXTS = st.lists(st.sampled_from(WORDS.split()), max_size=6).map(" ".join)


@given(st.lists(TEXTS, max_size=8), TEXTS, st.sampled_from([0.3, 0.5, 0.6, 0.85, 1.0]))
@settings(deadline=None, max_examples=80)
@pytest.mark.parametrize("how", ["words", "hash128"])
def test_index_finds_every_near_duplicate(
    how: str, known: list[str], text: str, threshold: float
) -> None:
    named = {f"{at}": each for at, each in enumerate(known)}
    found = [
        (-round(compare(how, text, each), 12), identity)
        for identity, each in named.items()
    ]
    best = -min(found)[0] if found else -1.0
    for near in (
        _find_with_index(how, threshold, named, text),
        find_near(how, threshold, named, text),
    ):
        if best < threshold - 1e-9:
            assert near is None
        elif best > threshold + 1e-9:
            assert near is not None
            assert near.similarity == pytest.approx(best)
            assert compare(how, text, named[near.id]) == pytest.approx(best)


def _find_with_index(
    how: str, threshold: float, known: dict[str, str], text: str
) -> NearDuplicate | None:
    store = DuplicateIndex(how, threshold)
    for identity, each in known.items():
        store.add(identity, each)
    return store.find(text)


def test_most_similar_text_is_found_and_ties_give_the_first() -> None:
    long = "the team runs every test of the parser before each release of the service"
    known = {
        "c": f"{long} of Berlin and Vienna",
        "b": f"{long} of Berlin",
        "a": "the team sleeps",
    }
    near = find_near("words", 0.85, known, long)
    assert near is not None
    assert (near.id, near.similarity < 1) == ("b", True)
    assert find_near(
        "words", 0.85, {**known, "z": long.upper()}, long
    ) == NearDuplicate("z", 1.0)


def test_text_in_a_script_unknown_to_the_original_equals_its_copy_e16() -> None:
    store = DuplicateIndex("hash128", 0.85)
    store.add("a", "Пользователь любит чай")
    assert store.find("Пользователь любит чай ") == NearDuplicate("a", 1.0)
    assert store.find("Пользователь любит кофе") is None
