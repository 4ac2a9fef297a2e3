"""Explanation of why an address is or is not in the scene: its links or ranks, and the
budget.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from cuedeck.context.ranking.candidates import copies
from cuedeck.context.ranking.rank_files import find_placement
from cuedeck.context.scene.build_scene import BuiltScene, Request, make_scene
from cuedeck.context.scene.related_files import (
    READ,
    rank_related,
    session_files,
)
from cuedeck.context.scene.walk import walk
from cuedeck.context.search.read_address import resolve_readable
from cuedeck.context.search.symbol_addresses import links_to
from cuedeck.engine.active_card import find_root
from cuedeck.graph.neighbourhood import neighbourhood
from cuedeck.ledger.kinds.experience_kind import experiences_in
from cuedeck.model.entry_node import ENTRY_KINDS
from cuedeck.model.formatting import counted, ordinal
from cuedeck.model.scene_values import Target, Visit
from cuedeck.parse.index_terms import is_noise

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace

_UNLINKED = "no link leads to it from the card"
_NEVER_RANKED = (
    "change logs, lock files, licences, generated, vendored and hidden files are never"
    " ranked; a link shows it"
)
_NOT_MENTIONED = (
    "it concerns no file of the scene, is superseded, or did not fit into the budget"
)
_NO_EXPERIENCES = (
    "scenes show no experiences, because `experiences.enabled` or "
    "`experiences.in_scene` is false"
)
_NO_MATCHING_EXPERIENCE = (
    "it names no file of the scene and its words do not match the card, or others come "
    "first in the share of experiences"
)
_FAR = 20
"""Maximal number of links followed to measure the distance of an address outside the
scene.
"""
_NOTHING: dict[str, Any] = {
    "in_scene": False,
    "tier": None,
    "view": None,
    "tokens": None,
    "reason": "",
    "ranks": {},
    "chain": [],
    "referred_by": [],
    "rank": None,
    "of": None,
    "lost_to": None,
}


def why(workspace: Workspace, text: str, card: str | None = None) -> dict[str, Any]:
    """Return the links or ranks that lead to an address and how much of it is shown, or
    why it is not shown.

    Raises: NotFound or Ambiguous for the address or the card, StorageError for a file
    that cannot be read.
    """
    made = make_scene(workspace, Request(card))
    return workspace.settled(lambda: _explain(workspace, made, text, card))


def _explain(
    workspace: Workspace, made: BuiltScene, text: str, card: str | None
) -> dict[str, Any]:
    target = resolve_readable(workspace, text)
    root = find_root(workspace, card)
    settings = workspace.settings.scene
    visits = walk(neighbourhood(root, workspace.index, settings.depth, settings.pinned))
    visit = _holding(visits, target)
    if visit is None and target.whole:
        parts = [each for each in visits if each.path == target.path]
        visit = parts[0] if parts else None
    answer = {"address": target.address, "card": root.address, **_NOTHING}
    shown = {
        (each["tier"], each["address"]): at
        for at, each in enumerate(made.report["visits"])
    }
    at = shown.get(("related", target.path))
    if visit is not None and ("explicit", visit.address) in shown:
        row = made.report["visits"][shown["explicit", visit.address]]
        return answer | _linked(visits, visit, target) | _size(row)
    if at is not None:
        return answer | _derived(workspace, visits, made.report["visits"][at], target)
    if visit is not None:
        return answer | _linked(visits, visit, target) | _left_out(made.report, visit)
    if target.kind in ENTRY_KINDS:
        return answer | _mentioned(workspace, made, visits, target.address)
    return (
        answer
        | {"referred_by": links_to(workspace.index, target.path)}
        | _outside(workspace, made, root, visits, target)
    )


def _mentioned(
    workspace: Workspace, made: BuiltScene, visits: Sequence[Visit], address: str
) -> dict[str, Any]:
    """Return the explanation of a ledger entry, by the blocks of the scene."""
    by_address = {visit.address: visit for visit in visits}
    for block in made.report["blocks"]:
        for row in block["entries"]:
            if row["address"] == address:
                via = by_address.get(row["via"], visits[0])
                step = {key: row[key] for key in ("address", "depth", "why", "edge")}
                chain = [*_chain(visits, via), step]
                return {"in_scene": True, "reason": row["why"], "chain": chain}
    if not address.startswith("experience:"):
        return {"reason": _NOT_MENTIONED}
    if not workspace.settings.experiences.are_shown:
        return {"reason": _NO_EXPERIENCES}
    shown = {
        row["address"] for block in made.report["blocks"] for row in block["entries"]
    }
    for each in experiences_in(workspace):
        source = f"record:{each.record}"
        if address == f"experience:{each.id}" and source in shown:
            return {"reason": f"the scene shows its source {source}"}
    return {"reason": _NO_MATCHING_EXPERIENCE}


def _linked(visits: tuple[Visit, ...], visit: Visit, target: Target) -> dict[str, Any]:
    return {
        "tier": "explicit",
        "chain": _chain(visits, visit),
        "reason": _relation(visit, target),
    }


def _size(shown: dict[str, Any]) -> dict[str, Any]:
    return {"in_scene": True, "view": shown["view"], "tokens": shown["tokens"]}


def _left_out(report: dict[str, Any], visit: Visit) -> dict[str, Any]:
    for left in report["left_out"]:
        if left["address"] == visit.address:
            why = f"{left['reason']}: {left['tokens']} tokens"
            return {"reason": f"{why}; see it with: {left['show']}"}
    return {"reason": ""}


def _derived(
    workspace: Workspace, visits: Sequence[Visit], shown: dict[str, Any], target: Target
) -> dict[str, Any]:
    """Return the explanation of a file in the related tier, or of a part of one."""
    lines = shown["passages"]
    related = {"tier": "related", "ranks": shown["ranks"]}
    reason = shown["why"]
    if target.whole:
        return {**related, **_size(shown), "reason": reason}
    inside = 0
    for first, last in lines:
        inside += max(0, min(target.end, last) - max(target.start, first) + 1)
    if not inside:
        return {**related, "reason": f"only other lines of {shown['path']} are shown"}
    whole = target.end - target.start + 1
    how = ""
    if inside != whole:
        verb = "is" if inside == 1 else "are"
        how = f", {inside} of its {whole} lines {verb} shown"
    return {
        **related,
        **_size(shown),
        "reason": f"it is part of {shown['path']}{how}; {reason}",
    }


def _outside(
    workspace: Workspace,
    made: BuiltScene,
    root: Target,
    visits: Sequence[Visit],
    target: Target,
) -> dict[str, Any]:
    """Return why neither tier shows a target: its distance in links, its rank and the
    last file shown.
    """
    settings = workspace.settings.scene
    reachable = walk(neighbourhood(root, workspace.index, _FAR, settings.pinned))
    far = _holding(reachable, target)
    distance = ""
    if far is not None:
        distance = f"{far.depth} links away, and scene.depth is {settings.depth}"
    if not (settings.related and settings.related_share):
        return {"reason": distance or f"{_UNLINKED}, and the related tier is off"}
    place = _ranked(workspace, made, visits, target)
    reasons = [each for each in (distance, place["reason"]) if each]
    return {**place, "reason": "; ".join(reasons)}


def _ranked(
    workspace: Workspace, made: BuiltScene, visits: Sequence[Visit], target: Target
) -> dict[str, Any]:
    """Return the rank of a file in the whole ranking of related files, and the last
    file shown.
    """
    used = session_files(workspace.sessions, visits[0].path)
    context, ranking = rank_related(workspace, visits, used)
    ranks = {each.path: at for at, each in enumerate(ranking.candidates, 1)}
    shown = [
        each["path"]
        for each in made.report["visits"]
        if each["tier"] == "related" and each["path"] in ranks
    ]
    last = max(shown, key=ranks.__getitem__, default=None)
    lost_to = {"address": last, "rank": ranks[last]} if last else None
    found = find_placement(context, target.path)
    answer = {"of": found.of, "lost_to": lost_to}
    if found.candidate is None:
        return {**answer, "reason": _unranked(target, found.of)}
    same = copies(context, ranking).get(target.path)
    where = f"ranked {ordinal(found.rank)} of {counted(found.of, 'related file')}"
    why_not = f"it is a copy of {same}" if same else _lost(found.rank, lost_to)
    return {
        **answer,
        "tier": "related",
        "reason": f"{where} ({found.candidate.why}); {why_not}",
        "ranks": dict(sorted(found.candidate.ranks.items())),
        "rank": found.rank,
    }


def _lost(rank: int, lost_to: dict[str, Any] | None) -> str:
    """Return why a ranked file is not shown."""
    if lost_to is None:
        return "the budget has no room for related files"
    last = f"the last file shown is {lost_to['address']} (rank {lost_to['rank']})"
    if rank > lost_to["rank"]:
        return last
    return f"no part of it fitted into the room left; {last}"


def _unranked(target: Target, of: int) -> str:
    """Return why a file is not in the ranking."""
    if target.kind not in READ:
        return f"{_UNLINKED}, and only the text of cards, docs and sources is ranked"
    if target.kind != "card" and is_noise(target.path):
        return f"{_UNLINKED}, and {_NEVER_RANKED}"
    others = "no file is ranked"
    if of:
        verb = "is" if of == 1 else "are"
        others = f"{counted(of, 'other file')} {verb} ranked"
    return f"{_UNLINKED}, and no word, name, import or commit connects it with the task; {others}"


def _relation(visit: Visit, target: Target) -> str:
    if visit.address == target.address:
        return ""
    if target.whole and not visit.whole:
        return f"only this part of it: {visit.address}"
    return f"it is part of {visit.address}"


def _holding(visits: tuple[Visit, ...], target: Target) -> Visit | None:
    """Return the visit that shows the first line of a target."""
    for visit in visits:
        if target.kind in ENTRY_KINDS and visit.address == target.address:
            return visit
        if target.kind in ENTRY_KINDS or visit.path != target.path:
            continue
        if any(start <= target.start <= end for start, end in visit.spans):
            return visit
    return None


def _chain(visits: Sequence[Visit], visit: Visit) -> list[dict[str, Any]]:
    by_address = {each.address: each for each in visits}
    steps = [visit]
    while steps[-1].via is not None:
        steps.append(by_address[steps[-1].via])
    fields = ("address", "depth", "why", "edge")
    return [{name: getattr(each, name) for name in fields} for each in reversed(steps)]
