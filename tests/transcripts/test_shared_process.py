"""Helpers of other tests: commands in one process give the results of new processes,
and a restored copy of a workspace equals its template.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from crash_runner import CrashRunner
from sandbox import Sandbox
from shared_process import SharedSandbox
from workspace_copy import WorkspaceCopy

TOKEN = "ghp_" + "Zq7" * 12
COMMANDS = (
    ("init",),
    ("card", "activate", "aaaaaa"),
    ("card", "show", "aaaaaa"),
    ("scene",),
    ("scene", "--print", "--json"),
    ("remember", "The boiler was repaired by Nadia"),
    ("recall", "boiler repaired", "--json"),
    ("session", "start"),
    ("session", "note", "\udce9 and é"),
    ("doctor", "--json"),
    ("read", "nowhere.md"),
    ("list", "--no-such-option"),
    ("recall",),
    ("--help",),
)
_RANDOM = re.compile(
    r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"
    r"|\b\d{4}-\d\d-\d\d([T ][\d:.]+Z?)?|(?<=-)[0-9a-z]{6}\b|\b[0-9a-z]{6}\b(?=\.md)"
    r"|[0-9a-f]{64}|^[0-9a-f]{8,9}$|\d+(?= of 8,000 tokens)|(?<=\"tokens\": )\d+",
    re.MULTILINE,
)
"""Ids, times and hashes, and the tokens of texts that contain them."""


def run_all(sandbox: Sandbox) -> list[tuple[int, str, str]]:
    """Run the commands; return their exit codes and outputs without random parts."""
    sandbox.card("aaaaaa", f"title: Fix {TOKEN}", "refs: [docs/house.md]")
    sandbox.write("docs/house.md", "# House\n\nThe cellar is damp.\n")
    ran = [sandbox.run(*command) for command in COMMANDS]
    ran.append(sandbox.run("memory", "add", "-", text="one thing\nanother\n"))
    ran.append(sandbox.run("config", "show", environ={"CUEDECK_SCENE__BUDGET": "777"}))
    ran.append(sandbox.run("config", "show"))
    ran.append(sandbox.run("list", cwd=sandbox.root / "docs"))
    return [
        (code, _RANDOM.sub("", out), _RANDOM.sub("", err)) for code, out, err in ran
    ]


def test_commands_in_one_process_give_the_results_of_new_processes(
    sandbox: Sandbox, shared_runner: CrashRunner, tmp_path: Path
) -> None:
    root = tmp_path / "shared" / sandbox.root.name
    WorkspaceCopy(sandbox.root, root).restore()
    expected = run_all(sandbox)
    assert {code for code, _, _ in expected} >= {0, 1, 2}
    found = run_all(SharedSandbox(root, sandbox.environ, shared_runner))
    for new, shared in zip(expected, found, strict=True):
        assert shared == new
    names = [
        sorted(_RANDOM.sub("", name) for name in each.bytes())
        for each in (sandbox, Sandbox(root, sandbox.environ))
    ]
    assert names[0] == names[1]


def entries(top: Path) -> dict[str, object]:
    """Return type, mode, time and content of each entry below a folder."""
    found: dict[str, object] = {}
    for place in (top, *top.rglob("*")):
        status = place.lstat()
        content = (
            os.readlink(place)
            if place.is_symlink()
            else place.read_bytes()
            if place.is_file()
            else b""
        )
        name = str(place.relative_to(top))
        found[name] = (status.st_mode, status.st_mtime_ns, content)
    return found


@pytest.fixture
def template(tmp_path: Path) -> Path:
    top = tmp_path / "template"
    for name in ("a/one.txt", "a/b/two.txt", "c/three.txt"):
        (top / name).parent.mkdir(parents=True, exist_ok=True)
        (top / name).write_text(name)
    (top / "c/three.txt").chmod(0o600)
    (top / "link").symlink_to("a/one.txt")
    (top / "empty").mkdir(mode=0o700)
    return top


def test_a_restored_copy_equals_its_template(template: Path, tmp_path: Path) -> None:
    copy = WorkspaceCopy(template, tmp_path / "copy")
    root, wanted = copy.restore(), entries(template)
    assert entries(root) == wanted
    kept = (root / "a/one.txt").stat().st_ino

    one, times = root / "a/b/two.txt", (root / "a/b/two.txt").stat()
    one.write_text("a/b/TWO.txt")
    os.utime(one, ns=(times.st_atime_ns, times.st_mtime_ns))  # hides the change
    (root / "c/three.txt").chmod(0o644)
    (root / "link").unlink()
    (root / "link").write_text("a file")
    (root / "empty").rmdir()
    (root / "empty").symlink_to(template)
    (root / "new/deep").mkdir(parents=True)
    (root / "new/deep/file").write_text("new")
    copy.restore()
    assert entries(root) == wanted
    assert (root / "a/one.txt").stat().st_ino == kept, "an unchanged file stays"

    (root / "a").rename(tmp_path / "moved")
    (root / "a").symlink_to(tmp_path / "moved")
    (root / "c/three.txt").unlink()
    (root / "c/three.txt").mkdir()
    copy.restore()
    assert entries(root) == wanted
    assert (tmp_path / "moved/one.txt").read_text() == "a/one.txt"
