"""Budget planning: one view for every visit, so that the scene stays within its token
limit. `share_room` divides the room among the visits, the blocks of the ledgers and the
related files; `plan` chooses the views.

Reductions are made in this order: visits of depth 2 or more, from the far end, smaller
views before omission; then larger views of depth 1; last the end of the root. A visit
that does not fit is skipped, and the following visits are still tried.

Invariant: after planning, no omitted visit has a view that fits and no reduced visit
has a larger view that fits. This holds because the remaining room only shrinks while
visits are processed in order. Room reserved for related visits is not available to
visits of depth 2 or more.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from cuedeck.context.scene.ledger_blocks import Fitted
from cuedeck.context.scene.related_tier import RelatedTier
from cuedeck.context.scene.visit_views import Views
from cuedeck.model.scene_values import Shown, Visit

ROOT_SHARE = 0.25
"""Share of the room reserved for the root, even if it is long and depth 1 has many
lines.
"""
_DEEP = 3
"""Rank of unpinned visits of depth 2 or more."""


class Plan(NamedTuple):
    """The view of each shown visit, in visit order, and the omitted visits."""

    shown: tuple[Shown, ...]
    left_out: tuple[Visit, ...]
    free: int
    """Unused tokens of the room."""

    @property
    def pressed(self) -> bool:
        """Return whether the budget omitted or reduced any visit."""
        return bool(self.left_out) or any(each.reduced for each in self.shown)


def share_room(
    visits: Sequence[Visit],
    views: Views,
    room: int,
    notice: int,
    blocks: Sequence[Fitted],
    related: RelatedTier | None,
    related_most: int,
) -> tuple[Plan, Sequence[Fitted], int]:
    """Divide `room` tokens among the visits, the blocks and the related files; return
    the plan of the visits, the blocks, and the tokens reserved for the related files.

    `notice` is the cap of the notice. Each of the `blocks` with text reserves its whole
    cap, so that one more decision does not change the visits, unless depth 1 lacks room
    for its lines. Docs reached only from docs leave the related files up to
    `related_most` tokens.
    """

    def attempt(blocks: Sequence[Fitted]) -> tuple[Plan, int]:
        free = room - sum(block.cap for block in blocks if block.text)
        planned = plan(visits, views, free, notice)
        if _lacks_lines(planned):
            free = room - sum(block.tokens for block in blocks)
            planned = plan(visits, views, free, notice)
        yielding = [each.cost for each in planned.shown if gives_way(each.visit)]
        most = min(related_most, planned.free + sum(yielding))
        reserve = 0
        if related is not None and planned.free < most:
            reserve = related.needs(most)
        if reserve:
            planned = plan(visits, views, free, notice, reserve)
        return planned, reserve

    planned, reserve = attempt(blocks)
    if _lacks_lines(planned):
        # One line for each visit of depth 1 comes before the reminders of decisions.
        reduced = []
        for block in blocks:
            if block.name == "decisions":
                block = Fitted(block.name, "", 0, block.cap, entries=block.entries)
            reduced.append(block)
        blocks = reduced
        planned, reserve = attempt(blocks)
    return planned, blocks, reserve


def _lacks_lines(planned: Plan) -> bool:
    """Return whether a visit of depth 1 has not even a line."""
    return any(visit.depth <= 1 for visit in planned.left_out)


def plan(
    visits: Sequence[Visit], views: Views, room: int, notice: int, reserved: int = 0
) -> Plan:
    """Choose the views of `visits` for `room` tokens.

    `notice` tokens are reserved as soon as a visit is omitted or reduced; visits of
    depth 2 or more leave `reserved` tokens free. Units: tokens, including headings and
    map lines.
    """
    planned = _choose(visits, views, room, reserved)
    if planned.pressed:
        planned = _choose(visits, views, room - notice, reserved)
    return planned


def _choose(visits: Sequence[Visit], views: Views, room: int, reserved: int) -> Plan:
    """Choose one line for root, pins and depth 1, then larger views in order."""
    ranks = {at: _rank(visit) for at, visit in enumerate(visits)}
    order = sorted(ranks, key=ranks.__getitem__)
    near = [at for at in order if ranks[at] < _DEEP]
    chosen = _lines(visits, near, views, room)
    free = room - sum(offer.cost for offer in chosen.values())
    for at in order:
        visit = visits[at]
        free += chosen[at].cost if at in chosen else 0
        most = free - reserved if ranks[at] == _DEEP else free
        offer = views.best(visit, most)
        if not visit.depth and (offer is None or offer.view != "full"):
            offer = views.cut(visit, most) or offer
        if offer is not None:
            chosen[at] = offer
        free -= chosen[at].cost if at in chosen else 0
    shown = []
    for at, offer in sorted(chosen.items()):
        reduced = views.is_reduced(visits[at], offer)
        shown.append(offer._replace(reduced=reduced))
    left_out = [visit for at, visit in enumerate(visits) if at not in chosen]
    return Plan(tuple(shown), tuple(left_out), free)


def _lines(
    visits: Sequence[Visit], near: Sequence[int], views: Views, room: int
) -> dict[int, Shown]:
    """Return the smallest view of each of the nearest visits that has room."""
    chosen: dict[int, Shown] = {}
    for at in near:
        visit = visits[at]
        line = views.offer(visit, "line", room)
        # The text of a visit may be shorter than its line view.
        offer = views.best(visit, line.cost if line else room)
        if offer is None:
            continue
        chosen[at] = offer
        room -= offer.cost
        if not visit.depth:  # lines of depth 1 leave the root its share
            share = int((room + offer.cost) * ROOT_SHARE)
            full = views.offer(visit, "full", share)
            room -= max(0, (full.cost if full else share) - offer.cost)
    return chosen


def grow(planned: Plan, visits: Sequence[Visit], views: Views, room: int) -> Plan:
    """Return the plan of the `visits` with more bodies of the large files, or their
    full text, in `room` further tokens; `free` counts the rest.
    """
    known = {visit.address: visit for visit in visits}
    shown: list[Shown] = []
    for each in planned.shown:
        visit = known[each.visit.address]
        grown = None
        if views.is_large(visit) and not each.reduced:
            grown = views.largest(visit, each.cost + room)
        if grown is not None and grown.cost > each.cost:
            room -= grown.cost - each.cost
            each = grown
        shown.append(each)
    return Plan(tuple(shown), planned.left_out, room)


def gives_way(visit: Visit) -> bool:
    """Return whether a visit yields its room to related visits: a whole doc reached
    only from other docs.

    A link to a section or symbol is deliberate; links between docs are background
    reading.
    """
    return (
        _rank(visit) == _DEEP
        and visit.kind == "doc"
        and visit.whole
        and not visit.wants_full
    )


def _rank(visit: Visit) -> int:
    """Return the priority of a visit: root, pinned, depth 1, then all deeper visits in
    visit order.
    """
    if visit.depth == 0:
        return 0
    if visit.pinned:
        return 1
    return 2 if visit.depth == 1 else _DEEP
