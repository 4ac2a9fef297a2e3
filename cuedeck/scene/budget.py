"""The budget: one view for every visit, so that the whole file stays within its limit.

Given up in this order: visits of depth 2 and more, from the far end, shrinking before leaving; then larger
views of depth 1; last the end of the root. A visit that does not fit is skipped, it does not stop the rest.

Law: afterwards no left-out visit has a view that fits, and no reduced visit has a larger view that fits,
visits taken in order. It holds because room only shrinks while visits are taken in order.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from cuedeck.model.ports import Count
from cuedeck.model.scene import Shown, Visit
from cuedeck.scene.views import Offer, Views

ROOT_SHARE = 0.25
"""Part of the room the root keeps even when it is long and depth 1 has many lines."""


class Plan(NamedTuple):
    """One view for each visit that is shown, in visit order, and the visits that are not."""

    shown: tuple[Shown, ...]
    left_out: tuple[Visit, ...]

    @property
    def pressed(self) -> bool:
        """Tell whether the budget made anything smaller than planned."""
        return bool(self.left_out) or any(each.reduced for each in self.shown)


def plan(visits: Sequence[Visit], views: Views, count: Count, room: int, notice: int) -> Plan:
    """Choose the views of `visits` for `room` tokens.

    `notice` tokens are set aside as soon as something has to be left out or shrunk.
    Units: tokens, headings and map lines included.
    """
    return _unpressed(visits, views, count, room) or _pressed(visits, views, count, room - notice)


def _unpressed(visits: Sequence[Visit], views: Views, count: Count, room: int) -> Plan | None:
    shown: list[Shown] = []
    for visit in visits:
        entry = views.entry(visit)
        room -= count.count(entry)
        offer = views.offer(visit, views.planned(visit)[0], room)
        if offer is None:
            return None
        room -= offer.tokens
        shown.append(_show(visit, offer, entry, reduced=False))
    return Plan(tuple(shown), ())


def _pressed(visits: Sequence[Visit], views: Views, count: Count, room: int) -> Plan:
    chosen: dict[int, Offer] = {}
    entries = [views.entry(visit) for visit in visits]
    costs = [count.count(entry) for entry in entries]
    order = sorted(range(len(visits)), key=lambda at: _rank(visits[at]))
    kept = [at for at in order if _rank(visits[at]) < 3]
    held = 0
    for at in kept:
        offer = views.offer(visits[at], "line", room - held - costs[at])
        if offer is not None:
            chosen[at] = offer
            room -= offer.tokens + costs[at]
            if _rank(visits[at]) == 0:
                held = _held_for_root(visits[at], views, room + offer.tokens) - offer.tokens
    for at in order:
        before = chosen.get(at)
        if before is None and at in kept:
            continue
        free = room + before.tokens if before else room - costs[at]
        offer = views.best(visits[at], free)
        if visits[at].depth == 0 and (offer is None or offer.view != "full"):
            offer = views.cut(visits[at], free) or offer
        if offer is not None:
            chosen[at] = offer
            room = free - offer.tokens
    shown = (
        _show(visits[at], chosen[at], entries[at], reduced=chosen[at].view != views.planned(visits[at])[0])
        for at in sorted(chosen)
    )
    return Plan(tuple(shown), tuple(visit for at, visit in enumerate(visits) if at not in chosen))


def _held_for_root(root: Visit, views: Views, room: int) -> int:
    """Return the tokens that lines of depth 1 may not take from the root."""
    share = int(room * ROOT_SHARE)
    full = views.offer(root, "full", share)
    return full.tokens if full is not None else share


def _rank(visit: Visit) -> int:
    """Order of giving: root, pinned, depth 1, then deeper ones together in visit order."""
    if visit.depth == 0:
        return 0
    if visit.pinned:
        return 1
    return 2 if visit.depth == 1 else 3


def _show(visit: Visit, offer: Offer, entry: str, *, reduced: bool) -> Shown:
    return Shown(visit, offer.view, offer.head, offer.body, entry, offer.tokens, offer.lines, reduced)
