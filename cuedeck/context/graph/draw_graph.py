"""Drawings of the workspace graph, of the walk of a scene, and of card dependencies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

from cuedeck.context.graph.entry_nodes import find_entries
from cuedeck.context.scene.build_scene import Request, make_scene
from cuedeck.context.scene.walk import walk
from cuedeck.context.search.ledger_entries import LedgerEntries
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
from cuedeck.model.diagram import WRITTEN, Arrow, Box, Drawing, State
from cuedeck.model.entry_node import ENTRY_KINDS
from cuedeck.model.errors import StorageError
from cuedeck.model.file import File
from cuedeck.model.formatting import shorten
from cuedeck.model.ports import Json, Texts
from cuedeck.model.scene_values import Unresolved
from cuedeck.parse.languages import import_strategy
from cuedeck.parse.markdown import read_code_spans
from cuedeck.work.cards.card_dependencies import depends_on_edges

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.store.index import Index

_MOST_RELATED = 12
"""Maximum number of related files drawn for a scene."""


_LONGEST_TITLE = 60
"""Characters of the words that name a ledger entry."""

Extent = Literal["near", "all", "none"]
"""Which sources are added: neighbours of the drawn nodes, all sources with an edge, or
none (only refs).
"""


class _Refs(NamedTuple):
    """The refs in the files of a workspace."""

    files: dict[str, File]
    """Cards, docs, and all files with an outgoing or incoming ref, by path."""
    arrows: dict[Arrow, None]
    dead: set[str]
    entries: list[str]
    """Addresses of the linked ledger entries."""


def draw_workspace(workspace: Workspace, code: Extent = "near") -> Drawing:
    """Return the drawing of the workspace: files, refs, dependencies, decisions,
    records, sessions and code.

    Reported cycles are those of refs and card dependencies.
    """
    workspace.refresh()
    refs = _read_refs(workspace.index)
    files = refs.files
    arrows = refs.arrows
    for card, dependency in depends_on_edges(workspace.index):
        arrows[Arrow(card, dependency, "depends_on")] = None
    cycles = find_cycles(arrow[:2] for arrow in arrows)
    entries = find_entries(workspace, refs.entries)
    files.update(entries.files)
    arrows.update(dict.fromkeys(entries.arrows))
    added, derived, left_out = _find_code(workspace, files, arrows, code)
    files.update(added)
    boxes = [
        Box(path, files[path].kind, title=_title(files[path])) for path in sorted(files)
    ]
    lookup = LedgerEntries(workspace)
    boxes += [_entry_box(lookup, *each) for each in entries.kinds.items()]
    dead = sorted(refs.dead - files.keys())
    boxes += [Box(ref, "dead", state="dead") for ref in dead]
    kinds = "references and code" if derived else "references"
    drawing = Drawing(
        f"{kinds} of the workspace",
        tuple(boxes),
        (*arrows, *derived),
        cycles=cycles,
        left_out=left_out,
        records_left_out=entries.records_left_out,
    )
    return _without_secrets(drawing, workspace)


def _read_refs(index: Index) -> _Refs:
    refs = _Refs({}, {}, set(), [])
    for file in index.files():
        if file.kind in ("card", "doc") or file.links:
            refs.files[file.path] = file
        for link in file.links:
            end = link.ref
            target = resolve(link, file.path, index, suggest=False)
            if isinstance(target, Unresolved):
                if target.reason == "outside":
                    continue
                refs.dead.add(end)
            elif target.kind in ENTRY_KINDS:
                end = target.address
                refs.entries.append(end)
            else:
                end = target.path
                known = index.file(end)
                if end == file.path or known is None or known.kind == "binary":
                    continue
                refs.files.setdefault(end, known)
            refs.arrows[Arrow(file.path, end, "refs")] = None
    return refs


def _find_code(
    workspace: Workspace,
    drawn: Mapping[str, File],
    refs: Collection[Arrow],
    extent: Extent,
) -> tuple[Mapping[str, File], Sequence[Arrow], int]:
    """Return the sources to add to a drawing of the files `drawn` and the edges `refs`,
    the derived edges, and the number of neighbours without room.

    Generated, vendored and hidden files are not added.
    """
    index = workspace.index
    ranked = workspace.corpus.lengths().keys()
    known = {
        file.path: file
        for file in index.files()
        if file.kind == "source" and file.path in ranked | drawn.keys()
    }
    if extent == "none" or not known:
        return {}, (), 0
    resolver = Resolver(index.paths(), workspace.corpus.roots(), import_strategy)
    arrows = code_arrows(known.values(), resolver)
    docs = {path for path, file in drawn.items() if file.kind == "doc"} & ranked
    found = [drawn[path] for path in filter(docs.__contains__, drawn)]
    mentions = list(_read_mentions(found, workspace.texts))
    joined = {arrow[:2] for arrow in refs}
    arrows += _unjoined(document_arrows(mentions, known.values()), joined)
    ends = {path for arrow in arrows for path in arrow[:2]}
    near = choose_near(drawn, arrows)
    left_out = 0
    if extent == "near":
        left_out = near.left_out
        ends = set(near.paths)
    shown = ends | drawn.keys()
    kept = [arrow for arrow in arrows if shown.issuperset(arrow[:2])]
    # Cards and change logs are left out, because they change with everything.
    joined.update(arrow[:2] for arrow in kept)
    changing = ranked & shown & (known.keys() | docs)
    if not changing.isdisjoint(known):
        commits = workspace.history.commits()
        kept += cochange_arrows(commits, changing, known.keys(), joined)
    added = {path: known[path] for path in sorted(ends - drawn.keys())}
    return added, kept, left_out


def _unjoined(
    arrows: Sequence[Arrow], joined: Collection[tuple[str, ...]]
) -> list[Arrow]:
    return [arrow for arrow in arrows if arrow[:2] not in joined]


def _read_mentions(docs: Iterable[File], texts: Texts) -> Iterator[Mention]:
    for doc in docs:
        try:
            lines = texts.text(doc.path).split("\n")
        except StorageError:
            continue  # it has just changed; the rest of the drawing is still correct
        for line, text in read_code_spans("\n".join(lines[doc.body - 1 :]), doc.body):
            yield Mention(doc.path, line, text)


def draw_scene(workspace: Workspace, card: str | None = None) -> Drawing:
    """Return the drawing of the walk of a scene: shown nodes with their sizes, left-out
    nodes, related files.
    """
    report = make_scene(workspace, Request(card)).report
    index = workspace.index
    settings = workspace.settings.scene
    root = find_root(workspace.index, workspace.paths, card)
    visits = walk(neighbourhood(root, index, settings.depth, settings.pinned))
    rows = {row["address"]: row for row in (*report["left_out"], *report["visits"])}
    lookup = LedgerEntries(workspace)
    boxes: list[Box] = []
    arrows: list[Arrow] = []
    for visit in visits:
        title = _title(index.file(visit.path)) if visit.whole else ""
        row = rows.get(visit.address, {})
        size = row.get("tokens", 0)
        view = row.get("view", "")
        state: State = "shown" if view else "left-out"
        place = visit.address, visit.kind, visit.depth
        boxes.append(Box(*place, size, state, view, title))
        if visit.via:
            arrows.append(Arrow(visit.via, visit.address, visit.edge or "refs"))
    for block in report["blocks"]:
        for row in block["entries"]:
            address = row["address"]
            box = _entry_box(lookup, address, address.partition(":")[0])
            boxes.append(box._replace(depth=row["depth"], state="shown", view="line"))
            arrows.append(Arrow(address, row["via"], row["edge"]))
    related = [row for row in report["visits"] if row["tier"] == "related"]
    for row in related[:_MOST_RELATED]:
        title = _title(index.file(row["path"]))
        size = row["tokens"]
        view = row["view"]
        address = row["address"]
        kind = row["kind"]
        boxes.append(Box(address, kind, -1, size, "related", view, title))
        arrows.append(Arrow(visits[0].address, address, "related"))
    drawing = Drawing(
        f"scene: {boxes[0].title or visits[0].address}",
        tuple(boxes),
        tuple(arrows),
        report["budget"],
        report["tokens"],
        ref_cycles(root, index, settings.depth, settings.pinned),
        left_out=len(related[_MOST_RELATED:]),
    )
    return _without_secrets(drawing, workspace)


def _entry_box(lookup: LedgerEntries, address: str, kind: str) -> Box:
    title = shorten(lookup.title(address), _LONGEST_TITLE)
    return Box(address, kind, title=title)


def draw_dependencies(workspace: Workspace) -> Drawing:
    """Return the drawing of the dependencies between cards."""
    workspace.refresh()
    edges = depends_on_edges(workspace.index)
    boxes = []
    for each in cards(workspace.index):
        boxes.append(Box(each.path, "card", title=_title(each)))
    arrows = [Arrow(*edge, "depends_on") for edge in edges]
    drawing = Drawing(
        "dependencies of cards",
        tuple(boxes),
        tuple(arrows),
        cycles=find_cycles(edges),
    )
    return _without_secrets(drawing, workspace)


def _title(file: File | None) -> str:
    """Return the title of a card; empty for any other file."""
    if file is not None and file.card is not None:
        return file.card.title
    return ""


def statistics(drawing: Drawing) -> Json:
    """Return the statistics of a drawing: nodes by kind, number of edges, cycles,
    number of isolated nodes.

    Edges by type are included if there are derived edges.
    """
    kinds = Counter(box.kind for box in drawing.boxes)
    types = Counter(arrow.edge for arrow in drawing.arrows)
    joined = {end for arrow in drawing.arrows for end in arrow[:2]}
    figures: Json = {
        "nodes": len(drawing.boxes),
        "kinds": dict(sorted(kinds.items())),
        "edges": len(drawing.arrows),
        "cycles": [list(cycle) for cycle in drawing.cycles],
        "alone": sum(box.address not in joined for box in drawing.boxes),
    }
    if types.keys() - WRITTEN:
        figures["types"] = dict(sorted(types.items()))
    return figures


def _without_secrets(drawing: Drawing, workspace: Workspace) -> Drawing:
    return mask_value(drawing, workspace)
