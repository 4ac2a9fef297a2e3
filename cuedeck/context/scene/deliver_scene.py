"""Destinations of a scene (SCENE.md, another file, the clipboard) and its checks
(`--verify`, `--strict`).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from posixpath import commonprefix
from typing import TYPE_CHECKING

from cuedeck.context.scene.build_scene import (
    BuiltScene,
    Request,
    build,
    build_idle,
    check_answer,
    make_scene,
    opened_root,
    write_scene,
)
from cuedeck.model.errors import CycleFound, Invalid, NoActiveCard
from cuedeck.model.paths import SCENE
from cuedeck.store.files.disk import read_bytes, read_generated, write_through

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.store.workspace_paths import WorkspacePaths


def deliver(
    workspace: Workspace,
    request: Request,
    *,
    write: bool,
    out: str | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> BuiltScene:
    """Make the scene and write it to SCENE.md (`write`) and to the file `out`.

    Without an active card, write the idle scene to SCENE.md and raise NoActiveCard,
    which names the open cards.
    """
    try:
        made = make_scene(workspace, request, progress)
    except NoActiveCard:
        if write:
            write_scene(workspace, build_idle(workspace).text)
        raise
    check_answer(workspace.index, request, made)
    written = write and write_scene(workspace, made.text)
    if out:
        write_text(out, made.text, "# Scene: ", workspace.paths)
        written = True
    return made._replace(masked_report={**made.masked_report, "written": written})


def verify_scene(workspace: Workspace, request: Request) -> str:
    """Rebuild the scene of `request` from the files alone and compare it with SCENE.md.

    The scene of a task without a card is in no file, so the scene that the index gives
    is compared. Returns: an empty text if they are equal, else a message with the first
    line that differs.
    """

    if request.task:
        data: bytes | None = make_scene(workspace, request).text.encode(
            "utf-8", "replace"
        )
    else:
        data = read_generated(workspace.paths.scene)
    if data is None:
        return f"{SCENE} does not exist; `cuedeck scene` writes it"
    fresh = workspace.reopened(index_in_memory=True)
    fresh.refresh()
    text = build(fresh, request).text
    if data == text.encode("utf-8", "replace"):
        return ""
    old = data.decode("utf-8", "replace").split("\n")
    new = text.split("\n")
    line = len(commonprefix([old, new])) + 1
    if request.task:
        return f"the scene differs from a rebuild, first on line {line}; `cuedeck clean` deletes the index"
    return (
        f"{SCENE} differs from a rebuild, first on line {line}; `cuedeck scene` rewrites it "
        "(if it was built with --card or --budget, verify it with the same options)"
    )


def check_cycles(workspace: Workspace, request: Request) -> None:
    """Raise CycleFound if the refs that a scene follows form a cycle."""
    from cuedeck.graph.neighbourhood import ref_cycles

    workspace.refresh()
    settings = workspace.settings.scene
    with opened_root(workspace, request) as root:
        cycles = ref_cycles(root, workspace.index, settings.depth, settings.pinned)
    if cycles:
        path = " → ".join(cycles[0])
        raise CycleFound(
            f"refs form a cycle: {path}",
            hint="remove one of these refs, or build without --strict",
            candidates=cycles[0],
        )


def copy_text(text: str, environ: Mapping[str, str]) -> str:
    """Copy a text to the clipboard; return a warning if there is no clipboard."""
    from cuedeck.store.files.clipboard import copy

    return copy(text, environ)


def write_text(out: str, text: str, opening: str, paths: WorkspacePaths) -> None:
    """Write a result to a path that the user chose. An existing file is replaced only
    if it begins with `opening`.

    Symbolic links are followed, but a path in the workspace must stay in it. Raises:
    Invalid for a folder, a path in `.cuedeck/` or a file with different content;
    StorageError.
    """

    place = os.path.abspath(out)
    if os.path.isdir(place):
        raise Invalid(f"{out} is a folder", hint="give the name of a file")
    *folders, name = os.path.realpath(place).split(os.sep)
    if ".cuedeck" in folders and name != "SCENE.md":
        raise Invalid(
            f"{out} is inside .cuedeck/, which is reserved for cards, docs and settings",
            hint="choose a path outside .cuedeck/",
        )
    old = read_bytes(place) if os.path.isfile(place) else None
    if old and not old.startswith(opening.encode()):
        raise Invalid(
            f"{out} exists and has different content",
            hint="delete the file, or give another name",
        )
    write_through(place, text.encode("utf-8", "replace"), paths.root)
