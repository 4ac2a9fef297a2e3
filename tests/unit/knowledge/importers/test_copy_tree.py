"""A CueDeck tree is copied to another workspace and back without any change."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from foreign_memory import contents, import_twice

if TYPE_CHECKING:
    from conftest import Timeline
    from sandbox import Sandbox

ROOT = ".cuedeck/cortex"
STATEMENTS = (
    "I prefer tea.",
    "I don't prefer tea.",
    "I prefer large commits over small ones.",
    "Ana is our designer.",
    "Ana is our manager.",
    "We decided to use Postgres.",
    "My name is Zoë.",
    "I live in Bogotá.",
    "I work at Initech.",
    "Ben is my manager.",
    "TODO: ship the release.",
    "Problem: the login fails.\n\nSolution: refresh the token.",
    "I learned to bisect commits.",
    "Always run the tests.",
    "Never run the tests.",
    "Prefiero el café.",
)


@pytest.fixture
def other(tmp_path_factory: pytest.TempPathFactory) -> Sandbox:
    return new_sandbox(tmp_path_factory.mktemp("other"))


def new_sandbox(root: Path) -> Sandbox:
    from sandbox import Sandbox

    (root / ".cuedeck").mkdir(parents=True, exist_ok=True)
    return Sandbox(root, {})


def backup(sandbox: Sandbox, place: Path) -> Path:
    """Copy the tree of a workspace."""
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(sandbox.place(ROOT), place)
    return place


def cards_and_messages(sandbox: Sandbox) -> dict[str, bytes | str]:
    found = contents(sandbox.place(ROOT))
    return {name: found[name] for name in found if "/." not in f"/{name}"}


def test_a_tree_is_copied_and_returns_unchanged(
    timeline: Timeline, other: Sandbox, tmp_path_factory: pytest.TempPathFactory
) -> None:
    for text in STATEMENTS:
        timeline.say(text, session="s1")
    timeline.say("I prefer coffee.\r\nAlways.\r\n\r\n", session="crlf")
    timeline.say("\r\nan empty first line", session="crlf")
    timeline.say("\n\nI prefer coffee.\n", role="assistant", session="../x y?")
    timeline.commit("s1")
    timeline.commit("crlf")
    timeline.sandbox.write(f"{ROOT}/resources/notes.md", b"# Notes\r\n")
    place = tmp_path_factory.mktemp("copies")
    wanted = timeline.files()
    assert any(b"## Superseded" in data for data in wanted.values())
    done = import_twice(other, backup(timeline.sandbox, place / "tree"))
    assert done["counts"]["refused"] == done["counts"]["merged"] == 0
    assert cards_and_messages(other) == cards_and_messages(timeline.sandbox)
    assert b'"original_id": "../x y?"' in b"".join(other.bytes().values())
    for source in (place / "tree", backup(other, place / "back")):
        done = import_twice(timeline.sandbox, source)
        assert done["counts"]["refused"] == done["counts"]["merged"] == 0
        assert timeline.files() == wanted
