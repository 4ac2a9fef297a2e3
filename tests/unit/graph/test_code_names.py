"""Names that can only be names of code."""

from __future__ import annotations

import pytest

from cuedeck.graph.counterparts import fits, read_steps


@pytest.mark.parametrize(
    ("text", "in_mark", "in_prose"),
    [
        ("Login.verify(token)", ["Login", "verify"], ["Login", "verify"]),
        ("crate::auth#run", ["crate", "auth", "run"], ["crate", "auth", "run"]),
        ("verify_token", ["verify_token"], ["verify_token"]),
        ("verifyToken", ["verifyToken"], ["verifyToken"]),
        ("run()", ["run"], ["run"]),
        ("Token", ["Token"], []),
        ("class Token", ["Token"], []),
        ("run", [], []),
        ("Run it", [], []),
        ("", [], []),
    ],
)
def test_capital_letter_makes_a_code_name_only_in_code_marks(
    text: str, in_mark: list[str], in_prose: list[str]
) -> None:
    assert list(read_steps(text)) == in_mark
    assert list(read_steps(text, in_prose=True)) == in_prose


@pytest.mark.parametrize(
    ("name", "path", "definition", "holds"),
    [
        ("verify", "src/auth.py", "Login.verify", True),
        ("Login.verify", "src/auth.py", "Login.verify", True),
        ("auth.Login.verify", "src/auth.py", "Login.verify", True),
        ("src.check", "src/auth.py", "check", True),
        ("form.check", "src/auth.py", "check", False),
        ("in.verify", "src/auth.py", "Login.verify", False),
        ("Sheet.verify", "src/auth.py", "Login.verify", False),
    ],
)
def test_name_matches_by_its_last_steps_or_after_a_module(
    name: str, path: str, definition: str, holds: bool
) -> None:
    assert fits(name.split("."), path, definition) is holds
