"""A hook does not wait for a long history: it answers without it and reports that, and
a later hook continues.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from sandbox import Sandbox

from cuedeck.agents.hooks.dispatch import run
from cuedeck.context.scene.build_scene import Request, make_scene
from cuedeck.model.hook_event import HookEvent

pytestmark = pytest.mark.skipif(
    os.name == "nt", reason="needs scripts in the place of git"
)
HANGS = """\
#!/bin/sh
case "$*" in *-U0*) exec sleep 60;; esac
exec "{git}" "$@"
"""
SILENT = "not read completely yet"


@pytest.fixture
def shop(sandbox: Sandbox) -> Sandbox:
    """A repository where `b.py` and the linked file changed together in old commits."""
    sandbox.git("init", "-q")
    sandbox.write(".gitignore", ".cuedeck/\n")
    for at in range(4):
        for name in ("a.py", "b.py"):
            sandbox.write(name, f"{name[0]} = {at}\n")
        sandbox.git("add", "-A")
        sandbox.git("commit", "-q", "-m", f"Change {at}")
    sandbox.card("abc123", "refs: [a.py]")
    sandbox.activate("abc123")
    return sandbox


@pytest.fixture
def slow(
    shop: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> pytest.MonkeyPatch:
    """Put a git that hangs on the lines of commits in the place of git, and give hooks
    little time.
    """
    place = tmp_path / "bin/git"
    place.parent.mkdir()
    place.write_text(HANGS.format(git=shutil.which("git")))
    place.chmod(0o755)
    monkeypatch.setenv("PATH", f"{place.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setattr("cuedeck.agents.hooks.dispatch._HISTORY_SECONDS", 1.0)
    return monkeypatch


def hear(sandbox: Sandbox, event: str, **fields: str) -> str:
    message: list[str] = []
    answer = HookEvent(event, "claude", session="s", name="SessionStart", **fields)  # type: ignore[arg-type]
    text = run(str(sandbox.root), answer, {}, message.append)
    assert message == []
    return text


def test_a_start_with_incomplete_history_writes_no_scene(
    shop: Sandbox, slow: pytest.MonkeyPatch
) -> None:
    brief = hear(shop, "session-start")
    assert SILENT in brief.replace("\n", " ")
    assert "changed together" not in brief
    assert not shop.scene.exists()
    slow.undo()
    scene = make_scene(shop.workspace(), Request())
    assert "changed together 4 times" in scene.text
    assert "missing" not in scene.report


def test_the_next_event_reads_on_and_the_scene_is_written(
    shop: Sandbox, slow: pytest.MonkeyPatch
) -> None:
    hear(shop, "session-start")
    slow.undo()
    news = hear(shop, "prompt", prompt="Look at it")
    assert "b.py" in news
    assert SILENT not in news
    assert "changed together 4 times" in shop.scene.read_text()
    assert shop.ok("scene", "--verify").code == 0


def test_a_scene_that_is_there_stays_as_it_was(
    shop: Sandbox, slow: pytest.MonkeyPatch
) -> None:
    shop.scene.parent.mkdir(exist_ok=True)
    shop.scene.write_text("as it was\n")
    assert SILENT in hear(shop, "session-start")
    assert shop.scene.read_text() == "as it was\n"


def test_a_scene_of_a_hanging_git_reports_it_and_is_rebuilt(
    shop: Sandbox, slow: pytest.MonkeyPatch
) -> None:
    slow.setattr("cuedeck.store.git.git_process.SILENT_SECONDS", 0.3)
    made = make_scene(shop.workspace(), Request())
    assert "> Made without git history (git hangs" in made.text
    hanging = "git history (git hangs: it printed nothing for a minute)"
    assert hanging in made.masked_report["missing"]
    slow.undo()
    again = make_scene(shop.workspace(), Request())
    assert "Made without" not in again.text
    assert again.report["receipt"] != made.report["receipt"]
    shop.scene.write_text(again.text)
    assert shop.ok("scene", "--verify").code == 0
