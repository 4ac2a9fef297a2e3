"""Write decisions as Markdown files, one each; files of others are never touched."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from cuedeck.app.decisions.adr import Neighbours, assign_names, mark_of, render_record
from cuedeck.app.decisions.log import decisions_of
from cuedeck.app.masking import mask_value
from cuedeck.app.sessions.settle import settle
from cuedeck.memory.decisions import replaced, standing
from cuedeck.model.errors import UsageError
from cuedeck.store.disk import create, read_bytes, write_if_changed
from cuedeck.store.folders import names_in
from cuedeck.store.lock import locked

if TYPE_CHECKING:
    from cuedeck.app.project import Project

FOLDER = "docs/adr"
_MARK = b"<!-- cuedeck: decision:"


def export_decisions(project: Project, folder: str = "", *, everything: bool = False) -> dict[str, Any]:
    """Write the decisions that stand, with `everything` all of them, as Markdown files; say which were written.

    A decision keeps the file it has, and that file is brought up to date whatever its status. `folder` is a place
    on this machine, by default docs/adr of the workspace.
    Raises: UsageError when the folder is a file, StorageError.
    """
    place = os.path.abspath(folder or project.workspace.absolute(FOLDER))
    if os.path.lexists(place) and not os.path.isdir(place):
        raise UsageError(f"{folder or FOLDER} is not a folder", hint="give a folder, or omit it for docs/adr")
    with locked(project.workspace, "adr"):
        texts, own = _render(project, place, everything)
        written = [
            name for name, text in texts.items() if _write(project, os.path.join(place, name), text, name in own)
        ]
    if written:
        settle(project)
    shown = project.workspace.shown(place)
    return {"folder": shown, "written": [f"{shown}/{name}" for name in written], "unchanged": len(texts) - len(written)}


def _render(project: Project, place: str, everything: bool) -> tuple[dict[str, bytes], frozenset[str]]:
    """Return the text of each file by its name, and which of the names are files of ours already."""
    # A secret must not get into the name of a file either.
    decisions = [replace(each, decision=mask_value(each.decision, project)) for each in decisions_of(project)]
    names = names_in(place)
    own = _own_files(place, names)
    stand = {each.id for each in standing(decisions)}
    chosen = [each for each in decisions if everything or each.id in stand or mark_of(each) in own]
    named = assign_names(chosen, own, names)
    known = {each.id: each for each in decisions}
    texts: dict[str, bytes] = {}
    for each in chosen:
        near = Neighbours(replaced(each, decisions), known.get(each.superseded_by))
        texts[named[each.id]] = mask_value(render_record(each, near, named), project).encode("utf-8", "replace")
    return texts, frozenset(own.values())


def _own_files(place: str, names: list[str]) -> dict[str, str]:
    """Return the files that were made here before, by the mark in their first line; of two with one mark the first."""
    own: dict[str, str] = {}
    for name in names:
        path = os.path.join(place, name)
        # What is written through a link is not a file that was made here.
        if name.endswith(".md") and os.path.isfile(path) and not os.path.islink(path):
            first = (read_bytes(path) or b"").split(b"\n", 1)[0].rstrip()
            if first.startswith(_MARK):
                own.setdefault(first.decode("utf-8", "replace"), name)
    return own


def _write(project: Project, place: str, data: bytes, is_own: bool) -> bool:
    if is_own:
        return write_if_changed(place, data, project.workspace.cache)
    return create(place, data, project.workspace.cache)
