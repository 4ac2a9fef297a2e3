"""Drawings of the workspace graph, of the walk of a scene, and of card dependencies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from cuedeck.context.graph.entry_nodes import find_entries
from cuedeck.context.scene.build_scene import Request, make_scene
from cuedeck.context.scene.walk import walk
from cuedeck.engine.active_card import cards, find_root
from cuedeck.engine.mask_answers import mask_value
from cuedeck.graph.derived_edges import (
    Mention,
    choose_near,
    cochange_arrows,
    code_arrows,
    document_arrows,
)
from cuedeck.graph.imports import Resolver
from cuedeck.graph.neighbourhood import find_cycles, neighbourhood, ref_cycles
from cuedeck.graph.resolve_ref import resolve
from cuedeck.model.diagram import WRITTEN, Arrow, Box, Drawing
from cuedeck.model.entry_node import ENTRY_KINDS
from cuedeck.model.errors import StorageError
from cuedeck.model.file import File
from cuedeck.model.ports import Texts
from cuedeck.model.scene_values import Target
from cuedeck.parse.languages import import_strategy
from cuedeck.parse.markdown import read_code_spans
from cuedeck.work.cards.card_dependencies import depends_on_edges

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.model.scene_values import Visit
    from cuedeck.store.index import Index

_MOST_RELATED = 12
"""Maximum number of related files drawn for a scene."""


Extent = Literal["near", "all", "none"]
"""Which sources are added: neighbours of the drawn nodes, all sources with an edge, or
none (only refs).
"""


class _Refs(NamedTuple):
    """The refs in the files of a workspace."""

    files: dict[str, File]
    """Cards, docs, and all files with an outgoing or incoming ref, by path."""
    arrows: dict[Arrow, None]
    dead: dict[str, None]
    entries: dict[str, None]
    """Addresses of the linked ledger entries."""
    sources: list[File]
    """All sources, including those without refs."""


def draw_workspace(workspace: Workspace, code: Extent = "near") -> Drawing:
    """Return the drawing of the workspace: files, refs, dependencies, decisions,
    records, sessions and code.

    Reported cycles are those of refs and card dependencies.
    """
    workspace.refresh()
    refs = _read_refs(workspace.index)
    files, arrows = refs.files, refs.arrows
    for card, dependency in depends_on_edges(workspace.index):
        arrows[Arrow(card, dependency, "depends_on")] = None
    cycles = find_cycles((arrow.source, arrow.target) for arrow in arrows)
    entries = find_entries(workspace, refs.entries)
    files.update(entries.files)
    arrows.update(dict.fromkeys(entries.arrows))
    added, derived, left_out = _find_code(workspace, refs.sources, files, arrows, code)
    files.update(added)
    boxes = [
        Box(path, files[path].kind, title=_title(files[path])) for path in sorted(files)
    ]
    boxes += [Box(address, kind) for address, kind in entries.kinds.items()]
    dead = [ref for ref in sorted(refs.dead) if ref not in files]
    boxes += [Box(ref, "dead", state="dead") for ref in dead]
    title = (
        "references and code of the workspace"
        if derived
        else "references of the workspace"
    )
    drawing = Drawing(
        title=title,
        boxes=tuple(boxes),
        arrows=(*arrows, *derived),
        budget=0,
        tokens=0,
        cycles=cycles,
        left_out=left_out,
        records_left_out=entries.records_left_out,
    )
    return mask_value(drawing, workspace)


def _read_refs(index: Index) -> _Refs:
    refs = _Refs({}, {}, {}, {}, [])
    for file in index.files():
        if file.kind in ("card", "doc") or file.links:
            refs.files[file.path] = file
        if file.kind == "source":
            refs.sources.append(file)
        for link in file.links:
            target = resolve(link, file.path, index)
            if isinstance(target, Target):
                _add_ref(refs, index, file.path, target)
            elif target.reason != "outside":
                refs.dead[link.ref] = None
                refs.arrows[Arrow(file.path, link.ref, "refs")] = None
    return refs


def _add_ref(refs: _Refs, index: Index, source: str, target: Target) -> None:
    if target.kind in ENTRY_KINDS:
        refs.arrows[Arrow(source, target.address, "refs")] = None
        refs.entries[target.address] = None
        return
    if target.path == source or target.kind in ("folder", "binary"):
        return
    file = index.file(target.path)
    if file is not None:
        refs.files.setdefault(target.path, file)
        refs.arrows[Arrow(source, target.path, "refs")] = None


def _find_code(
    workspace: Workspace,
    sources: Sequence[File],
    drawn: Mapping[str, File],
    refs: Collection[Arrow],
    extent: Extent,
) -> tuple[Mapping[str, File], Sequence[Arrow], int]:
    """Return the sources to add to a drawing of the files `drawn` and the edges `refs`,
    the derived edges, and the number of neighbours without room.

    `sources` are all sources. Generated, vendored and hidden files are not added.
    """
    if extent == "none" or not sources:
        return {}, (), 0
    index, ranked = workspace.index, workspace.corpus.lengths().keys()
    known = {file.path: file for file in sources if file.path in ranked | drawn.keys()}
    resolver = Resolver(index.paths(), workspace.corpus.roots(), import_strategy)
    arrows = code_arrows(known.values(), resolver)
    docs = {path for path, file in drawn.items() if file.kind == "doc"} & ranked
    mentions: list[Mention] = []
    for path in filter(docs.__contains__, drawn):
        mentions += _read_mentions(drawn[path], workspace.texts)
    connected = {arrow[:2] for arrow in refs}
    documents = document_arrows(mentions, known.values())
    arrows += [arrow for arrow in documents if arrow[:2] not in connected]
    ends = {path for arrow in arrows for path in arrow[:2]}
    left_out = 0
    if extent == "near":
        paths, left_out = choose_near(drawn, arrows)
        ends = set(paths)
    shown = ends | drawn.keys()
    kept = [arrow for arrow in arrows if shown.issuperset(arrow[:2])]
    # Cards and change logs are left out, because they change with everything.
    connected.update(arrow[:2] for arrow in kept)
    changing = ranked & shown & (known.keys() | docs)
    if not changing.isdisjoint(known):
        commits = workspace.history.commits()
        kept += cochange_arrows(commits, changing, known.keys(), connected)
    added = {path: known[path] for path in sorted(ends - drawn.keys())}
    return added, kept, left_out


def _read_mentions(doc: File, texts: Texts) -> list[Mention]:
    try:
        lines = texts.text(doc.path).split("\n")
    except StorageError:
        return []  # the file has just changed; the rest of the drawing is still correct
    spans = read_code_spans("\n".join(lines[doc.body - 1 :]), doc.body)
    return [Mention(doc.path, line, text) for line, text in spans]


def draw_scene(workspace: Workspace, card: str | None = None) -> Drawing:
    """Return the drawing of the walk of a scene: shown nodes with their sizes, left-out
    nodes, related files.
    """
    report = make_scene(workspace, Request(card)).report
    index, settings = workspace.index, workspace.settings.scene
    root = find_root(workspace, card)
    visits = walk(neighbourhood(root, index, settings.depth, settings.pinned))
    shown = {row["address"]: row for row in report["visits"]}
    left_out = {row["address"]: row for row in report["left_out"]}
    boxes: list[Box] = []
    arrows: list[Arrow] = []
    for visit in visits:
        boxes.append(
            _visit_box(
                visit, index, shown.get(visit.address), left_out.get(visit.address)
            )
        )
        if visit.via:
            arrows.append(Arrow(visit.via, visit.address, visit.edge or "refs"))
    for block in report["blocks"]:
        for row in block["entries"]:
            kind, depth = row["address"].partition(":")[0], row["depth"]
            boxes.append(Box(row["address"], kind, depth, state="shown", view="line"))
            arrows.append(Arrow(row["address"], row["via"], row["edge"]))
    related = [row for row in report["visits"] if row["tier"] == "related"]
    for row in related[:_MOST_RELATED]:
        title = _title(index.file(row["path"]))
        size, view = row["tokens"], row["view"]
        boxes.append(Box(row["address"], row["kind"], -1, size, "related", view, title))
        arrows.append(Arrow(visits[0].address, row["address"], "related"))
    drawing = Drawing(
        title=f"scene: {boxes[0].title or visits[0].address}",
        boxes=tuple(boxes),
        arrows=tuple(arrows),
        budget=report["budget"],
        tokens=report["tokens"],
        cycles=ref_cycles(root, index, settings.depth, settings.pinned),
        left_out=len(related[_MOST_RELATED:]),
    )
    return mask_value(drawing, workspace)


def _visit_box(
    visit: Visit,
    index: Index,
    shown: Mapping[str, Any] | None,
    left_out: Mapping[str, Any] | None,
) -> Box:
    """Return the box of a visit."""
    title = _title(index.file(visit.path)) if visit.whole else ""
    box = Box(visit.address, visit.kind, visit.depth, state="left-out", title=title)
    if shown is not None:
        return box._replace(tokens=shown["tokens"], state="shown", view=shown["view"])
    if left_out is not None:
        return box._replace(tokens=left_out["tokens"])
    return box


def draw_dependencies(workspace: Workspace) -> Drawing:
    """Return the drawing of the dependencies between cards."""
    workspace.refresh()
    edges = depends_on_edges(workspace.index)
    boxes = tuple(
        Box(file.path, "card", title=_title(file)) for file in cards(workspace.index)
    )
    arrows = tuple(Arrow(source, target, "depends_on") for source, target in edges)
    drawing = Drawing(
        title="dependencies of cards",
        boxes=boxes,
        arrows=arrows,
        budget=0,
        tokens=0,
        cycles=find_cycles(edges),
    )
    return mask_value(drawing, workspace)


def _title(file: File | None) -> str:
    """Return the title of a card; empty for any other file."""
    if file is not None and file.card is not None:
        return file.card.title
    return ""


def statistics(drawing: Drawing) -> dict[str, Any]:
    """Return the statistics of a drawing: nodes by kind, number of edges, cycles,
    number of isolated nodes.

    Edges by type are included if there are derived edges.
    """
    kinds = Counter(box.kind for box in drawing.boxes)
    types = Counter(arrow.edge for arrow in drawing.arrows)
    connected = {arrow.source for arrow in drawing.arrows}
    connected.update(arrow.target for arrow in drawing.arrows)
    figures: dict[str, Any] = {
        "nodes": len(drawing.boxes),
        "kinds": dict(sorted(kinds.items())),
        "edges": len(drawing.arrows),
        "cycles": [list(cycle) for cycle in drawing.cycles],
        "alone": sum(box.address not in connected for box in drawing.boxes),
    }
    if types.keys() - WRITTEN:
        figures["types"] = dict(sorted(types.items()))
    return figures
