"""Suggestion of refs for a card: the best files of the related tier. The clear ones can
be written into the card.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cuedeck.context.ranking.chunk_scores import chunk_points, order_chunks
from cuedeck.context.scene.related_files import rank_related, session_files
from cuedeck.context.scene.walk import walk
from cuedeck.engine.active_card import find_root
from cuedeck.graph.anchors import find_anchor
from cuedeck.graph.neighbourhood import neighbourhood
from cuedeck.graph.resolve_ref import resolve
from cuedeck.model.address import join_anchor
from cuedeck.model.errors import Invalid
from cuedeck.model.file import Link
from cuedeck.model.ports import Json
from cuedeck.model.scene_values import Target
from cuedeck.parse.frontmatter_edit import add_item
from cuedeck.parse.refs import read_back
from cuedeck.text.words import terms
from cuedeck.work.cards.edit_card import change_card

if TYPE_CHECKING:
    from cuedeck.context.ranking.signal_scores import RankingContext
    from cuedeck.engine.workspace import Workspace
    from cuedeck.store.files.tree import Tree
    from cuedeck.store.index import Index
    from cuedeck.store.workspace_paths import WorkspacePaths

LIMIT = 10
"""Default number of suggestions."""
CLEAR_SHARE = 0.45
"""Share of the best possible score from which on a suggestion is clear."""
_LEAD = 2.0
"""Factor by which a symbol must outscore the rest of its file to be suggested instead
of the file.
"""
_NAMED_LEAD = 1.25
"""The same factor for a symbol whose name contains a word of the card."""


def suggest(
    workspace: Workspace,
    card: str | None = None,
    limit: int = LIMIT,
    *,
    apply: bool = False,
) -> Json:
    """Return the best refs to add to a card, best first; with `apply`, write the clear
    ones into it.

    `clear` is true if `apply` adds the ref, `linked` if the card has the ref now.
    Raises: NotFound, Ambiguous or NoActiveCard for the card; Invalid if its front
    matter cannot take a ref.
    """
    workspace.refresh()
    root = find_root(workspace.index, workspace.paths, card)
    rows = workspace.settled(lambda: _find(workspace, root, limit))
    clear = [row["address"] for row in rows if row["clear"]]
    applied = (
        _write(workspace.paths, workspace.tree, workspace.index, root.path, clear)
        if apply
        else []
    )
    for row in rows:
        row["linked"] = row["address"] in applied
    return {"card": root.address, "suggestions": rows, "applied": applied}


def _find(workspace: Workspace, root: Target, limit: int) -> list[Json]:
    index = workspace.index
    settings = workspace.settings.scene
    visits = walk(neighbourhood(root, index, settings.depth, settings.pinned))
    used = session_files(workspace.sessions, root.path)
    context, ranking = rank_related(workspace, visits, used)
    rows: list[Json] = []
    for each in ranking.candidates:
        address = _address(context, each.path)
        if len(rows) < limit and _is_ref(index, root.path, address):
            row = {
                "address": address,
                "path": each.path,
                "why": each.why,
                "score": round(each.score, 3),
                "ranks": dict(sorted(each.ranks.items())),
                "linked": False,
                "clear": each.score >= CLEAR_SHARE * ranking.most,
            }
            rows.append(row)
    return rows


def _address(context: RankingContext, path: str) -> str:
    """Return the path, or the address of the single symbol in it that matches the
    card.
    """
    words = context.corpus.words(path)
    file = context.lookup.file(path)
    if words is None or not words.chunks or file is None or not file.symbols:
        return path
    best = order_chunks(context, path)[0]
    name = words.chunks[best].name
    places = find_anchor(file, name) if name else ()
    if len(places) != 1:
        return path
    start, end, anchor = places[0]
    inside = outside = 0
    for at, points in chunk_points(context, path, "words").items():
        if start <= words.chunks[at].start <= end:
            inside = max(inside, points)
        else:
            outside = max(outside, points)
    is_named = not context.query.words.keys().isdisjoint(terms(name.rpartition(".")[2]))
    lead = _NAMED_LEAD if is_named else _LEAD
    is_clear = inside > 0 and inside >= lead * outside
    return join_anchor(path, anchor) if is_clear else path


def _is_ref(index: Index, card: str, address: str) -> bool:
    try:
        link = Link(read_back(address), 0, "refs", "", False)
    except Invalid:
        return False
    found = resolve(link, card, index, suggest=False)
    return isinstance(found, Target) and found.address == address


def _write(
    paths: WorkspacePaths, tree: Tree, index: Index, card: str, addresses: list[str]
) -> list[str]:
    added: list[str] = []

    def edit(data: bytes) -> bytes:
        for address in addresses:
            more = add_item(data, "refs", address)
            if more != data:
                added.append(address)
            data = more
        return data

    if addresses:
        change_card(paths, tree, index, card, edit)
    return added
