"""A build of layers that is killed at one of its writes, and the build after it."""

from __future__ import annotations

from pathlib import Path

import pytest
from crash_runner import KILLED, NO_CRASH, CrashRunner, crash_points, sample_points
from workspace_copy import WorkspaceCopy

BUILD = ["layers", "build"]
MOST_CRASHES = 15
"""Crash points that are spread over the build; those of other operations are added."""
LONG = " ".join(f"Step {number} of the release is documented." for number in range(60))
FILES = {
    "resources/guide/intro.md": f"# Intro\n\nThe guide.\n\n{LONG}\n",
    "user/default/preferences/editor.md": "---\ntype: preference\nkey: editor\n---\nVim.\n",
    "session/default/timeline/2026-11/22/09_15_00_1a2b3c4d.md": (
        "---\nid: 1a2b3c4d\nrole: user\nseq: 1\n---\nWe decided to use SQLite.\n"
    ),
}


@pytest.fixture(scope="module")
def template(
    tmp_path_factory: pytest.TempPathFactory, crash_runner: CrashRunner
) -> Path:
    """A workspace with a small cortex tree without layers."""
    root = tmp_path_factory.mktemp("layers").resolve() / "before"
    root.mkdir()
    crash_runner.ok(root, ["init"])
    for path, text in FILES.items():
        place = root / ".cuedeck/cortex" / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    return root


def tree(root: Path) -> dict[str, bytes]:
    """Return the files of the cortex tree without temporary files."""
    top = root / ".cuedeck/cortex"
    return {
        place.relative_to(top).as_posix(): place.read_bytes()
        for place in sorted(top.rglob("*"))
        if place.is_file() and place.suffix != ".tmp"
    }


def test_a_build_after_a_crash_gives_the_same_layers(
    template: Path, crash_runner: CrashRunner, shared_runner: CrashRunner
) -> None:
    workspace = WorkspaceCopy(template, template.with_name("work"))
    root = workspace.restore()
    result = crash_runner.run(root, BUILD, plan=NO_CRASH)
    assert result.ran[0].code == 0, result
    wanted = tree(root)
    assert len(wanted) > len(FILES) + 10
    # The last writes are those of the cache, whose number varies.
    plans = crash_points(result.writes)[:-6]
    assert len(plans) > 10
    for plan in sample_points(plans, result.writes, MOST_CRASHES):
        workspace.restore()
        assert crash_runner.run(root, BUILD, plan=plan).signal == KILLED
        for path, text in FILES.items():
            assert tree(root)[path] == text.encode()
        shared_runner.ok(root, BUILD)
        assert tree(root) == wanted, plan
        shared_runner.ok(root, ["layers", "verify"])
