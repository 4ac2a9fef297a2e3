"""Explanation of why an address is or is not in the scene: its links or ranks, and the
budget.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cuedeck.context.ranking.candidates import copies
from cuedeck.context.ranking.rank_files import find_placement
from cuedeck.context.scene.build_scene import BuiltScene, Request, make_scene
from cuedeck.context.scene.related_files import (
    READ,
    RelatedFiles,
    rank_related,
    session_files,
)
from cuedeck.context.scene.walk import walk
from cuedeck.context.search.read_address import resolve_readable
from cuedeck.context.search.symbol_addresses import links_to
from cuedeck.engine.active_card import find_root
from cuedeck.graph.neighbourhood import neighbourhood
from cuedeck.model.entry_node import ENTRY_KINDS
from cuedeck.model.formatting import counted, ordinal
from cuedeck.model.ports import Json
from cuedeck.model.scene_values import Target, Visit
from cuedeck.parse.index_terms import is_noise

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.model.settings_schema import Settings

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
_STEP = ("address", "depth", "why", "edge")
"""Fields of a step of a chain."""
_NOTHING: Json = {
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


def why(workspace: Workspace, text: str, card: str | None = None) -> Json:
    """Return the links or ranks that lead to an address and how much of it is shown, or
    why it is not shown.

    Raises: NotFound or Ambiguous for the address or the card, StorageError for a file
    that cannot be read.
    """
    made = make_scene(workspace, Request(card))
    return workspace.settled(lambda: _explain(workspace, made, text, card))


def _explain(
    workspace: Workspace, made: BuiltScene, text: str, card: str | None
) -> Json:
    target = resolve_readable(workspace, text)
    root = find_root(workspace.index, workspace.paths, card)
    settings = workspace.settings.scene
    report = made.report
    visits = walk(neighbourhood(root, workspace.index, settings.depth, settings.pinned))
    answer = {"address": target.address, "card": root.address, **_NOTHING}
    visit = _holding(visits, target)
    if visit is None and target.whole:
        visit = next((each for each in visits if each.path == target.path), None)
    rows = {(row["tier"], row["address"]): row for row in report["visits"]}
    row = rows.get(("explicit", visit.address)) if visit else None
    related = rows.get(("related", target.path))
    if related is not None and row is None:
        return answer | _related(related, target)
    if visit is not None:
        return answer | _linked(report, visits, visit, target) | _size(row)
    if target.kind in ENTRY_KINDS:
        return answer | _mentioned(workspace.settings, report, visits, target.address)
    answer["referred_by"] = links_to(workspace.index, target.path)
    reachable = walk(neighbourhood(root, workspace.index, _FAR, settings.pinned))
    far = _holding(reachable, target)
    reasons = []
    if far is not None:
        reasons = [f"{far.depth} links away, and scene.depth is {settings.depth}"]
    if settings.related and settings.related_share:
        used = session_files(workspace.sessions, root.path)
        ranked = rank_related(workspace, visits, used)
        answer |= _ranked(ranked, report, target)
        reasons.append(answer["reason"])
    elif far is None:
        reasons = [f"{_UNLINKED}, and the related tier is off"]
    return answer | {"reason": "; ".join(reasons)}


def _mentioned(
    settings: Settings, report: Json, visits: Sequence[Visit], address: str
) -> Json:
    """Return the explanation of a ledger entry, by the blocks of the scene."""
    by_address = {visit.address: visit for visit in visits}
    for block in report["blocks"]:
        for row in block["entries"]:
            if row["address"] == address:
                step = {field: row[field] for field in _STEP}
                chain = _chain(visits, by_address.get(row["via"], visits[0]))
                chain.append(step)
                return {"in_scene": True, "reason": row["why"], "chain": chain}
    if not address.startswith("experience:"):
        return {"reason": _NOT_MENTIONED}
    is_shown = settings.experiences.are_shown
    return {"reason": _NO_MATCHING_EXPERIENCE if is_shown else _NO_EXPERIENCES}


def _linked(
    report: Json, visits: Sequence[Visit], visit: Visit, target: Target
) -> Json:
    reason = ""
    if target.whole and not visit.whole:
        reason = f"only this part of it: {visit.address}"
    elif visit.address != target.address:
        reason = f"it is part of {visit.address}"
    for left in report["left_out"]:
        if left["address"] == visit.address:
            size = f"{left['reason']}: {left['tokens']} tokens"
            reason = f"{size}; see it with: {left['show']}"
    return {"tier": "explicit", "chain": _chain(visits, visit), "reason": reason}


def _size(row: Json | None) -> Json:
    if row is None:
        return {}
    return {"in_scene": True, "view": row["view"], "tokens": row["tokens"]}


def _related(row: Json, target: Target) -> Json:
    """Return the explanation of a file in the related tier, or of a part of one."""
    answer = {"tier": "related", "ranks": row["ranks"]}
    if target.whole:
        return {**answer, **_size(row), "reason": row["why"]}
    inside = 0
    for first, last in row["passages"]:
        common = min(target.end, last) - max(target.start, first) + 1
        inside += max(0, common)
    if not inside:
        return {**answer, "reason": f"only other lines of {row['path']} are shown"}
    whole = target.end - target.start + 1
    how = ""
    if inside != whole:
        how = f", {inside} of its {whole} lines {'is' if inside == 1 else 'are'} shown"
    reason = f"it is part of {row['path']}{how}; {row['why']}"
    return {**answer, **_size(row), "reason": reason}


def _ranked(ranked: RelatedFiles, report: Json, target: Target) -> Json:
    """Return the rank of a file in the whole ranking of related files, and the last
    file shown.
    """
    context, ranking = ranked
    ranks = {each.path: at for at, each in enumerate(ranking.candidates, 1)}
    shown = [row["path"] for row in report["visits"] if row["tier"] == "related"]
    last = max(shown, key=lambda path: ranks.get(path, 0), default="")
    lost_to = {"address": last, "rank": ranks[last]} if last in ranks else None
    found = find_placement(context, target.path)
    answer = {"of": found.of, "lost_to": lost_to}
    if found.candidate is None:
        return {**answer, "reason": _unranked(target, found.of)}
    original = copies(context, ranking).get(target.path)
    lost = "the budget has no room for related files"
    if original:
        lost = f"it is a copy of {original}"
    elif lost_to is not None:
        lost = f"the last file shown is {last} (rank {ranks[last]})"
        if found.rank <= ranks[last]:
            lost = f"no part of it fitted into the room left; {lost}"
    where = f"ranked {ordinal(found.rank)} of {counted(found.of, 'related file')}"
    return {
        **answer,
        "tier": "related",
        "reason": f"{where} ({found.candidate.why}); {lost}",
        "ranks": dict(sorted(found.candidate.ranks.items())),
        "rank": found.rank,
    }


def _unranked(target: Target, of: int) -> str:
    """Return why a file is not in the ranking."""
    if target.kind not in READ:
        return f"{_UNLINKED}, and only the text of cards, docs and sources is ranked"
    if target.kind != "card" and is_noise(target.path):
        return f"{_UNLINKED}, and {_NEVER_RANKED}"
    others = "no file is ranked"
    if of:
        others = f"{counted(of, 'other file')} {'is' if of == 1 else 'are'} ranked"
    return f"{_UNLINKED}, and no word, name, import or commit connects it with the task; {others}"


def _holding(visits: tuple[Visit, ...], target: Target) -> Visit | None:
    """Return the visit that shows the first line of a target."""
    for visit in visits:
        if target.kind in ENTRY_KINDS:
            if visit.address == target.address:
                return visit
        elif visit.path == target.path and any(
            start <= target.start <= end for start, end in visit.spans
        ):
            return visit
    return None


def _chain(visits: Sequence[Visit], visit: Visit) -> list[Json]:
    by_address = {each.address: each for each in visits}
    steps = [visit]
    while steps[-1].via is not None:
        steps.append(by_address[steps[-1].via])
    return [{name: getattr(each, name) for name in _STEP} for each in reversed(steps)]
