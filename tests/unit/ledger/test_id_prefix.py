"""Lookup of ids by prefix."""

from __future__ import annotations

import pytest

from cuedeck.ledger.id_prefix import pick
from cuedeck.model.errors import Ambiguous, NotFound

KNOWN = ("ab12cd", "ab12", "ab99zz")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("ab12", "ab12"),
        ("ab12c", "ab12cd"),
        ("decision:ab9", "ab99zz"),
        (" ab99zz ", "ab99zz"),
    ],
)
def test_id_is_found_by_itself_or_by_a_unique_prefix(text: str, found: str) -> None:
    assert pick(text, KNOWN, "decision") == found


def test_ambiguous_prefix_names_all_candidates() -> None:
    with pytest.raises(Ambiguous) as caught:
        pick("ab", KNOWN, "decision")
    assert caught.value.candidates == KNOWN


@pytest.mark.parametrize("text", ["", "decision:", "xy"])
def test_unknown_id_is_not_found(text: str) -> None:
    with pytest.raises(NotFound):
        pick(text, KNOWN, "decision")


def test_nearest_id_is_suggested() -> None:
    with pytest.raises(NotFound) as caught:
        pick("ab21cd", KNOWN, "decision")
    assert caught.value.hint == "did you mean `ab12cd`?"
