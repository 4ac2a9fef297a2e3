"""The fast path of hooks: a few files show that there is no work; unclear cases take
the full path.
"""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

import pytest

from cuedeck.model.hook_event import (
    MEMORY,
    NOTHING,
    SCENE,
    HookEvent,
    file_name,
    stat_row,
)
from cuedeck.shells.hook.fast_path import files_inside, find_root, needed_work
from cuedeck.store.workspace_paths import WorkspacePaths


def state(root: Path, **words: Any) -> None:
    """Write the state of a session that knows `src/a.py`."""
    source = root / "src/a.py"
    source.parent.mkdir(parents=True, exist_ok=True)
    if not source.exists():
        source.write_text("x = 1\n")
    mark = stat_row(os.stat(source))
    value = {
        "schema": 2, "given": {}, "compacted": False, "ended": False, "asks": False, "progress_at": time.time(),
        "prints": {"src/a.py": mark, "src/none.py": []}, "touched": {"src/a.py": ["read", mark]},
    }  # fmt: skip
    place = (
        Path(WorkspacePaths(str(root)).private)
        / "hooks"
        / file_name(HookEvent("prompt", "claude", session="a"))
    )
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(json.dumps({**value, **words}))


def prompt(root: Path, text: str = "go") -> int:
    event = HookEvent("prompt", "claude", session="a", prompt=text)
    return needed_work(str(root), event)


def tool(root: Path, role: str, *files: str) -> int:
    event = HookEvent("post-tool", "claude", session="a", role=role, files=files)
    return needed_work(str(root), event)


def test_a_prompt_needs_nothing_while_all_is_as_it_was(tmp_path: Path) -> None:
    assert prompt(tmp_path) == SCENE
    state(tmp_path)
    assert prompt(tmp_path) == NOTHING
    (tmp_path / "src/none.py").write_text("")
    assert prompt(tmp_path) == SCENE


def test_a_prompt_needs_progress_after_five_minutes(tmp_path: Path) -> None:
    for at in (0, time.time() + 9_999):
        state(tmp_path, progress_at=at)
        assert prompt(tmp_path) == MEMORY


@pytest.mark.parametrize(
    "words",
    [{"given": None}, {"compacted": True}, {"ended": True}, {"prints": {"src/a.py": None}},
     {"prints": {"src/a.py": [1, 2, 3, 4]}}, {"schema": 1}, {"prints": 7}],
)  # fmt: skip
def test_a_prompt_needs_a_scene_where_anything_may_be_new(
    tmp_path: Path, words: dict[str, Any]
) -> None:
    state(tmp_path, **words)
    assert prompt(tmp_path) == SCENE


def test_a_question_is_searched_if_the_settings_enable_it(tmp_path: Path) -> None:
    state(tmp_path, asks=True)
    assert prompt(tmp_path, "continue") == NOTHING
    assert prompt(tmp_path, "What about the form?") == MEMORY
    state(tmp_path, asks=False)
    assert prompt(tmp_path, "What about the form?") == NOTHING


def test_a_tool_needs_nothing_without_files_or_with_files_that_are_known(
    tmp_path: Path,
) -> None:
    assert tool(tmp_path, "") == NOTHING
    assert tool(tmp_path, "read", "src/a.py") == SCENE
    state(tmp_path)
    assert tool(tmp_path, "read", "src/a.py") == NOTHING
    assert tool(tmp_path, "write", "src/a.py") == SCENE
    assert tool(tmp_path, "read", "src/a.py", "src/b.py") == SCENE
    (tmp_path / "src/a.py").write_text("x = 22\n")
    assert tool(tmp_path, "read", "src/a.py") == SCENE


def test_other_events_need_all_work(tmp_path: Path) -> None:
    state(tmp_path)
    for event in ("session-start", "pre-compact", "stop", "session-end"):
        assert needed_work(str(tmp_path), HookEvent(event, "claude", session="a"))


def test_the_workspace_is_found_above_the_first_start_that_has_one(
    tmp_path: Path,
) -> None:
    root = tmp_path / "work"
    (root / ".cuedeck").mkdir(parents=True)
    (root / "deep/er").mkdir(parents=True)
    starts = ("", "a\0b", str(tmp_path / "none"), str(root / "deep/er"))
    assert find_root(starts) == os.path.realpath(root)
    assert find_root((str(tmp_path),)) == ""


def test_files_elsewhere_and_own_files_are_ignored(tmp_path: Path) -> None:
    root = os.path.realpath(tmp_path)
    os.makedirs(os.path.join(root, "src"))
    names = ("src/a.py", f"{root}/b.py", "src", "../x.py", "/etc/passwd", ".git/config", ".cuedeck/active", "",
             ".cuedeck/cards/a.md", "src/../c.py")  # fmt: skip
    answer = HookEvent("post-tool", "claude", folder=root, role="read", files=names)
    assert files_inside(root, answer) == (
        "src/a.py",
        "b.py",
        ".cuedeck/cards/a.md",
        "c.py",
    )
