"""Drawings of the workspace graph, of the walk of a scene, and of card dependencies."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from cuedeck.app.cards.active_card import cards, find_root
from cuedeck.app.cards.card_dependencies import depends_on_edges
from cuedeck.app.graph.code_edges import Extent, find_code
from cuedeck.app.graph.decision_nodes import find_decided
from cuedeck.app.graph.record_nodes import find_recorded
from cuedeck.app.mask_answers import mask_value
from cuedeck.graph.cycles import find_cycles
from cuedeck.graph.resolve_ref import LEDGERS, resolve
from cuedeck.model.diagram import WRITTEN, Arrow, Box, Drawing
from cuedeck.model.file import File
from cuedeck.model.scene_values import Unresolved

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace

_MOST_RELATED = 12
"""Maximum number of related files drawn for a scene; more would hide the linked files."""


class _Refs(NamedTuple):
    """The refs in the files of a workspace."""

    files: dict[str, File]
    """Cards, docs, and all files with an outgoing or incoming ref, by path."""
    arrows: dict[Arrow, None]
    dead: dict[str, None]
    entries: dict[str, str]
    """Kinds of the linked sessions, attempts and experiences, by address."""
    sources: list[File]
    """All sources, including those without refs."""


def draw_workspace(workspace: Workspace, code: Extent = "near") -> Drawing:
    """Return the drawing of the workspace: files, refs, dependencies, decisions, records, sessions and code.

    Reported cycles are those of refs and card dependencies.
    """
    workspace.refresh()
    files, arrows, dead, entries, sources = _read_refs(workspace)
    waiting = depends_on_edges(workspace)
    arrows.update((Arrow(source, target, "depends_on"), None) for source, target in waiting)
    cycles = find_cycles((arrow.source, arrow.target) for arrow in arrows)
    decided = find_decided(workspace)
    recorded = find_recorded(workspace, decided.addresses)
    files.update({**decided.files, **{file.path: file for file in recorded.files}})
    arrows.update(dict.fromkeys((*decided.arrows, *recorded.arrows)))
    around = find_code(workspace, sources, files, arrows, code)
    files.update((file.path, file) for file in around.files)
    boxes = [Box(path, files[path].kind, -1, 0, "plain", "", _title(files[path])) for path in sorted(files)]
    boxes += [Box(address, "decision", -1, 0, "plain", "") for address in decided.addresses]
    boxes += [Box(address, "record", -1, 0, "plain", "") for address in recorded.addresses]
    entries.update(dict.fromkeys((*decided.sessions, *recorded.sessions), "session"))
    boxes += [Box(address, kind, -1, 0, "plain", "") for address, kind in entries.items()]
    boxes += [Box(ref, "dead", -1, 0, "dead", "") for ref in sorted(dead) if ref not in files]
    title = "references and code of the workspace" if around.arrows else "references of the workspace"
    every = (*arrows, *around.arrows)
    drawing = Drawing(title, tuple(boxes), every, 0, 0, cycles, around.left_out, recorded.left_out)
    return mask_value(drawing, workspace)


def _read_refs(workspace: Workspace) -> _Refs:
    found = _Refs({}, {}, {}, {}, [])
    for file in workspace.index.files():
        if file.kind in ("card", "doc") or file.links:
            found.files[file.path] = file
        if file.kind == "source":
            found.sources.append(file)
        for link in file.links:
            target = resolve(link, file.path, workspace.index)
            if isinstance(target, Unresolved):
                if target.reason != "outside":
                    found.dead[link.ref] = None
                    found.arrows[Arrow(file.path, link.ref, "refs")] = None
            elif target.address.startswith(LEDGERS):
                # `find_recorded` selects the records to draw and adds their edges.
                if target.kind != "record":
                    found.arrows[Arrow(file.path, target.address, "refs")] = None
                if target.kind not in ("record", "decision"):
                    found.entries[target.address] = target.kind
            elif target.path != file.path and target.kind not in ("folder", "binary"):
                other = workspace.index.file(target.path)
                if other is not None:
                    found.files.setdefault(target.path, other)
                    found.arrows[Arrow(file.path, target.path, "refs")] = None
    return found


def draw_scene(workspace: Workspace, card: str | None = None) -> Drawing:
    """Return the drawing of the walk of a scene: shown nodes with their sizes, left-out nodes, related files."""
    from cuedeck.app.scene.build_scene import Request, make_scene
    from cuedeck.graph.subgraph import reach
    from cuedeck.scene.walk import walk

    report = make_scene(workspace, Request(card)).report
    settings = workspace.settings.scene
    found = reach(find_root(workspace, card), workspace.index, settings.depth, settings.pinned)
    visits = walk(found)
    shown = {each["address"]: each for each in report["visits"]}
    left = {each["address"]: each for each in report["left_out"]}
    boxes = []
    for visit in visits:
        here = shown.get(visit.address)
        tokens = (here or left.get(visit.address, {"tokens": 0}))["tokens"]
        boxes.append(
            Box(
                visit.address,
                visit.kind,
                visit.depth,
                tokens,
                "shown" if here else "left-out",
                here["view"] if here else "",
                _title(workspace.index.file(visit.path)) if visit.whole else "",
            )
        )
    arrows = [Arrow(visit.via, visit.address, visit.edge or "refs") for visit in visits if visit.via]
    related = [each for each in report["visits"] if each["tier"] == "related"]
    for each in related[:_MOST_RELATED]:
        title = _title(workspace.index.file(each["path"]))
        boxes.append(Box(each["address"], each["kind"], -1, each["tokens"], "related", each["view"], title))
        arrows.append(Arrow(visits[0].address, each["address"], "related"))
    title = f"scene: {boxes[0].title or visits[0].address}"
    used, more = report["tokens"], len(related[_MOST_RELATED:])
    cycles = find_cycles(found.edges())
    drawing = Drawing(title, tuple(boxes), tuple(arrows), report["budget"], used, cycles, more)
    return mask_value(drawing, workspace)


def draw_dependencies(workspace: Workspace) -> Drawing:
    """Return the drawing of the dependencies between cards."""
    workspace.refresh()
    edges = depends_on_edges(workspace)
    boxes = tuple(Box(file.path, "card", -1, 0, "plain", "", _title(file)) for file in cards(workspace))
    arrows = tuple(Arrow(*edge, "depends_on") for edge in edges)
    return mask_value(Drawing("dependencies of cards", boxes, arrows, 0, 0, find_cycles(edges)), workspace)


def _title(file: File | None) -> str:
    """Return the title of a card; empty for any other file."""
    return file.card.title if file is not None and file.card is not None else ""


def statistics(drawing: Drawing) -> dict[str, Any]:
    """Return the statistics of a drawing: nodes by kind, number of edges, cycles, number of isolated nodes.

    Edges by type are included if there are derived edges.
    """
    kinds: dict[str, int] = {}
    for box in drawing.boxes:
        kinds[box.kind] = kinds.get(box.kind, 0) + 1
    touched = {end for arrow in drawing.arrows for end in (arrow.source, arrow.target)}
    alone = [box.address for box in drawing.boxes if box.address not in touched]
    figures: dict[str, Any] = {
        "nodes": len(drawing.boxes),
        "kinds": dict(sorted(kinds.items())),
        "edges": len(drawing.arrows),
        "cycles": [list(cycle) for cycle in drawing.cycles],
        "alone": len(alone),
    }
    types = Counter(arrow.edge for arrow in drawing.arrows)
    return {**figures, "types": dict(sorted(types.items()))} if types.keys() - WRITTEN else figures
