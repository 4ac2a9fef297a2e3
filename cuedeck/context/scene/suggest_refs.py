"""Suggestion of refs for a card: the best files of the related tier. The clear ones can
be written into the card.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

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
from cuedeck.model.scene_values import Target
from cuedeck.parse.frontmatter_edit import add_item
from cuedeck.parse.refs import read_back
from cuedeck.text.words import terms
from cuedeck.work.cards.edit_card import change_card

if TYPE_CHECKING:
    from cuedeck.context.ranking.commit_relevance import CommitRelevance
    from cuedeck.context.ranking.signal_scores import RankingContext
    from cuedeck.engine.workspace import Workspace
    from cuedeck.store.index import Index

LIMIT = 10
"""Default number of suggestions."""
CLEAR_SHARE = 0.45
"""Share of the best possible score from which on a suggestion is clear."""
LEAD = 2.0
"""Factor by which a symbol must outscore the rest of its file to be suggested instead
of the file.
"""
NAMED_LEAD = 1.25
"""The same factor for a symbol whose name contains a word of the card."""


class Suggestion(NamedTuple):
    """Ref that the card does not have."""

    address: str
    path: str
    why: str
    score: float
    """Fused score of the file."""
    is_clear: bool
    """Whether the score is high enough to write the ref without review."""
    ranks: dict[str, int]
    """Rank of the file by each signal."""

    def as_json(self) -> dict[str, Any]:
        """Return the suggestion as its documented JSON."""
        return {
            "address": self.address,
            "path": self.path,
            "why": self.why,
            "score": round(self.score, 3),
            "ranks": self.ranks,
        }


def suggest(
    workspace: Workspace,
    card: str | None = None,
    limit: int = LIMIT,
    *,
    apply: bool = False,
) -> dict[str, Any]:
    """Return the best refs to add to a card, best first; with `apply`, write the clear
    ones into it.

    `clear` is true if `apply` adds the ref, `linked` if the card has the ref now.
    Raises: NotFound, Ambiguous or NoActiveCard for the card; Invalid if its front
    matter cannot take a ref.
    """
    workspace.refresh()
    root = find_root(workspace, card)
    found = workspace.settled(lambda: _find(workspace, root, limit))
    applied = (
        _write(workspace, root.path, [each.address for each in found if each.is_clear])
        if apply
        else []
    )
    rows = [
        each.as_json() | {"linked": each.address in applied, "clear": each.is_clear}
        for each in found
    ]
    return {"card": root.address, "suggestions": rows, "applied": applied}


def _find(workspace: Workspace, root: Target, limit: int) -> list[Suggestion]:
    index, settings = workspace.index, workspace.settings.scene
    visits = walk(neighbourhood(root, index, settings.depth, settings.pinned))
    linked = {visit.path for visit in visits}
    used = session_files(workspace.sessions, root.path)
    context, ranking = rank_related(workspace, visits, used)
    found: list[Suggestion] = []
    for each in ranking.candidates:
        if each.path in linked or len(found) == limit:
            continue
        address = _address(context, each.path, ranking.history)
        if _is_ref(index, root.path, address):
            is_clear = each.score >= CLEAR_SHARE * ranking.most
            ranks = dict(sorted(each.ranks.items()))
            found.append(
                Suggestion(address, each.path, each.why, each.score, is_clear, ranks)
            )
    return found


def _address(context: RankingContext, path: str, history: CommitRelevance) -> str:
    """Return the path, or the address of the single symbol in it that matches the
    card.
    """
    words = context.corpus.words(path)
    file = context.lookup.file(path)
    if words is None or not words.chunks or file is None or not file.symbols:
        return path
    best = order_chunks(context, path, words, history)[0]
    lead = words.chunks[best].name
    places = find_anchor(file, lead) if lead else ()
    if len(places) != 1:
        return path
    (place,) = places
    inside = outside = 0
    for at, points in chunk_points(context, path, "words").items():
        if place.start <= words.chunks[at].start <= place.end:
            inside = max(inside, points)
        else:
            outside = max(outside, points)
    name = lead.rpartition(".")[2]
    is_named = not context.query.words.keys().isdisjoint(terms(name))
    least = NAMED_LEAD if is_named else LEAD
    is_clear = inside > 0 and inside >= least * outside
    return join_anchor(path, place.name) if is_clear else path


def _is_ref(index: Index, card: str, address: str) -> bool:
    try:
        link = Link(read_back(address), 0, "refs", "", False)
    except Invalid:
        return False
    found = resolve(link, card, index, suggest=False)
    return isinstance(found, Target) and found.address == address


def _write(workspace: Workspace, card: str, addresses: list[str]) -> list[str]:
    added: list[str] = []

    def edit(data: bytes) -> bytes:
        for address in addresses:
            more = add_item(data, "refs", address)
            added.extend([address] if more != data else [])
            data = more
        return data

    if addresses:
        change_card(workspace, card, edit)
    return added
