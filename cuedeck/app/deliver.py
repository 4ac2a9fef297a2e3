"""Where a scene goes: SCENE.md, another file, the clipboard; and the two proofs, `--verify` and `--strict`."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from cuedeck.app.scene import Made, Request, make_scene, write_scene
from cuedeck.model.errors import CycleFound, Invalid

if TYPE_CHECKING:
    from cuedeck.app.project import Project

SCENE = ".cuedeck/SCENE.md"


def deliver(
    project: Project,
    request: Request,
    *,
    write: bool,
    out: str | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Made:
    """Make the scene and write it to SCENE.md (`write`) and to the file `out`.

    Without an active card SCENE.md says so, and the error that names the open cards is raised all the same.
    """
    from cuedeck.app.active import NoActiveCard

    try:
        made = make_scene(project, request, progress)
    except NoActiveCard:
        if write:
            write_idle(project)
        raise
    written = write and write_scene(project, made.text)
    if out:
        write_text(out, made.text)
        written = True
    return Made(made.text, {"path": out or SCENE, **made.report, "written": written})


def write_idle(project: Project) -> Made:
    """Write the SCENE.md of a workspace in which no card is active."""
    from cuedeck.app.scene import build_idle, to_made

    made = to_made(build_idle(project))
    written = write_scene(project, made.text)
    return Made(made.text, {"path": SCENE, **made.report, "written": written})


def verify_scene(project: Project, request: Request) -> str:
    """Build the scene again from the files alone and compare it with SCENE.md.

    Returns: an empty text when they are equal, else the first line that differs.
    """
    from cuedeck.app.project import Project
    from cuedeck.app.scene import build
    from cuedeck.store.disk import read_bytes

    fresh = Project(project.workspace, project.environ, index_in_memory=True)
    fresh.refresh()
    text = build(fresh, request).text
    data = read_bytes(project.workspace.scene)
    if data is None:
        return f"{SCENE} does not exist; `cuedeck scene` writes it"
    if data == text.encode("utf-8", "replace"):
        return ""
    old, new = data.decode("utf-8", "replace").split("\n"), text.split("\n")
    at = next(
        (at for at, (one, other) in enumerate(zip(old, new, strict=False)) if one != other), min(len(old), len(new))
    )
    return f"{SCENE} differs from what the files give, first on line {at + 1}; `cuedeck scene` writes it anew"


def check_cycles(project: Project, request: Request) -> None:
    """Raise CycleFound when the refs a scene follows run in a circle; the path is in its candidates."""
    from cuedeck.app.active import find_root
    from cuedeck.graph.cycles import find_cycles
    from cuedeck.graph.reach import reach

    project.refresh()
    settings = project.settings.scene
    root = find_root(project, request.card)
    cycles = find_cycles(reach(root, project.index, settings.depth, settings.pinned).edges())
    if cycles:
        path = " → ".join(cycles[0])
        raise CycleFound(
            f"refs run in a circle: {path}",
            hint="take one of these refs out, or build without --strict",
            candidates=cycles[0],
        )


def copy_text(text: str, environ: Mapping[str, str]) -> str:
    """Put a text on the clipboard; return a warning when there is none."""
    from cuedeck.store.clipboard import copy

    return copy(text, environ)


def write_text(out: str, text: str) -> None:
    """Write a result to a file the person names. Raises: Invalid for a folder, StorageError."""
    from cuedeck.store.disk import write_through

    if os.path.isdir(out):
        raise Invalid(f"{out} is a folder", hint="give the name of a file")
    write_through(os.path.abspath(out), text.encode("utf-8", "replace"))
