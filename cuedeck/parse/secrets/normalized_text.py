"""Normalised copies of text parts in which encoding or line breaks hide a secret from
the rules.

Terminal colours, percent-encoding, zero-width characters and line continuations may
split a secret or put a letter directly before it. The rules search the copy, and each
match is mapped back to the original text. Only the lines around such writing are
copied, so a text without it costs a few substring searches.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

_BEFORE, _AFTER = 1_000, 10_000
"""Maximum number of characters copied before and after an edit."""
_JOINT = 20
"""Maximum number of characters between the end of a string and its continuation on the
next line.
"""
_QUOTES = ("'", '"')
_VALUE_SIGNS = "+/_-"
_INVISIBLE = (
    "\u00ad\u034f\u061c\u115f-\u1160\u17b4-\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f"
    "\ufe0e-\ufe0f\ufeff\ufff9-\ufffb"
)
# Strings, which `re` compiles at their first use. An invisible sign is a match of its
# own, because a search for a set is faster than for a run of it.
_PARAMETERS = r"[0-?]*[ -/]*[@-~]"
_COLOUR = (
    rf"\x1b\[{_PARAMETERS}|\x9b{_PARAMETERS}|\x1b\][^\x07\x1b\n]{{0,1000}}(?:\x07|\x1b\\)"
    r"|\x1b[@-Z^_]"
)
_PERCENT = r"%([2-7][0-9A-Fa-f])"
_CONTINUED = r"\r?\n(?<![\s\\\"'`]\\\n)(?<![\s\\\"'`]\\\r\n)[ \t]*"
"""The value directly precedes the backslash; after a blank, the next line is another
argument.
"""
_AFTER_BACKSLASH = rf"\\(?:{_CONTINUED}|(?:x1[bB]|033|e|u001[bB])\[[0-9;]*[A-Za-z])"
"""A line continuation, or an escaped terminal colour in source code or JSON."""
_OPENING = r"\n(?<=[\"'`\\+.&\r \t]\n)[ \t]*(?:[+.&][ \t]*)?[bfruBFRU]{0,2}([\"'`])(?=[^\s\"'`])"
_CLOSING = r"(?<=[^\s\"'`\\])([\"'`])[ \t]*(?:[\\+.&][ \t]*)?\r?\Z"
_JOINED = rf"{{0}} (?:[+.&] )?{{0}}(?=[\w{re.escape(_VALUE_SIGNS)}])"
_FOLDED = r":[ \t]+>[-+]?[ \t]*\r?\n(?P<body>(?:[ \t]+[^\s]+[ \t]*(?:\r?\n|$)){2,40})"
_GAP = r"[ \t]*\r?\n[ \t]+(?=\S)"


class Edit(NamedTuple):
    """A span of the original and its replacement in the copy."""

    start: int
    end: int
    new: str


class NormalizedText(NamedTuple):
    """A normalised copy of a part of a text, with its mapping to the original."""

    text: str
    starts: Sequence[int]
    """The start offset of each piece in the copy, sorted."""
    pieces: Sequence[tuple[int, int, bool]]
    """The (start, end, is edit) of each piece in the original."""

    def original(self, start: int, end: int) -> tuple[int, int] | None:
        """Return the span in the original, or None if the span contains no edit and
        does not border on one.
        """
        first = bisect_right(self.starts, start) - 1
        last = bisect_right(self.starts, end - 1) - 1
        inside = self.pieces[first : last + 1]
        if not any(is_edit for _, _, is_edit in inside) and not self._borders_on_edit(
            first, last, start, end
        ):
            return None
        original_start, _, is_edit = self.pieces[first]
        if not is_edit:
            original_start += start - self.starts[first]
        piece_start, original_end, is_edit = self.pieces[last]
        if not is_edit:
            original_end = piece_start + end - self.starts[last]
        return original_start, original_end

    def _borders_on_edit(self, first: int, last: int, start: int, end: int) -> bool:
        if first > 0 and self.starts[first] == start and self.pieces[first - 1][2]:
            return True
        after = last + 1
        return (
            after < len(self.pieces)
            and self.starts[after] == end
            and self.pieces[after][2]
        )


def normalized_texts(text: str) -> Iterator[NormalizedText]:
    """Yield a normalised copy of each part of a text that needs one."""
    group: list[Edit] = []
    low = high = 0
    for edit in _edits(text):
        start, end = _window(text, edit)
        if group and edit.start > high:
            yield copy_with_edits(text, low, high, group)
            group = []
        if group:
            high = max(high, end)
        else:
            low, high = start, end
        group.append(edit)
    if group:
        yield copy_with_edits(text, low, high, group)


def _window(text: str, edit: Edit) -> tuple[int, int]:
    """Return the span of the lines around an edit and the line before them, which may
    contain the name of a value.
    """
    low = max(edit.start - _BEFORE, 0)
    line = text.rfind("\n", low, edit.start)
    if line > low:
        line = text.rfind("\n", low, line)
    low = max(line + 1, low)
    high = min(edit.end + _AFTER, len(text))
    end = text.find("\n", edit.end, high)
    if end >= 0:
        high = end + 1
    return low, high


def copy_with_edits(
    text: str, low: int, high: int, edits: Sequence[Edit]
) -> NormalizedText:
    """Return a copy of a span with edits, which are sorted and disjoint."""
    parts: list[str] = []
    starts: list[int] = []
    pieces: list[tuple[int, int, bool]] = []
    size = 0

    def add(start: int, end: int, new: str, is_edit: bool) -> None:
        nonlocal size
        if start < end:
            parts.append(new)
            starts.append(size)
            pieces.append((start, end, is_edit))
            size += len(new)

    at = low
    for start, end, new in edits:
        add(at, start, text[at:start], False)
        add(start, end, new, True)
        at = end
    add(at, high, text[at:high], False)
    return NormalizedText("".join(parts), starts, pieces)


def _edits(text: str) -> list[Edit]:
    found: list[Edit] = []
    removed: list[str] = []
    if "\x1b" in text or "\x9b" in text:
        removed.append(_COLOUR)
    if not text.isascii():
        removed.append(f"[{_INVISIBLE}]")
    if "\\" in text:
        removed.append(_AFTER_BACKSLASH)
    for pattern in removed:
        found += [Edit(*match.span(), "") for match in re.finditer(pattern, text)]
    if "%" in text:
        for match in re.finditer(_PERCENT, text):
            decoded = chr(int(match[1], 16))
            found.append(Edit(*match.span(), decoded))
    found += _joints(text)
    found.sort()
    edits = found[:1]
    for before, edit in pairwise(found):
        if edit.start >= before.end:
            edits.append(edit)
    return edits


def _joints(text: str) -> Iterator[Edit]:
    if "\n" in text:
        yield from _adjacent_strings(text)
    if ": >" in text:
        yield from _folded_lines(text)
    for quote in _QUOTES:
        if quote in text:
            yield from _strings_of_a_line(text, quote)


def _adjacent_strings(text: str) -> Iterator[Edit]:
    """Yield the joints of adjacent string literals: closing quote, line end and opening
    quote of the next line.
    """
    openings = re.finditer(_OPENING, text)
    for opening in openings:
        start = max(opening.start() - _JOINT, 0)
        before = text[start : opening.start()]
        closing = re.search(_CLOSING, before)
        if closing and closing[1] == opening[1]:
            yield Edit(start + closing.start(), opening.end(), "")


def _strings_of_a_line(text: str, quote: str) -> Iterator[Edit]:
    """Yield the joints of adjacent string literals in one line: closing quote, blank or
    operator, and opening quote.
    """
    joints = re.finditer(_JOINED.format(quote), text)
    for joint in joints:
        start, end = joint.span()
        before = text[start - 1 : start]
        if before.isalnum() or before in _VALUE_SIGNS:
            yield Edit(start, end, "")


def _folded_lines(text: str) -> Iterator[Edit]:
    gaps = re.compile(_GAP)
    for block in re.finditer(_FOLDED, text):
        for gap in gaps.finditer(text, *block.span("body")):
            yield Edit(*gap.span(), "")
