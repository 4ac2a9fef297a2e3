"""Read one address."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cuedeck.graph.resolve import resolve_address

if TYPE_CHECKING:
    from cuedeck.app.project import Project


def read_address(project: Project, text: str) -> dict[str, Any]:
    """Return the masked text behind an address.

    Raises: NotFound with the nearest matches, Ambiguous with the candidates.
    """
    project.refresh()
    return project.settled(lambda: _read(project, text))


def _read(project: Project, text: str) -> dict[str, Any]:
    target = resolve_address(text, project.index)
    if target.kind == "folder":
        body = "".join(f"{path}\n" for path in project.index.folder(target.path.rstrip("/")))
    elif target.kind == "binary":
        body = ""
    else:
        body = project.mask().lines(target.path, [(target.start, target.end)])[0]
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
