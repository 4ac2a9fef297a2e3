"""`python -m benchmarks.files_entered`: count the source files that a scene, a save, an
unchanged scene and a prompt hook after an edit enter.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from types import FrameType
from typing import Any, NamedTuple

import cuedeck
from cuedeck.agents.hooks.dispatch import run
from cuedeck.context.scene.build_scene import Request, build, make_scene, write_scene
from cuedeck.engine.open_workspace import open_workspace
from cuedeck.engine.workspace import Workspace
from cuedeck.shells.hook.hook_request import parse
from cuedeck.store.capture_consent import write_answer
from cuedeck.store.files.fingerprint import print_of, settle

MOST_FILES = {"one save": 66, "prompt hook after an edit": 150}
"""Files that a run may enter. A number may only be lowered."""
_PACKAGE = os.path.dirname(os.path.abspath(cuedeck.__file__)) + os.sep
_EXAMPLE = os.path.join(os.path.dirname(os.path.dirname(_PACKAGE)), "examples", "login")
_DOC = "docs/auth.md"
_WARM_UP = 2
"""Saves before the measured one, which load the modules that every later save uses."""


class PackageCalls(NamedTuple):
    """Calls into the package during one run."""

    files: Counter[str]
    """Calls by file, relative to the package."""
    moves: int
    """Calls from one file of the package into another."""

    @property
    def calls(self) -> int:
        return self.files.total()


def count_calls(act: Callable[[], object]) -> PackageCalls:
    """Run `act` and count its calls into the package."""
    files: Counter[str] = Counter()
    stack: list[str] = []
    moves = 0

    def profile(frame: FrameType, event: str, _: Any) -> None:
        nonlocal moves
        file = frame.f_code.co_filename
        if event not in ("call", "return") or not file.startswith(_PACKAGE):
            return
        if event == "return":
            if stack:
                stack.pop()
            return
        name = file.removeprefix(_PACKAGE)
        files[name] += 1
        moves += bool(stack) and stack[-1] != name
        stack.append(name)

    sys.setprofile(profile)
    try:
        act()
    finally:
        sys.setprofile(None)
    return PackageCalls(files, moves)


def save_scene(workspace: Workspace) -> None:
    """Do the work of a watcher after the save of a doc: refresh the index, build the
    scene and write it.
    """
    workspace.tree.refresh_paths([_DOC])
    write_scene(workspace, build(workspace, Request()).text)


def measure(folder: str) -> dict[str, PackageCalls]:
    """Return the counts of each run, on a copy of `examples/login` in `folder`."""
    root = shutil.copytree(_EXAMPLE, os.path.join(folder, "login"))
    doc = os.path.join(root, *_DOC.split("/"))
    os.environ["XDG_CACHE_HOME"] = folder
    found: dict[str, PackageCalls] = {}

    def first() -> None:
        workspace = open_workspace(root, {})
        write_scene(workspace, make_scene(workspace, Request()).text)
        workspace.close()

    found["first scene"] = count_calls(first)
    workspace = open_workspace(root, {})
    workspace.refresh()
    save_scene(workspace)
    for turn in range(_WARM_UP + 1):
        with open(doc, "a", encoding="utf-8") as file:
            file.write(f"Reviewed {turn} times.\n")
        found["one save"] = count_calls(lambda: save_scene(workspace))
    workspace.close()
    saved = print_of(doc)
    assert saved is not None
    settle(
        doc, saved
    )  # by git's racy rule the index reads a file again that it read within a tick of its last write
    first()

    workspace = open_workspace(root, {})
    found["nothing changed"] = count_calls(lambda: make_scene(workspace, Request()))
    workspace.close()
    os.environ["XDG_STATE_HOME"] = folder
    write_answer(root, "on")
    _run_hook(root, "session-start", source="startup")
    with open(doc, "a", encoding="utf-8") as file:
        file.write("Reviewed again.\n")
    found["prompt hook after an edit"] = count_calls(
        lambda: _run_hook(root, "prompt", prompt="How does the login check a password?")
    )
    return found


def _run_hook(root: str, event: str, **fields: str) -> None:
    """Process an event as the child process of a hook does."""
    request = {"session_id": "a1", "cwd": root, **fields}
    parsed = parse(json.dumps(request).encode(), event, "claude")
    run(root, parsed, os.environ, sys.stderr.write)


def main() -> int:
    """Print the counts; return 1 if a run enters more files than it may."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.files_entered", description=__doc__
    )
    parser.add_argument(
        "--list",
        action="store_true",
        help="also print the calls into each file on a save",
    )
    listed = parser.parse_args().list
    with tempfile.TemporaryDirectory() as folder:
        found = measure(folder)
    print(f"{'run':<27}{'files':>7}{'calls':>8}{'moves':>8}{'most files':>12}")
    over = 0
    for name, entered in found.items():
        files, most = len(entered.files), MOST_FILES.get(name, "")
        print(f"{name:<27}{files:>7}{entered.calls:>8}{entered.moves:>8}{most:>12}")
        over += most != "" and files > most
    for name, entered in found.items() if listed else ():
        print(f"\n{name}")
        for file in sorted(entered.files):
            print(f"{entered.files[file]:>6}  {file}")
    return int(over > 0)


if __name__ == "__main__":
    sys.exit(main())
