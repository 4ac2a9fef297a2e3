"""How much of a node can be shown: full, section, outline, line; largest first, built only when asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from cuedeck.model.node import File
from cuedeck.model.ports import Count, Lookup
from cuedeck.model.scene import Span, View, Visit
from cuedeck.scene.fence import fence, language_of, one_line
from cuedeck.scene.mask import Mask

LONGEST_TOKEN = 128
"""Characters of the longest token of both encodings: a lower bound of tokens without counting."""
LARGE_SHARE = 0.25
"""A whole source above this share of the budget is planned by its outline."""
COUNTED_BYTES = 1_000_000
"""Files above are not counted for a mere notice; their size is taken as a quarter of their bytes."""
_HEAD_LINES = 20
_ROW = 160


Row = tuple[int, str]
"""Line number and text."""


class Offer(NamedTuple):
    """One way to show a visit, and what it costs."""

    view: View
    head: str
    body: str
    tokens: int
    lines: Span


class Views:
    """The views of each visit, within one budget."""

    def __init__(self, lookup: Lookup, mask: Mask, count: Count, budget: int) -> None:
        self._lookup = lookup
        self._mask = mask
        self._count = count
        self._budget = budget
        self._sizes: dict[str, int] = {}
        self._name_tokens = max(10, budget // 16)

    def planned(self, visit: Visit) -> tuple[View, ...]:
        """Return the views the visit may have, largest first; the first is the one it has without pressure."""
        if visit.kind == "binary":
            return ("line",)
        if visit.kind == "folder":
            return ("full", "line")
        parts: tuple[View, ...] = ("section",) if visit.parts else ()
        whole: tuple[View, ...] = () if self._is_large(visit) else ("full",)
        return (*whole, *parts, "outline", "line")

    def offer(self, visit: Visit, view: View, room: int) -> Offer | None:
        """Return one view of a visit, or None when it costs more than `room` tokens."""
        if view != "line" and self._certainly_above(visit, view, room):
            return None
        offer = self._line(visit) if view == "line" else self._offer(visit, view, self._make(visit, view), visit.lines)
        return offer if offer.tokens <= room else None

    def best(self, visit: Visit, room: int) -> Offer | None:
        """Return the largest planned view that costs at most `room` tokens."""
        offers = (self.offer(visit, view, room) for view in self.planned(visit))
        return next((offer for offer in offers if offer is not None), None)

    def cut(self, visit: Visit, room: int) -> Offer | None:
        """Return the head of a visit that fits `room`, its end shown by a mark."""
        mark = "\n⋮ cut here: the budget is full"
        head = self._head(visit, "section", visit.lines)
        left = room - self._count.count(head) - self._count.count(fence(mark)) - 8
        if left < 1:
            return None
        text = self._count.cut(self._text(visit), left)
        while text:
            last = min(visit.lines[1], visit.lines[0] + text.count("\n"))
            offer = self._offer(visit, "section", text.rstrip("\n") + mark, (visit.lines[0], last))
            if offer.tokens <= room:
                return offer
            text = self._count.cut(text, max(0, self._count.count(text) - (offer.tokens - room)))
        return None

    def size(self, visit: Visit) -> int:
        """Return the tokens of a visit's text in full, without heading or fence."""
        if visit.address not in self._sizes:
            self._sizes[visit.address] = self._measure(visit)
        return self._sizes[visit.address]

    def name(self, visit: Visit) -> str:
        """Return the address as the scene prints it: masked, and cut when the budget is small."""
        masked = one_line(self._mask.plain(visit.address), 400)
        short = self._count.cut(masked, self._name_tokens)
        return masked if short == masked else short + "…"

    def entry(self, visit: Visit) -> str:
        """Return the visit's line of the map."""
        return f"- `{self.name(visit)}` {self._why(visit)}\n"

    def _measure(self, visit: Visit) -> int:
        file = self._lookup.file(visit.path)
        if file is not None and file.size > COUNTED_BYTES:
            return file.size // 4
        return self._count.count(self._text(visit)) if self._has_text(visit) else 0

    def _is_large(self, visit: Visit) -> bool:
        if visit.kind != "source" or not visit.whole or visit.wants_full:
            return False
        return self.size(visit) > self._budget * LARGE_SHARE

    def _certainly_above(self, visit: Visit, view: View, room: int) -> bool:
        """Spare building a text that cannot fit; a character has at most four bytes."""
        file = self._lookup.file(visit.path)
        if view != "full" or file is None or not visit.whole:
            return False
        return file.size // (4 * LONGEST_TOKEN) > room

    def _has_text(self, visit: Visit) -> bool:
        return visit.kind != "binary"

    def _text(self, visit: Visit) -> str:
        if visit.kind == "folder":
            return "".join(f"{path}\n" for path in self._lookup.folder(visit.path.rstrip("/")))
        pieces = self._mask.lines(visit.path, visit.spans)
        text = pieces[0]
        for before, after, piece in zip(visit.spans, visit.spans[1:], pieces[1:], strict=False):
            text += f"⋮ lines {before[1] + 1}-{after[0] - 1} stand above\n{piece}"
        return text

    def _make(self, visit: Visit, view: View) -> str:
        if view == "full":
            return self._text(visit)
        file = self._lookup.file(visit.path)
        assert file is not None
        rows = self._rows(visit, file)
        if view == "section":
            return self._linked_parts(visit, rows)
        return "\n".join(row for _, row in rows or self._head_rows(visit))

    def _linked_parts(self, visit: Visit, rows: Sequence[Row]) -> str:
        """Put the bodies of the linked parts into the outline, each at its place."""
        bodies: list[Row] = []
        covered = 0
        for start, end in visit.parts:
            if start > covered:
                body = self._mask.lines(visit.path, [(start, end)])[0].rstrip("\n")
                bodies.append((start, f"⋮ lines {start}-{end}\n{body}"))
                covered = end
        outside = [row for row in rows if not any(start <= row[0] <= end for start, end in visit.parts)]
        return "\n".join(text for _, text in sorted([*outside, *bodies], key=lambda row: row[0]))

    def _line(self, visit: Visit) -> Offer:
        head = self._head(visit, "line", visit.lines)
        return Offer("line", head, "", self._count.count(head), visit.lines)

    def _rows(self, visit: Visit, file: File) -> list[Row]:
        """Return (line, text) of the headings or signatures inside the visit."""
        rows = [(section.start, f"{'#' * section.level} {section.title}") for section in file.sections]
        rows += [(symbol.start, "    " * symbol.name.count(".") + symbol.signature) for symbol in file.symbols]
        inside = [row for row in rows if any(start <= row[0] <= end for start, end in visit.spans)]
        return [(line, f"L{line} {self._mask.plain(_short(text))}") for line, text in inside]

    def _head_rows(self, visit: Visit) -> list[Row]:
        """Return the first lines of a text without structure, the rest by its number of lines."""
        start, end = visit.spans[0]
        last = min(end, start + _HEAD_LINES - 1)
        rows = [
            (start, _short(row)) for row in self._mask.lines(visit.path, [(start, last)])[0].rstrip("\n").split("\n")
        ]
        hidden = visit.lines[1] - last
        return rows + ([(last, f"⋮ {hidden} more lines")] if hidden > 0 else [])

    def _offer(self, visit: Visit, view: View, text: str, lines: Span) -> Offer:
        head = self._head(visit, view, lines)
        body = fence(text.strip("\n"), language_of(visit.path) if view == "full" else "")
        return Offer(view, head, body, self._count.count(head) + self._count.count(body), lines)

    def _head(self, visit: Visit, view: View, lines: Span) -> str:
        where = "" if visit.kind in ("folder", "binary") else f" ({_spans(visit.spans, lines)})"
        rest = ""
        if view != "full" and self._has_text(visit):
            rest = f"; all {self.size(visit)} tokens: {command(self.name(visit))}"
        reason = f"depth {visit.depth}, {_PHRASES[view]}, because it is {self._why(visit)}{rest}"
        return f"### `{self.name(visit)}`{where}\n{reason}\n\n"

    def _why(self, visit: Visit) -> str:
        masked = one_line(self._mask.plain(visit.why), 400)
        short = self._count.cut(masked, self._name_tokens * 2)
        return masked if short == masked else short + "…"


_PHRASES: dict[View, str] = {
    "full": "shown in full",
    "section": "shown in part",
    "outline": "shown as an outline",
    "line": "shown by this line alone",
}


def command(address: str) -> str:
    """Return the command that prints an address, quoted for a shell."""
    plain = all(letter.isalnum() or letter in "/._-#" for letter in address)
    return f"`cuedeck read {address}`" if plain else f"`cuedeck read '{address}'`"


def _spans(spans: Sequence[Span], lines: Span) -> str:
    shown = spans if lines == (spans[0][0], spans[-1][1]) else (lines,)
    word = "line" if shown[0][0] == shown[-1][1] else "lines"
    return f"{word} " + ", ".join(str(start) if start == end else f"{start}-{end}" for start, end in shown)


def _short(text: str) -> str:
    return text if len(text) <= _ROW else text[: _ROW - 1] + "…"
