"""Which card waits for which."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from cuedeck.app.active import cards, find_card, find_card_file
from cuedeck.app.card_edit import change_card
from cuedeck.graph.cycles import find_cycles
from cuedeck.graph.resolve import resolve
from cuedeck.model.errors import CueDeckError, CycleFound, NotFound
from cuedeck.model.node import Diagnostic, File, Level
from cuedeck.model.scene import Unresolved

if TYPE_CHECKING:
    from cuedeck.app.project import Project


def dependencies(project: Project, text: str, *, reverse: bool = False) -> dict[str, Any]:
    """Return the cards that a card waits for, or with `reverse` those that wait for it."""
    project.refresh()
    path = find_card(project, text).path
    edges, _ = depends_on_edges(project)
    near = (
        [source for source, target in edges if target == path]
        if reverse
        else [target for source, target in edges if source == path]
    )
    mask = project.mask()
    found = [project.index.file(each) for each in sorted(near)]
    rows = [
        {"id": each.card.id, "title": mask.plain(each.card.title), "status": each.card.status, "path": each.path}
        for each in found
        if each and each.card
    ]
    return {"card": path, "reverse": reverse, "cards": rows}


def add_dependency(project: Project, text: str, other: str) -> dict[str, Any]:
    """Make a card wait for another. Raises: CycleFound when they would wait for each other."""
    from cuedeck.parse.splice import add_item

    project.refresh()
    path = find_card(project, text).path
    file, card = find_card_file(project, other)
    target = file.path
    edges, _ = depends_on_edges(project)
    cycles = [cycle for cycle in _cycles([*edges, (path, target)]) if path in cycle]
    if cycles:
        shown = " → ".join(cycles[0])
        raise CycleFound(
            f"the cards would wait for each other: {shown}", hint="nothing was changed", candidates=cycles[0]
        )
    return change_card(project, path, lambda data: add_item(data, "depends_on", card.id))


def drop_dependency(project: Project, text: str, other: str) -> dict[str, Any]:
    """Make a card no longer wait for another. Raises: NotFound when it does not wait for it."""
    from cuedeck.parse.splice import remove_item

    project.refresh()
    file, card = find_card_file(project, text)
    # A name that fits no card any more can be dropped as it is written.
    meant = {other, _path_of(project, other)} - {""}
    names = [name for name in card.depends_on if name in meant or _path_of(project, name) in meant]
    if not names:
        hint = f"`cuedeck card deps {card.id}` shows what it waits for"
        raise NotFound(f"{file.path} does not wait for `{other}`", hint=hint, candidates=card.depends_on)

    def edit(data: bytes) -> bytes:
        for name in names:
            data = remove_item(data, "depends_on", name)
        return data

    return change_card(project, file.path, edit)


def depends_on_edges(project: Project) -> tuple[list[tuple[str, str]], list[Diagnostic]]:
    """Return (card, card it waits for) by path, and a diagnostic for each name that no card has."""
    edges: list[tuple[str, str]] = []
    missing: list[Diagnostic] = []
    for file in cards(project):
        for name in file.card.depends_on if file.card else ():
            try:
                edges.append((file.path, find_card(project, name).path))
            except CueDeckError as error:
                missing.append(
                    Diagnostic(
                        file.path,
                        0,
                        "error",
                        "missing-dependency",
                        f"depends on `{name}`, and there is no such card",
                        error.hint,
                    )
                )
    return edges, missing


def validate_cards(project: Project, text: str | None) -> dict[str, Any]:
    """Check the front matter, the refs and the dependencies of one card or of all; circles carry their path."""
    project.refresh()
    edges, findings = depends_on_edges(project)
    for cycle in _cycles(edges):
        findings.append(
            Diagnostic(
                cycle[0],
                0,
                "error",
                "dependency-cycle",
                f"cards wait for each other: {' → '.join(cycle)}",
                "take one of these dependencies out",
            )
        )
    for file in cards(project):
        findings += [*file.diagnostics, *_dead_refs(project, file)]
    if text:
        path = find_card(project, text).path
        findings = [each for each in findings if each.path == path or path in each.message]
    return {
        "valid": not any(each.level == "error" for each in findings),
        "findings": [each._asdict() for each in sorted(findings)],
    }


def _dead_refs(project: Project, file: File) -> Iterator[Diagnostic]:
    for link in file.links:
        found = resolve(link, file.path, project.index)
        if isinstance(found, Unresolved):
            several = f"it fits {', '.join(found.candidates)}" if found.reason == "ambiguous" else ""
            near = f"did you mean `{found.suggestion}`?" if found.suggestion else "correct it, or take it out"
            level: Level = "warning" if found.reason == "outside" else "error"
            yield Diagnostic(file.path, link.line, level, "dead-ref", f"`{link.ref}` leads nowhere", several or near)


def _cycles(edges: Sequence[tuple[str, str]]) -> list[tuple[str, ...]]:
    """Return every circle; for cards, one that waits for itself is one too."""
    return [*find_cycles(edges), *sorted({edge for edge in edges if edge[0] == edge[1]})]


def _path_of(project: Project, name: str) -> str:
    try:
        return find_card(project, name).path
    except CueDeckError:
        return ""
