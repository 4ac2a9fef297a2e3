"""Entities and sentences of a text."""

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
        (
            "verify_token calls verifyToken() and __init__",
            ("verify_token", "verifyToken", "__init__"),
        ),
        ("run `git rebase` on main with @anna", ("git rebase", "@anna")),
        ("README.md, package.json: see", ("README.md", "package.json")),
        ("src/auth.pyを直した", ("src/auth.py",)),
        ("Login.verify and HTTPServer", ("Login.verify", "HTTPServer")),
        ("and/or, e.g. v1.2.3 at 10.5 by me@example.org", ()),
        ("", ()),
        ("src/a.py src/a.py", ("src/a.py",)),
    ],
)
def test_paths_code_and_people_are_entities(text: str, named: tuple[str, ...]) -> None:
    assert find_entities(text) == named


def test_number_of_entities_is_limited() -> None:
    assert (
        len(find_entities(" ".join(f"src/f{number}.py" for number in range(99))))
        == MAX_ENTITIES
    )
