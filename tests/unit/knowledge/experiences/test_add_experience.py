"""Adding experiences."""

from __future__ import annotations

import pytest
from experience_sandbox import added, lines
from sandbox import Sandbox

from cuedeck.model.errors import Invalid


def test_case_17_a_duplicate_is_not_added(sandbox: Sandbox) -> None:
    first = added(sandbox, "The user prefers to run tests before committing code")
    again = added(sandbox, "The user prefers to run tests before committing")
    assert (again["added"], again["id"], again["similarity"] >= 0.85) == (
        False,
        first["id"],
        True,
    )
    assert len(lines(sandbox)) == 1


def test_case_18_a_different_text_is_added(sandbox: Sandbox) -> None:
    for text in (
        "User prefers dark mode",
        "We deployed the new API to production yesterday",
    ):
        assert added(sandbox, text)["added"]


@pytest.mark.parametrize("text", ["", " \n", "x" * 20_001])
def test_an_empty_or_long_text_is_refused(sandbox: Sandbox, text: str) -> None:
    before = sandbox.bytes()
    with pytest.raises(Invalid):
        added(sandbox, text)
    assert sandbox.bytes() == before
