"""Views of a visit within a budget: full, section, outline and line; built lazily and
cached.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from cuedeck.context.ranking.memo import Memo
from cuedeck.context.scene.view_text import VisitTexts
from cuedeck.context.scene.visit_heading import VisitRenderer
from cuedeck.model.scene_values import Shown, Span, View, Visit
from cuedeck.model.secret import PLACEHOLDER
from cuedeck.parse.fence import fence, gap, language_of

LARGE_SHARE = 0.25
"""Share of the budget that a linked file may fill before the other parts of the scene.
It may fill all room that they leave.
"""
OUTLINE_SHARE = 0.2
"""Characters of an outline from which it is shortened, for each token of the budget."""
_UNLIMITED = 1 << 40
"""More tokens than any text has."""
COUNTED_BYTES = 1_000_000
"""Size above which the tokens of a text are not counted but estimated as a quarter of
its bytes.
"""


@dataclass(slots=True)
class CachedViews:
    """Views of one visit built so far."""

    size: int | None = None
    offers: dict[tuple[View, tuple[Span, ...]], Shown] = field(default_factory=dict)
    """By view and shown parts."""


class Views:
    """The views of each visit of one scene.

    `memo` provides the views of earlier scenes.
    """

    def __init__(self, renderer: VisitRenderer, memo: Memo | None = None) -> None:
        self.renderer = renderer
        self._texts = VisitTexts(renderer, int(renderer.budget * OUTLINE_SHARE))
        self._share = int(renderer.budget * LARGE_SHARE)
        self._memo = memo or Memo()
        self._cached: dict[Visit, CachedViews] = {}

    def best(self, visit: Visit, room: int) -> Shown | None:
        """Return the largest view that costs at most `room` tokens, and for a large
        file at most its share of the budget; None if no view fits.
        """
        if not self.is_large(visit):
            return self.largest(visit, room)
        share = min(room, self._share)
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
        return (
            self.offer(visit, "full", room)
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
        if view == "full" and self.size(visit) > room:
            return None
        offers = self._of(visit).offers
        if (view, parts) not in offers:
            offers[view, parts] = self._make(visit, view, parts)
        offer = offers[view, parts]
        return offer if offer.cost <= room else None

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

        numbers = range(len(visit.bodies) + 1)
        fitting = bisect_left(numbers, True, key=lambda at: offer(at) is None)
        best = offer(fitting - 1) if fitting else None
        return best and (self.offer(visit, "full", best.cost) or best)

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

    def cut(self, root: Visit, room: int) -> Shown | None:
        """Return the beginning of the text of the task that fits in `room` tokens, with
        a mark at the cut.
        """
        count = self.renderer.count
        whole = self._texts.full(root)
        lines = self._texts.task_lines(root)
        first, end = root.lines
        least = self._show(root, "section", fence(gap(end)), root.parts)
        most = room - least.tokens
        text = count.cut(whole, most).rstrip("\n")
        while text:
            row = lines[text.count("\n")]
            last = row.number + row.covered
            mark = f"⋮ cut in line {last} of {end}"
            if whole.startswith(f"{text}\n"):
                mark = gap(end - last)
            body = fence(f"{text}\n{mark}")
            shown = self._show(root, "section", body, root.parts)
            if shown.tokens <= room:
                return shown._replace(lines=(first, last))
            most = count.count(text) - (shown.tokens - room)
            text = count.cut(text, most).rstrip("\n")
        return None

    def size(self, visit: Visit) -> int:
        """Return the tokens of the full text of a visit, without heading and fence."""
        cached = self._of(visit)
        if cached.size is None:
            cached.size = self._measure(visit)
        return cached.size

    def exceed_share(self, visits: Iterable[Visit]) -> bool:
        """Return whether the linked visits together exceed the share of one file."""
        free = self.renderer.budget * LARGE_SHARE
        for visit in visits:
            if visit.depth and _is_long_text(visit):
                free -= self.size(visit)
            if free < 0:
                return True
        return False

    def is_large(self, visit: Visit) -> bool:
        """Return whether a whole file exceeds its share of the budget."""
        is_file = visit.depth > 0 and visit.whole and _is_long_text(visit)
        return is_file and not visit.wants_full and self.size(visit) > self._share

    def _of(self, visit: Visit) -> CachedViews:
        # Visits with other bodies are equal: those shown are part of an offer's name.
        if visit not in self._cached:
            self._cached[visit] = self._of_earlier_scenes(visit)
        return self._cached[visit]

    def _of_earlier_scenes(self, visit: Visit) -> CachedViews:
        renderer = self.renderer
        labels = (renderer.name(visit), renderer.why(visit))
        if visit.kind == "folder" or PLACEHOLDER in "".join(labels):
            return CachedViews()
        content = renderer.lookup.hash(visit.path)
        inputs = (content, *labels, renderer.budget, renderer.count.encoding)
        return self._memo.get("views", visit, inputs, CachedViews)

    def _measure(self, visit: Visit) -> int:
        if visit.kind == "binary":
            return 0
        file = self.renderer.lookup.file(visit.path)
        if file is not None:
            about = file.size * self._line_count(visit) // max(file.lines, 1)
            if about > COUNTED_BYTES:
                return about // 4
        return self.renderer.count.count(self._noted(visit, self._texts.full(visit)))

    def _make(self, visit: Visit, view: View, parts: tuple[Span, ...]) -> Shown:
        body = ""
        if view != "line":
            make = self._texts.full if view == "full" else self._texts.outline
            text = self._noted(visit, make(replace(visit, parts=parts)))
            text = text.rstrip("\n")
            language = "" if visit.text else language_of(visit.path)
            if text or visit.depth:  # a card without text is only its title
                body = fence(text, language)
        return self._show(visit, view, body, parts)

    def _show(
        self, visit: Visit, view: View, body: str, parts: tuple[Span, ...]
    ) -> Shown:
        has_size = view != "full" and visit.kind != "binary"
        size = self.size(visit) if has_size else None
        spans = visit.spans if view == "full" else parts
        lines = self._line_count(visit)
        visit = replace(visit, parts=parts)
        return self.renderer.show(visit, view, body, spans, lines, size)

    def _noted(self, visit: Visit, text: str) -> str:
        """Return a text of a visit. If it has placeholders, whose numbers are valid in
        one scene only, later scenes build the views again.
        """
        if PLACEHOLDER in text:
            self._memo.forget("views", visit)
        return text

    def _line_count(self, visit: Visit) -> int:
        """Return the number of lines of a visit."""
        file = self.renderer.lookup.file(visit.path)
        if file is None or not file.lines:
            return 0
        return sum(end - start + 1 for start, end in visit.spans)


def _is_long_text(visit: Visit) -> bool:
    return visit.kind in ("source", "doc") or visit.overview != ""
