"""What is drawn: the reference graph of the workspace, the walk of a scene, the dependencies of cards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cuedeck.app.active import cards, find_root
from cuedeck.app.dependencies import depends_on_edges
from cuedeck.app.masking import mask_value
from cuedeck.graph.cycles import find_cycles
from cuedeck.graph.resolve import resolve
from cuedeck.model.drawing import Arrow, Box, Drawing
from cuedeck.model.node import File
from cuedeck.model.scene import Unresolved

if TYPE_CHECKING:
    from cuedeck.app.project import Project


def draw_workspace(project: Project) -> Drawing:
    """Return every file that refers or is referred to, and every ref between files."""
    project.refresh()
    files: dict[str, File] = {}
    arrows: dict[Arrow, None] = {}
    dead: dict[str, None] = {}
    for file in project.index.files():
        if file.kind in ("card", "doc") or file.links:
            files[file.path] = file
        for link in file.links:
            found = resolve(link, file.path, project.index)
            if isinstance(found, Unresolved):
                if found.reason != "outside":
                    dead[link.ref] = None
                    arrows[Arrow(file.path, link.ref, "refs")] = None
            elif found.path != file.path and found.kind not in ("folder", "binary"):
                target = project.index.file(found.path)
                if target is not None:
                    files.setdefault(found.path, target)
                    arrows[Arrow(file.path, found.path, "refs")] = None
    waiting, _ = depends_on_edges(project)
    arrows.update((Arrow(source, target, "depends_on"), None) for source, target in waiting)
    boxes = [Box(path, files[path].kind, -1, 0, "plain", "") for path in sorted(files)]
    boxes += [Box(ref, "dead", -1, 0, "dead", "") for ref in sorted(dead) if ref not in files]
    cycles = find_cycles((arrow.source, arrow.target) for arrow in arrows)
    return mask_value(Drawing("references of the workspace", tuple(boxes), tuple(arrows), 0, 0, cycles), project)


def draw_scene(project: Project, card: str | None = None) -> Drawing:
    """Return the walk of a scene: what is shown, at which size, and what was left out."""
    from cuedeck.app.scene import Request, make_scene
    from cuedeck.graph.reach import reach
    from cuedeck.scene.walk import walk

    report = make_scene(project, Request(card)).report
    settings = project.settings.scene
    found = reach(find_root(project, card), project.index, settings.depth, settings.pinned)
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
            )
        )
    arrows = tuple(Arrow(visit.via, visit.address, visit.edge or "refs") for visit in visits if visit.via)
    title = f"scene of {visits[0].address}"
    cycles = find_cycles(found.edges())
    drawing = Drawing(title, tuple(boxes), arrows, report["budget"], report["tokens"], cycles)
    return mask_value(drawing, project)


def draw_dependencies(project: Project) -> Drawing:
    """Return which card waits for which."""
    project.refresh()
    edges, _ = depends_on_edges(project)
    boxes = tuple(Box(file.path, "card", -1, 0, "plain", "") for file in cards(project))
    arrows = tuple(Arrow(*edge, "depends_on") for edge in edges)
    return mask_value(Drawing("dependencies of cards", boxes, arrows, 0, 0, find_cycles(edges)), project)


def statistics(drawing: Drawing) -> dict[str, Any]:
    """Return the figures of a drawing: nodes by kind, edges, cycles, nodes nothing leads to or from."""
    kinds: dict[str, int] = {}
    for box in drawing.boxes:
        kinds[box.kind] = kinds.get(box.kind, 0) + 1
    touched = {end for arrow in drawing.arrows for end in (arrow.source, arrow.target)}
    alone = [box.address for box in drawing.boxes if box.address not in touched]
    return {
        "nodes": len(drawing.boxes),
        "kinds": dict(sorted(kinds.items())),
        "edges": len(drawing.arrows),
        "cycles": [list(cycle) for cycle in drawing.cycles],
        "alone": len(alone),
    }
