"""Detached commands in real processes."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from sandbox import Sandbox, until

from cuedeck.store.files.background_process import FORBIDDEN, start
from cuedeck.store.files.file_lock import locked
from cuedeck.store.workspace_paths import WorkspacePaths

COMMAND = ("card", "new", "--", "made in the background")
MARK = ".cuedeck/cache/tick.started"
CALL = """
import sys
from cuedeck.store.files.background_process import start
from cuedeck.store.workspace_paths import WorkspacePaths
print(start(WorkspacePaths(sys.argv[1]), "tick", ("card", "new", "--", "outlived")))
"""


@pytest.fixture
def paths(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> WorkspacePaths:
    monkeypatch.setenv("PYTHONPATH", sandbox.environ["PYTHONPATH"])
    monkeypatch.delenv(FORBIDDEN, raising=False)
    return WorkspacePaths(str(sandbox.root))


def cards(sandbox: Sandbox) -> list[str]:
    return [
        card.read_text()
        for card in sorted(sandbox.place(".cuedeck/cards").glob("*.md"))
    ]


def test_it_outlives_its_parent_and_writes_nothing_to_its_streams(
    sandbox: Sandbox, paths: WorkspacePaths
) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", CALL, str(sandbox.root)],
        capture_output=True,
        text=True,
        timeout=20,
    )
    assert (ran.stdout, ran.stderr) == ("True\n", "")
    (card,) = until(lambda: cards(sandbox))
    assert "outlived" in card


def test_a_module_in_the_workspace_is_not_run(
    sandbox: Sandbox, paths: WorkspacePaths
) -> None:
    for name in ("json.py", "cuedeck/__main__.py", "cuedeck/__init__.py"):
        sandbox.write(name, "open('taken', 'w')\n")
    assert start(paths, "tick", COMMAND)
    until(lambda: cards(sandbox))
    assert not sandbox.place("taken").exists()


def test_a_second_one_is_not_started_right_after_the_first(
    sandbox: Sandbox, paths: WorkspacePaths
) -> None:
    assert start(paths, "tick", COMMAND)
    assert not start(paths, "tick", COMMAND)
    os.utime(sandbox.place(MARK), (0, 0))
    assert start(paths, "tick", COMMAND)
    until(lambda: len(cards(sandbox)) == 2)


def test_none_is_started_while_one_holds_the_lock(
    sandbox: Sandbox, paths: WorkspacePaths
) -> None:
    with locked(paths, "tick", 0):
        assert not start(paths, "tick", COMMAND)
    assert not sandbox.place(MARK).exists()


def test_where_it_is_forbidden_nothing_starts_and_no_file_appears(
    sandbox: Sandbox, paths: WorkspacePaths, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(FORBIDDEN, "1")
    assert not start(paths, "tick", COMMAND)
    assert not sandbox.place(".cuedeck/cache").exists()
