"""Adding experiences."""

from __future__ import annotations

import pytest
from desk import Desk
from experience_desk import added, lines

from cuedeck.model.errors import Invalid


def test_case_17_what_is_known_is_not_added_again(desk: Desk) -> None:
    first = added(desk, "The user prefers to run tests before committing code")
    again = added(desk, "The user prefers to run tests before committing")
    assert (again["added"], again["id"], again["similarity"] >= 0.85) == (False, first["id"], True)
    assert len(lines(desk)) == 1


def test_case_18_what_is_different_is_added(desk: Desk) -> None:
    for text in ("User prefers dark mode", "We deployed the new API to production yesterday"):
        assert added(desk, text)["added"]


@pytest.mark.parametrize("text", ["", " \n", "x" * 20_001])
def test_a_text_that_is_none_is_refused(desk: Desk, text: str) -> None:
    before = desk.bytes()
    with pytest.raises(Invalid):
        added(desk, text)
    assert desk.bytes() == before
