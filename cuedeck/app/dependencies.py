"""Which card waits for which."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cuedeck.app.active import cards, find_card
from cuedeck.app.card_edit import change_card
from cuedeck.graph.cycles import find_cycles
from cuedeck.model.errors import CueDeckError, CycleFound
from cuedeck.model.node import Card, Diagnostic, File

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
    path, target = find_card(project, text).path, find_card(project, other).path
    edges, _ = depends_on_edges(project)
    cycles = [cycle for cycle in find_cycles([*edges, (path, target)]) if path in cycle] or (
        [(path, path)] if path == target else []
    )
    if cycles:
        shown = " → ".join(cycles[0])
        raise CycleFound(
            f"the cards would wait for each other: {shown}", hint="nothing was changed", candidates=cycles[0]
        )
    identity = _card(project, target).id
    return change_card(project, path, lambda data: add_item(data, "depends_on", identity))


def drop_dependency(project: Project, text: str, other: str) -> dict[str, Any]:
    """Make a card no longer wait for another."""
    from cuedeck.parse.splice import remove_item

    return change_card(project, text, lambda data: remove_item(data, "depends_on", other))


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
    """Check the front matter and the dependencies of one card or of all; circles carry their path."""
    project.refresh()
    edges, findings = depends_on_edges(project)
    for cycle in find_cycles(edges):
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
    findings += [each for file in cards(project) for each in file.diagnostics]
    if text:
        path = find_card(project, text).path
        findings = [each for each in findings if each.path == path or path in each.message]
    return {
        "valid": not any(each.level == "error" for each in findings),
        "findings": [each._asdict() for each in sorted(findings)],
    }


def _card(project: Project, path: str) -> Card:
    file: File | None = project.index.file(path)
    assert file is not None and file.card is not None
    return file.card
