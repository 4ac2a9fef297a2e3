"""The budget: one view for every visit, so that the whole file stays within its limit.

Given up in this order: visits of depth 2 and more, from the far end, shrinking before leaving; then larger
views of depth 1; last the end of the root. A visit that does not fit is skipped, it does not stop the rest.

Law: afterwards no left-out visit has a view that fits, and no reduced visit has a larger view that fits,
visits taken in order. It holds because room only shrinks while visits are taken in order. Room that is held for
related visits is none for those of depth 2 and more.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from cuedeck.model.scene_values import Shown, Visit
from cuedeck.scene.visit_views import RenderedView, Views

ROOT_SHARE = 0.25
"""Part of the room the root keeps even when it is long and depth 1 has many lines."""
_DEEP = 3
"""Rank of what only documents link: depth 2 and more."""


class Plan(NamedTuple):
    """One view for each visit that is shown, in visit order, and the visits that are not."""

    shown: tuple[Shown, ...]
    left_out: tuple[Visit, ...]
    free: int
    """Tokens that are left of the room."""

    @property
    def pressed(self) -> bool:
        """Tell whether the budget made anything smaller than planned."""
        return bool(self.left_out) or any(each.reduced for each in self.shown)


def plan(visits: Sequence[Visit], views: Views, room: int, notice: int, held: int = 0) -> Plan:
    """Choose the views of `visits` for `room` tokens.

    `notice` tokens are set aside as soon as something has to be left out or shrunk; what is deeper than 1 leaves `held`
    tokens free. Units: tokens, headings and map lines included.
    """
    return _unpressed(visits, views, room, held) or _Pressed(visits, views, room - notice, held).plan()


def _unpressed(visits: Sequence[Visit], views: Views, room: int, held: int) -> Plan | None:
    shown: list[Shown] = []
    for visit in visits:
        entry = views.entry(visit)
        room -= entry.tokens
        offer = views.offer(visit, views.planned(visit)[0], room)
        if offer is None:
            return None
        room -= offer.tokens
        shown.append(_show(visit, offer, entry.text, reduced=False))
    if room < held and any(_rank(visit) == _DEEP for visit in visits):
        return None
    return Plan(tuple(shown), (), room)


def gives_way(visit: Visit) -> bool:
    """Tell whether a visit leaves room to related ones: a whole doc that only documents link.

    Who links a section or a definition means just that; docs link one another for those who read on.
    """
    return _rank(visit) == _DEEP and visit.kind == "doc" and visit.whole and not visit.wants_full


class _Pressed:
    """The plan when not everything fits: first a line for root, pins and depth 1, then larger views in order."""

    def __init__(self, visits: Sequence[Visit], views: Views, room: int, held: int) -> None:
        self._visits = visits
        self._views = views
        self._room = room
        self._held = held
        self._entries = [views.entry(visit) for visit in visits]
        self._chosen: dict[int, RenderedView] = {}

    def plan(self) -> Plan:
        order = sorted(range(len(self._visits)), key=lambda at: _rank(self._visits[at]))
        self._give_lines([at for at in order if _rank(self._visits[at]) < _DEEP])
        for at in order:
            self._enlarge(at)
        shown = tuple(
            _show(
                self._visits[at],
                self._chosen[at],
                self._entries[at].text,
                reduced=self._chosen[at].view != self._views.planned(self._visits[at])[0],
            )
            for at in sorted(self._chosen)
        )
        left_out = tuple(visit for at, visit in enumerate(self._visits) if at not in self._chosen)
        return Plan(shown, left_out, self._room)

    def _give_lines(self, kept: Sequence[int]) -> None:
        """Give each a view that costs no more than its line, the root first and with a share held back for it."""
        held = 0
        for at in kept:
            visit, free = self._visits[at], self._room - held - self._entries[at].tokens
            line = self._views.offer(visit, "line", free)
            # A text may be shorter than the line that would stand for it.
            offer = self._views.best(visit, line.tokens if line else free)
            if offer is None:
                continue
            self._take(at, offer)
            if visit.depth == 0:
                held = self._held_for_root(visit, offer)

    def _held_for_root(self, root: Visit, offer: RenderedView) -> int:
        """Return the tokens that lines of depth 1 may not take from the root."""
        share = int((self._room + offer.tokens) * ROOT_SHARE)
        full = self._views.offer(root, "full", share)
        return max(0, (full.tokens if full else share) - offer.tokens)

    def _enlarge(self, at: int) -> None:
        """Give a visit the largest view that fits into what is left; room never grows by it."""
        visit, before = self._visits[at], self._chosen.get(at)
        free = self._room + before.tokens if before else self._room - self._entries[at].tokens
        if _rank(visit) == _DEEP:
            free -= self._held
        if free <= 0:
            return
        offer = self._views.best(visit, free)
        if visit.depth == 0 and (offer is None or offer.view != "full"):
            offer = self._views.cut(visit, free) or offer
        if offer is not None:
            self._take(at, offer)

    def _take(self, at: int, offer: RenderedView) -> None:
        before = self._chosen.get(at)
        self._room -= offer.tokens - before.tokens if before else offer.tokens + self._entries[at].tokens
        self._chosen[at] = offer


def _rank(visit: Visit) -> int:
    """Order of giving: root, pinned, depth 1, then deeper ones together in visit order."""
    if visit.depth == 0:
        return 0
    if visit.pinned:
        return 1
    return 2 if visit.depth == 1 else _DEEP


def _show(visit: Visit, offer: RenderedView, entry: str, *, reduced: bool) -> Shown:
    return Shown(visit, offer.view, offer.head, offer.body, entry, offer.tokens, offer.lines, reduced)
