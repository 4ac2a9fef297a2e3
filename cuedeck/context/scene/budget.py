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
from dataclasses import replace
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


class RoomShares(NamedTuple):
    """The room after it was divided."""

    visits: Plan
    blocks: Sequence[Fitted]
    """The blocks; one that took room from lines of depth 1 is without text."""
    related_reserve: int
    """Tokens kept free for the related files."""


def share_room(
    visits: Sequence[Visit],
    views: Views,
    room: int,
    notice: int,
    blocks: Sequence[Fitted],
    related: RelatedTier | None,
    related_most: int,
) -> RoomShares:
    """Divide `room` tokens among the visits, the blocks and the related files.

    `notice` is the cap of the notice. Each of the `blocks` with text reserves its whole
    cap, so that one more decision does not change the visits, unless depth 1 lacks room
    for its lines. Docs reached only from docs leave the related files up to
    `related_most` tokens.
    """

    def attempt() -> tuple[Plan, int]:
        """Plan the visits with the present blocks."""
        room_of_visits = room - sum(block.cap for block in blocks if block.text)
        planned = plan(visits, views, room_of_visits, notice)
        if _lacks_lines(planned):
            room_of_visits = room - sum(block.tokens for block in blocks)
            planned = plan(visits, views, room_of_visits, notice)
        reserve = 0
        if related is not None:
            reserve = _related_reserve(planned, related, related_most)
        if reserve:
            planned = plan(visits, views, room_of_visits, notice, reserve)
        return planned, reserve

    planned, reserve = attempt()
    if _lacks_lines(planned):
        # One line for each visit of depth 1 comes before the reminders of decisions.
        blocks = [
            block._replace(text="", tokens=0, records=frozenset())
            if block.name == "decisions"
            else block
            for block in blocks
        ]
        planned, reserve = attempt()
    return RoomShares(planned, blocks, reserve)


def _lacks_lines(planned: Plan) -> bool:
    """Return whether a visit of depth 1 has not even a line."""
    return any(visit.depth <= 1 for visit in planned.left_out)


def _related_reserve(planned: Plan, related: RelatedTier, most: int) -> int:
    """Return the tokens to reserve for related visits in a second plan."""
    yielded = planned.free
    yielded += sum(each.cost for each in planned.shown if gives_way(each.visit))
    most = min(most, yielded)
    return related.needs(most) if planned.free < most else 0


def plan(
    visits: Sequence[Visit], views: Views, room: int, notice: int, reserved: int = 0
) -> Plan:
    """Choose the views of `visits` for `room` tokens.

    `notice` tokens are reserved as soon as a visit is omitted or reduced; visits of
    depth 2 or more leave `reserved` tokens free. Units: tokens, including headings and
    map lines.
    """
    return (
        _unpressed(visits, views, room, reserved)
        or _Pressed(visits, views, room - notice, reserved).plan()
    )


def _unpressed(
    visits: Sequence[Visit], views: Views, room: int, reserved: int
) -> Plan | None:
    shown: list[Shown] = []
    for visit in visits:
        offer = views.best(visit, room)
        if offer is None or views.is_reduced(visit, offer):
            return None
        room -= offer.cost
        shown.append(_show(visit, offer, reduced=False))
    if room < reserved and any(_rank(visit) == _DEEP for visit in visits):
        return None
    return Plan(tuple(shown), (), room)


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
            each = _show(visit, grown, reduced=False)
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


class _Pressed:
    """A plan under pressure: first one line for root, pins and depth 1, then larger
    views in order.
    """

    def __init__(
        self, visits: Sequence[Visit], views: Views, room: int, reserved: int
    ) -> None:
        self._visits = visits
        self._views = views
        self._room = room
        self._reserved = reserved
        self._chosen: dict[int, Shown] = {}

    def plan(self) -> Plan:
        order = sorted(range(len(self._visits)), key=lambda at: _rank(self._visits[at]))
        self._give_lines([at for at in order if _rank(self._visits[at]) < _DEEP])
        for at in order:
            self._enlarge(at)
        shown = tuple(
            _show(
                self._visits[at],
                self._chosen[at],
                reduced=self._views.is_reduced(self._visits[at], self._chosen[at]),
            )
            for at in sorted(self._chosen)
        )
        left_out = tuple(
            visit for at, visit in enumerate(self._visits) if at not in self._chosen
        )
        return Plan(shown, left_out, self._room)

    def _give_lines(self, kept: Sequence[int]) -> None:
        reserved = 0
        for at in kept:
            visit, free = self._visits[at], self._room - reserved
            line = self._views.offer(visit, "line", free)
            # The text of a visit may be shorter than its line view.
            offer = self._views.best(visit, line.cost if line else free)
            if offer is None:
                continue
            self._take(at, offer)
            if visit.depth == 0:
                reserved = self._root_share(visit, offer)

    def _root_share(self, root: Visit, offer: Shown) -> int:
        """Return the tokens reserved for the root against lines of depth 1."""
        share = int((self._room + offer.cost) * ROOT_SHARE)
        full = self._views.offer(root, "full", share)
        return max(0, (full.cost if full else share) - offer.cost)

    def _enlarge(self, at: int) -> None:
        visit, before = self._visits[at], self._chosen.get(at)
        free = self._room + (before.cost if before else 0)
        if _rank(visit) == _DEEP:
            free -= self._reserved
        if free <= 0:
            return
        offer = self._views.best(visit, free)
        if visit.depth == 0 and (offer is None or offer.view != "full"):
            offer = self._views.cut(visit, free) or offer
        if offer is not None:
            self._take(at, offer)

    def _take(self, at: int, offer: Shown) -> None:
        before = self._chosen.get(at)
        self._room -= offer.cost - (before.cost if before else 0)
        self._chosen[at] = offer


def _rank(visit: Visit) -> int:
    """Return the priority of a visit: root, pinned, depth 1, then all deeper visits in
    visit order.
    """
    if visit.depth == 0:
        return 0
    if visit.pinned:
        return 1
    return 2 if visit.depth == 1 else _DEEP


def _show(visit: Visit, offer: Shown, *, reduced: bool) -> Shown:
    if offer.view == "section" and visit.depth:
        visit = replace(visit, parts=offer.visit.parts)
    return offer._replace(visit=visit, reduced=reduced)
