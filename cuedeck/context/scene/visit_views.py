"""Views of a visit within a budget: full, section, outline and line; built lazily and
cached.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from cuedeck.context.ranking.memo import Memo
from cuedeck.context.scene.view_text import VisitTexts
from cuedeck.context.scene.visit_heading import Labels, entry_tokens
from cuedeck.model.address import split_anchor
from cuedeck.model.ports import Count, Lookup
from cuedeck.model.scene_values import Shown, Span, View, Visit
from cuedeck.parse.fence import fence, gap, language_of
from cuedeck.parse.secrets.mask import Mask

LONGEST_TOKEN = 128
"""Characters of the longest token of both encodings."""
LARGE_SHARE = 0.25
"""Share of the budget that a linked file may fill before the other parts of the scene.
It may fill all room that they leave.
"""
OUTLINE_SHARE = 0.05
"""Share of the budget above which an outline is shortened."""
_TOKEN_CHARACTERS = 4
"""Estimated characters per token of an outline."""
_UNLIMITED = 1 << 40
"""More tokens than any text has."""
_MOST_CACHED = 64
"""Maximum number of cached views of one visit."""
COUNTED_BYTES = 1_000_000
"""Size above which the tokens of an omitted text are not counted but estimated as a
quarter of its bytes.
"""


@dataclass(slots=True)
class CachedViews:
    """Views of one visit built so far."""

    size: int | None = None
    offers: dict[tuple[View, tuple[Span, ...]], Shown] = field(default_factory=dict)
    """By view and shown parts."""


class Views:
    """The views of each visit within one budget.

    `memo` provides the views of earlier scenes.
    """

    def __init__(
        self,
        lookup: Lookup,
        mask: Mask,
        count: Count,
        budget: int,
        *,
        labels: Labels | None = None,
        memo: Memo | None = None,
    ) -> None:
        self.labels = labels or Labels(lookup, mask, count, budget)
        outline_characters = int(budget * OUTLINE_SHARE * _TOKEN_CHARACTERS)
        self._texts = VisitTexts(lookup, mask, outline_characters)
        self._lookup = lookup
        self._count = count
        self._budget = budget
        self._mask = mask
        self._memo = memo or Memo()
        self._cached: dict[Visit, CachedViews] = {}
        self._least_body = count.count(fence(""))

    def best(self, visit: Visit, room: int) -> Shown | None:
        """Return the largest view that costs at most `room` tokens, and for a large
        file at most its share of the budget; None if no view fits.
        """
        if not self.is_large(visit):
            return self.largest(visit, room)
        share = min(room, int(self._budget * LARGE_SHARE))
        return (
            self._with_bodies(visit, share)
            # Linked parts and the names of all definitions may cost more.
            or self._with_bodies(replace(visit, bodies=()), room)
            or self._without_parts(visit, share)
            or self.offer(visit, "line", room)
        )

    def largest(self, visit: Visit, room: int) -> Shown | None:
        """Return the largest view that costs at most `room` tokens."""
        line = self.offer(visit, "line", room)
        if visit.kind == "binary":
            return line
        full = self.offer(visit, "full", room)
        return (
            full
            or self._with_bodies(visit, room)
            or self._without_parts(visit, room)
            or line
        )

    def is_reduced(self, visit: Visit, offer: Shown) -> bool:
        """Return whether a view is smaller than the best one without a limit of
        room.
        """
        if offer.view == "full" or visit.kind == "binary":
            return False
        if not self.is_large(visit):
            return True
        best = self.best(visit, _UNLIMITED)
        return best is not None and offer.cost < best.cost

    def offer(
        self, visit: Visit, view: View, room: int, parts: tuple[Span, ...] = ()
    ) -> Shown | None:
        """Return one view of a visit, or None if it costs more than `room` tokens.

        `parts` are the lines that a view in part shows as text.
        """
        offers = self._of(visit).offers
        name = (view, parts)
        if name not in offers:
            made = self._make(visit, view, room, parts)
            if made is None:
                return None
            if len(offers) >= _MOST_CACHED:
                offers.clear()
            offers[name] = made
        return offers[name] if offers[name].cost <= room else None

    def _with_bodies(self, visit: Visit, room: int) -> Shown | None:
        """Return the outline with the linked parts and the first of the bodies, as many
        as `room` tokens can hold; the full text if it costs no more.
        """
        if visit.overview:
            return self.offer(visit, "outline", room)
        if visit.text and visit.kind != "folder":
            return None

        def offer(bodies: int) -> Shown | None:
            parts = tuple(sorted({*visit.parts, *visit.bodies[:bodies]}))
            return self.offer(visit, "section" if parts else "outline", room, parts)

        best = offer(0)
        if best is None:
            return None
        fitting, failing = 0, len(visit.bodies) + 1
        at, step = self._guess(visit, room - best.cost), 1
        while failing - fitting > 1:
            if not fitting < at < failing:
                at = (fitting + failing) // 2
            made = offer(at)
            if made is None:
                failing = at
                at -= step
            else:
                best, fitting = made, at
                at += step
            step *= 2
        full = self.offer(visit, "full", best.cost)
        return full or best

    def _without_parts(self, visit: Visit, room: int) -> Shown | None:
        """Return the outline with the bodies that `room` tokens can hold, those inside
        of linked parts first, for linked parts that do not fit as a whole.
        """
        if not visit.parts:
            return None

        def is_outside(body: Span) -> bool:
            first, last = body
            return not any(start <= first and last <= end for start, end in visit.parts)

        bodies = tuple(sorted(visit.bodies, key=is_outside))
        return self._with_bodies(replace(visit, parts=(), bodies=bodies), room)

    def _guess(self, visit: Visit, room: int) -> int:
        """Return about how many of the bodies `room` tokens can hold."""
        line_tokens = self.size(visit) / max(1, self._line_count(visit))
        for at, (first, last) in enumerate(visit.bodies):
            room -= int(line_tokens * (last - first + 1))
            if room < 0:
                return at
        return len(visit.bodies)

    def cut(self, root: Visit, room: int) -> Shown | None:
        """Return the beginning of the text of the task that fits in `room` tokens, with
        a mark at the cut.
        """
        whole = self._texts.full(root)
        lines, end = self._texts.task_lines(root), root.lines[1]
        head = self._head(root, "section")
        text = self._count.cut(
            whole, room - self._count.count(head + fence(gap(end)))
        ).rstrip("\n")
        while text:
            row = lines[text.count("\n")]
            last = row.number + row.covered
            cut_line = not whole.startswith(f"{text}\n")
            mark = gap(end - last) if not cut_line else f"⋮ cut in line {last} of {end}"
            body = fence(f"{text}\n{mark}")
            tokens = self._count.count(head) + self._count.count(body)
            if tokens <= room:
                shown = (root.lines[0], last)
                return Shown(root, "section", head, body, "", tokens, shown, tokens)
            text = self._count.cut(
                text, self._count.count(text) - (tokens - room)
            ).rstrip("\n")
        return None

    def size(self, visit: Visit) -> int:
        """Return the tokens of the full text of a visit, without heading and fence."""
        cached = self._of(visit)
        if cached.size is None:
            cached.size = self._measure(visit)
        return cached.size

    def exceed_share(self, visits: Iterable[Visit]) -> bool:
        """Return whether the linked visits together exceed the share of one file."""
        free = self._budget * LARGE_SHARE
        for visit in visits:
            if visit.depth and _is_long_text(visit):
                free -= self.size(visit)
            if free < 0:
                return True
        return False

    def is_large(self, visit: Visit) -> bool:
        """Return whether a whole file exceeds its share of the budget."""
        is_file = visit.depth > 0 and _is_long_text(visit)
        if not is_file or not visit.whole or visit.wants_full:
            return False
        return self.size(visit) > self._budget * LARGE_SHARE

    def _of(self, visit: Visit) -> CachedViews:
        # Visits with other bodies are equal: those shown are part of an offer's name.
        cached = self._cached.get(visit)
        if cached is None:
            cached = CachedViews()
            if self._is_cacheable(visit):
                cached = self._of_earlier_scenes(visit)
            self._cached[visit] = cached
        return cached

    def _of_earlier_scenes(self, visit: Visit) -> CachedViews:
        inputs = (self._lookup.hash(visit.path), self._budget, self._count.encoding)
        return self._memo.get("views", visit, inputs, CachedViews)

    def _is_cacheable(self, visit: Visit) -> bool:
        if visit.kind == "folder":
            return False
        addresses = (visit.address, visit.via or "")
        paths = {
            path
            for address in addresses
            for path in (address, split_anchor(address)[0])
        }
        hidden = any(
            self._lookup.file(path) is not None and self._mask.hides(path)
            for path in paths
        )
        return not hidden and all(
            map(
                self._mask.is_plain,
                (visit.address, visit.why, visit.text, visit.overview),
            )
        )

    def _make(
        self, visit: Visit, view: View, room: int, parts: tuple[Span, ...]
    ) -> Shown | None:
        if view == "full" and self._is_certainly_above(visit, room):
            return None
        entry = self.labels.entry(
            visit,
            view,
            visit.spans if view == "full" else parts,
            self._line_count(visit),
            self._size(visit, view),
        )
        entry_cost = entry_tokens(entry, self._count) if entry else 0
        if view == "line" and visit.depth:
            return Shown(visit, view, "", "", entry, 0, visit.lines, entry_cost)
        head = self._head(visit, view)
        head_tokens = self._count.count(head)
        if view == "line":
            return Shown(
                visit, view, head, "", "", head_tokens, visit.lines, head_tokens
            )
        if head_tokens + entry_cost + self._least_body > room:
            return None
        visit = replace(visit, parts=parts)
        body = self._body(visit, view)
        tokens = head_tokens + self._count.count(body)
        cost = tokens + entry_cost
        return Shown(visit, view, head, body, entry, tokens, visit.lines, cost)

    def _line_count(self, visit: Visit) -> int:
        """Return the number of lines of a visit."""
        file = self._lookup.file(visit.path)
        return (
            sum(end - start + 1 for start, end in visit.spans)
            if file is not None and file.lines
            else 0
        )

    def _size(self, visit: Visit, view: View) -> int | None:
        """Return the tokens of the full text for a view that is not full."""
        return None if view == "full" or visit.kind == "binary" else self.size(visit)

    def _measure(self, visit: Visit) -> int:
        if visit.kind == "binary":
            return 0
        file = self._lookup.file(visit.path)
        if file is not None:
            lines = sum(end - start + 1 for start, end in visit.spans)
            about = file.size * lines // max(file.lines, 1)
            if about > COUNTED_BYTES:
                return about // 4
        return self._count.count(self._texts.full(visit))

    def _is_certainly_above(self, visit: Visit, room: int) -> bool:
        """Return whether the full text certainly exceeds `room` tokens, without
        building it.

        A character has at most four bytes.
        """
        file = self._lookup.file(visit.path)
        if file is None or not visit.whole:
            return False
        return file.size // (4 * LONGEST_TOKEN) > room

    def _body(self, visit: Visit, view: View) -> str:
        make = {"full": self._texts.full, "section": self._texts.parts}.get(
            view, self._texts.outline
        )
        language = "" if visit.text else language_of(visit.path)
        text = make(visit).rstrip("\n")
        has_only_title = visit.depth == 0 and not text
        return "" if has_only_title else fence(text, language)

    def _head(self, visit: Visit, view: View) -> str:
        return self.labels.head(visit, view, self._size(visit, view))


def _is_long_text(visit: Visit) -> bool:
    return visit.kind in ("source", "doc") or visit.overview != ""
