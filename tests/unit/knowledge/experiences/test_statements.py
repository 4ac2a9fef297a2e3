"""Entities of a text."""

from __future__ import annotations

import pytest

from cuedeck.knowledge.experiences.distil import MAX_ENTITIES, find_entities


@pytest.mark.parametrize(
    ("text", "named"),
    [
        (
            "Fixed src/auth.py and src/auth.py#Login.verify.",
            ("src/auth.py", "src/auth.py#Login.verify"),
        ),
        ("verify_token calls verifyToken()", ("verify_token", "verifyToken")),
        ("src/a.py src/a.py", ("src/a.py",)),
        ("", ()),
    ],
)
def test_paths_and_code_are_entities(text: str, named: tuple[str, ...]) -> None:
    assert find_entities(text) == named


def test_number_of_entities_is_limited() -> None:
    text = " ".join(f"src/f{number}.py" for number in range(99))
    assert len(find_entities(text)) == MAX_ENTITIES
