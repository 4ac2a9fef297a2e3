"""An edit of a memory file makes no hidden secret visible."""

from __future__ import annotations

import pytest

from cuedeck.knowledge.memory.memory_file_text import show_text
from cuedeck.knowledge.memory.restored_memory_text import restore_text
from cuedeck.model.errors import Invalid
from cuedeck.parse.secrets import find_secrets

PASSWORD = "Gx7-" + "kQ2mWp0LrT7v"
KEY = "Zx81kQp0Lm92" + "Vb77Yt6Rq"
TOKEN = "ghp_" + "a1B2c3D4e5F6" * 3
FILE = f'# User\n\n- password: "{PASSWORD}"\n'


def written(text: str, *changes: tuple[str, str], hidden: int = 0) -> str:
    """Return the new text of a file whose shown text a reader changes."""
    lines = {hidden: "record"} if hidden else {}
    shown = show_text(text, lines, find_secrets)
    edited = shown.text(1, shown.count)
    for old, new in changes:
        assert old in edited
        edited = edited.replace(old, new)
    return restore_text(shown, edited, find_secrets).text


@pytest.mark.parametrize(
    "line",
    [
        "- note <secret:password:1>",
        "- The word is <secret:password:1>",
        "- <secret:password:1> opens the vault",
        "<secret:password:1>",
    ],
)
def test_secret_that_loses_its_context_is_refused(line: str) -> None:
    with pytest.raises(Invalid, match=r"line 3: .*<secret:password:1>.* visible") as (
        error
    ):
        written(FILE, ('- password: "<secret:password:1>"', line))
    assert PASSWORD not in str(error.value) + error.value.hint


def test_secret_that_keeps_its_context_is_restored() -> None:
    change = ("- password: ", "* the new password: ")
    assert written(FILE, change) == FILE.replace(*change)
    change = ('- password: "<secret:password:1>"', "")
    assert written(FILE, change) == "# User\n\n\n"


def test_password_of_a_url_stays_in_its_url() -> None:
    file = f"postgres://app:{PASSWORD}@db.internal:5432/x\n"
    change = ("db.internal", "db2.internal")
    assert written(file, change) == file.replace(*change)
    with pytest.raises(Invalid, match="<secret:url-password:1>"):
        written(file, ("postgres://app:", "app, "))


def test_token_of_a_vendor_needs_no_context() -> None:
    assert written(f"uses {TOKEN}\n", ("uses", "it is")) == f"it is {TOKEN}\n"


def test_unchanged_line_that_loses_its_context_is_refused() -> None:
    file = f"- name: API_KEY\n  value: {KEY}\n"
    assert written(file, ("- name", "-  name")) == file.replace("- name", "-  name")
    with pytest.raises(Invalid, match=r"line 2: .*<secret:api-key:1>"):
        written(file, ("API_KEY", "note"))


def test_part_of_a_secret_that_becomes_visible_is_refused() -> None:
    file = f'- password: "{PASSWORD},and-more#9"\n'
    with pytest.raises(Invalid, match="line 1: "):
        written(file, ('"', ""))


def test_hidden_lines_are_not_searched() -> None:
    file = f"- {{hidden}}\n- password: {PASSWORD}\nprose\n"
    change = ("prose", "PROSE")
    assert written(file, change, hidden=1) == file.replace(*change)
