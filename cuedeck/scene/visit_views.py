"""Views of a visit within a budget: full, section, outline and line; built lazily and
cached.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from cuedeck.model.address import split_anchor
from cuedeck.model.ports import Count, Lookup
from cuedeck.model.scene_values import Span, View, Visit
from cuedeck.ranking.memo import Memo
from cuedeck.scene.fence import fence, gap, language_of
from cuedeck.scene.mask import Mask
from cuedeck.scene.view_text import VisitTexts
from cuedeck.scene.visit_heading import Labels, entry_tokens

LONGEST_TOKEN = 128
"""Characters of the longest token of both encodings; gives a lower bound of tokens
without counting.
"""
LARGE_SHARE = 0.25
"""Share of the budget above which a whole source is planned by its outline, also a doc
while related visits wait.
"""
FOCUS_SHARE = 0.5
"""The same share for a file in which the task matches several passages."""
OUTLINE_SHARE = 0.05
"""Share of the budget above which an outline is shortened."""
_TOKEN_CHARACTERS = 4
"""Estimated characters per token of an outline."""
COUNTED_BYTES = 1_000_000
"""Size above which the tokens of an omitted text are not counted but estimated as a
quarter of its bytes.
"""


class RenderedView(NamedTuple):
    """A rendered view of a visit with its cost."""

    view: View
    head: str
    body: str
    entry: str
    """Line of the visit in the map; empty for the root."""
    tokens: int
    """Tokens of head and body."""
    cost: int
    """Tokens of head, body and entry."""
    lines: Span


@dataclass(slots=True)
class CachedViews:
    """Views of one visit built so far."""

    size: int | None = None
    outline_size: int | None = None
    offers: dict[View, RenderedView] = field(default_factory=dict)


class Views:
    """The views of each visit within one budget.

    `awaited` states that related visits wait for the room that a very long doc would
    take. `focused` are the paths of files in which the task matches several passages.
    `shown_above` are the lines of the root that the scene shows before it. `memo`
    provides the views of earlier scenes.
    """

    def __init__(
        self,
        lookup: Lookup,
        mask: Mask,
        count: Count,
        budget: int,
        *,
        labels: Labels | None = None,
        awaited: bool = False,
        focused: Collection[str] = (),
        shown_above: Sequence[int] = (),
        memo: Memo | None = None,
    ) -> None:
        self.labels = labels or Labels(lookup, mask, count, budget)
        self._awaited = awaited
        self._focused = focused
        self._shown_above = tuple(shown_above)
        self._texts = VisitTexts(
            lookup,
            mask,
            int(budget * OUTLINE_SHARE * _TOKEN_CHARACTERS),
            frozenset(shown_above),
        )
        self._lookup = lookup
        self._count = count
        self._budget = budget
        self._mask = mask
        self._memo = memo or Memo()
        self._cached: dict[Visit, CachedViews] = {}
        self._least_body = count.count(fence(""))

    def planned(self, visit: Visit) -> tuple[View, ...]:
        """Return the possible views of the visit, largest first; the first one applies
        without budget pressure.
        """
        if visit.kind == "binary":
            return ("line",)
        if visit.kind == "folder":
            return ("full", "outline", "line")
        if visit.text:
            return ("full", "line")
        whole: tuple[View, ...] = ("full",)
        parts: tuple[View, ...] = ("section",) if visit.parts else ()
        if self.is_large(visit):
            whole, parts = (
                (whole, ())
                if parts and self._parts_cost_as_much(visit)
                else ((), parts)
            )
        return (*whole, *parts, "outline", "line")

    def offer(self, visit: Visit, view: View, room: int) -> RenderedView | None:
        """Return one view of a visit, or None if it costs more than `room` tokens."""
        offers = self._of(visit).offers
        if view not in offers:
            made = self._make(visit, view, room)
            if made is None:
                return None
            offers[view] = made
        return offers[view] if offers[view].cost <= room else None

    def best(self, visit: Visit, room: int) -> RenderedView | None:
        """Return the largest planned view that costs at most `room` tokens."""
        offers = (self.offer(visit, view, room) for view in self.planned(visit))
        return next((offer for offer in offers if offer is not None), None)

    def cut(self, root: Visit, room: int) -> RenderedView | None:
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
                return RenderedView(
                    "section", head, body, "", tokens, tokens, (root.lines[0], last)
                )
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

    def is_large(self, visit: Visit) -> bool:
        """Return whether a visit is planned by its outline, independent of the room."""
        gives_way = visit.kind == "source" or (
            visit.kind == "doc" and visit.depth and self._awaited
        )
        if not visit.whole or visit.wants_full or not gives_way:
            return False
        share = FOCUS_SHARE if visit.path in self._focused else LARGE_SHARE
        return self.size(visit) > self._budget * share

    def is_long(self, visit: Visit) -> bool:
        """Return whether only parts of a visit can be shown: it is large, or its full
        text exceeds the whole budget.
        """
        return self.is_large(visit) or (
            visit.whole and visit.wants_full and self.size(visit) > self._budget
        )

    def outline_size(self, visit: Visit) -> int:
        """Return the tokens of the outline of a visit, without heading and fence."""
        cached = self._of(visit)
        if cached.outline_size is None:
            cached.outline_size = self._count.count(self._texts.outline(visit))
        return cached.outline_size

    def _parts_cost_as_much(self, visit: Visit) -> bool:
        """Return whether the full text of a visit costs no more than its outline with
        linked parts.
        """
        parts = self.offer(visit, "section", self._budget)
        most = parts.cost if parts else self._budget
        return self.size(visit) <= most and self.offer(visit, "full", most) is not None

    def _of(self, visit: Visit) -> CachedViews:
        if visit not in self._cached:
            self._cached[visit] = (
                self._of_earlier_scenes(visit)
                if self._is_cacheable(visit)
                else CachedViews()
            )
        return self._cached[visit]

    def _of_earlier_scenes(self, visit: Visit) -> CachedViews:
        shown_above = () if visit.depth else self._shown_above
        inputs = (
            self._lookup.hash(visit.path),
            self._budget,
            self._count.encoding,
            shown_above,
        )
        return self._memo.get("views", visit, inputs, CachedViews)

    def _is_cacheable(self, visit: Visit) -> bool:
        """Return whether the rendered view is cacheable; numbered secret placeholders
        are valid in one scene only.
        """
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
            map(self._mask.is_plain, (visit.address, visit.why, visit.text))
        )

    def _make(self, visit: Visit, view: View, room: int) -> RenderedView | None:
        """Build a view; return None as soon as it certainly costs more than `room`
        tokens.
        """
        if view == "full" and self._is_certainly_above(visit, room):
            return None
        entry = self.labels.entry(
            visit,
            view,
            self._spans(visit, view),
            self._line_count(visit),
            self._size(visit, view),
        )
        entry_cost = entry_tokens(entry, self._count) if entry else 0
        if view == "line" and visit.depth:
            return RenderedView(view, "", "", entry, 0, entry_cost, visit.lines)
        head = self._head(visit, view)
        head_tokens = self._count.count(head)
        if view == "line":
            return RenderedView(
                view, head, "", "", head_tokens, head_tokens, visit.lines
            )
        if head_tokens + entry_cost + self._least_body > room:
            return None
        body = self._body(visit, view)
        tokens = head_tokens + self._count.count(body)
        return RenderedView(
            view, head, body, entry, tokens, tokens + entry_cost, visit.lines
        )

    def _spans(self, visit: Visit, view: View) -> Sequence[Span]:
        """Return the line ranges that a view shows in full."""
        if view == "full":
            return visit.spans
        return visit.parts if view == "section" else ()

    def _line_count(self, visit: Visit) -> int:
        """Return the number of lines of a visit; 0 for a folder, a binary file or an
        empty one.
        """
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
