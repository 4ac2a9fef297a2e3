"""Read one address."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING, Any

from cuedeck.graph.address import resolve_address
from cuedeck.graph.resolve import LEDGERS
from cuedeck.model.address import split_anchor
from cuedeck.model.errors import NotFound, StorageError
from cuedeck.store.home import presence

if TYPE_CHECKING:
    from cuedeck.app.project import Project
    from cuedeck.model.scene import Target


def read_address(project: Project, text: str) -> dict[str, Any]:
    """Return the masked text behind an address.

    Raises: NotFound with the nearest matches, Ambiguous with the candidates, StorageError for an unreadable file.
    """
    project.refresh()
    return project.settled(lambda: _read(project, text))


def resolve_readable(project: Project, text: str) -> Target:
    """Return what a person means by an address. Raises: as `resolve_address`, StorageError for an unreadable file."""
    try:
        target = resolve_address(text, project.index)
    except NotFound as error:
        raise _ignored(project, text) or error from None
    file = project.index.file(target.path)
    if file is not None and file.fault:
        raise StorageError(f"{file.path} {file.fault}", hint="check its permissions")
    return target


def _ignored(project: Project, text: str) -> NotFound | None:
    """Return the error for a file that is there and that the ignore rules hide."""
    path = posixpath.normpath(split_anchor(text)[0])
    if path.startswith("..") or not presence(project.workspace, path) or not project.tree.ignored(path):
        return None
    return NotFound(f"`{path}` is not read: it is ignored", hint="take it out of the ignore rules to see it")


def _entry(project: Project, target: Target) -> dict[str, Any]:
    """Return an entry of a ledger as its commands show it."""
    from cuedeck.app.entries import show_entry

    path, line, text = show_entry(project, target.kind, target.address.partition(":")[2])
    count = project.counter()
    tokens = count.count(text)
    count.save()
    return {
        "address": target.address,
        "path": path,
        "kind": target.kind,
        "lines": [line, line],
        "tokens": tokens,
        "text": text,
    }


def _read(project: Project, text: str) -> dict[str, Any]:
    target = resolve_readable(project, text)
    if target.address.startswith(LEDGERS):
        return _entry(project, target)
    if target.kind == "folder":
        body = "".join(f"{path}\n" for path in project.index.folder(target.path.rstrip("/")))
    elif target.kind == "binary":
        body = ""
    else:
        body = project.answer_mask().lines(target.path, [(target.start, target.end)])[0]
    count = project.counter()
    tokens = count.count(body)
    count.save()
    return {
        "address": target.address,
        "path": target.path,
        "kind": target.kind,
        "lines": [target.start, target.end],
        "tokens": tokens,
        "text": body,
    }
