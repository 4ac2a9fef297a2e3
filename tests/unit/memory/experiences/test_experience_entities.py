"""What a text names."""

from __future__ import annotations

import pytest

from cuedeck.records.experiences.entities import MOST, entities_of


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("Fixed src/auth.py and src/auth.py#Login.verify.", ("src/auth.py", "src/auth.py#Login.verify")),
        ("verify_token calls verifyToken() and __init__", ("verify_token", "verifyToken", "__init__")),
        ("run `git rebase` on main with @anna", ("git rebase", "@anna")),
        ("README.md, package.json: see", ("README.md", "package.json")),
        ("src/auth.pyを直した", ("src/auth.py",)),
        ("Login.verify and HTTPServer", ("Login.verify", "HTTPServer")),
        ("and/or, e.g. v1.2.3 at 10.5 by me@example.org", ()),
        ("", ()),
        ("src/a.py src/a.py", ("src/a.py",)),
    ],
)
def test_addresses_code_words_and_people_are_named(text: str, named: tuple[str, ...]) -> None:
    assert entities_of(text) == named


def test_a_long_text_names_so_many_and_no_more() -> None:
    assert len(entities_of(" ".join(f"src/f{number}.py" for number in range(99)))) == MOST
