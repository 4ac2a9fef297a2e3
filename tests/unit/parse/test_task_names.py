"""The words of a task that are names of files and definitions are found."""

from __future__ import annotations

import pytest

from cuedeck.parse.task_names import TaskName, read_task_names, task_title


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Fix src/auth.py and auth.py#Login.verify.", ["src/auth.py", "auth.py#Login.verify"]),
        ("**src/auth.py**, (`docs/x`) or './lib/a.rs'!", ["src/auth.py", "docs/x", "lib/a.rs"]),
        ("at src/auth.py:42:7 and src/auth.py#L10-L40", ["src/auth.py", "src/auth.py#L10-L40"]),
        ('  File "src/pkg/__init__.py", line 3, in verify', ["src/pkg/__init__.py"]),
        ("Call Login.verify(), std::fmt or verify_it(), not next()", ["Login.verify()", "std::fmt", "verify_it()"]),
        ("Rename `verify_token` of `Login`, not verify_token or `help`", ["verify_token", "Login"]),
        ("see decision:ab/x https://example.org/a.py a@example.org www", ["decision:ab/x"]),
        ("Fix login for expired tokens", []), ("…/# . .. -- #12", []),
    ],
)  # fmt: skip
def test_names_are_found(text: str, names: list[str]) -> None:
    found = list(read_task_names(text))
    assert [name.text for name in found if name.text not in ("…/", "..")] == names


def test_a_name_has_its_line_and_its_possible_kinds() -> None:
    assert list(read_task_names("Fix\nauth.py and\n\n`Verify`")) == [
        TaskName("auth.py", 2, is_path=True, is_definition=True),
        TaskName("Verify", 4, is_path=False, is_definition=True),
    ]


@pytest.mark.parametrize(
    ("text", "title"), [("# Fix it #\n\nNow.", "Fix it"), ("\n Fix\n", "Fix"), ("", "")]
)
def test_the_title_is_the_first_line(text: str, title: str) -> None:
    assert task_title(text) == title


def test_a_hundred_kilobytes_are_read_at_once() -> None:
    for text in (
        "a" * 100_000,
        "a." * 50_000,
        "a/" * 50_000,
        "a_" * 50_000,
        "#" * 100_000,
        "`" * 100_000,
    ):
        assert len(list(read_task_names(text))) <= 1
