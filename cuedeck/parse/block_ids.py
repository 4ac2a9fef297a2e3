"""Obsidian-style block ids: `^id` at the end of a paragraph or list item, or alone on
the line after a block.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from cuedeck.model.file import Block
from cuedeck.parse.text_decoding import LineTable

_ID = re.compile(rb"\^(?<![^ \t\n>]\^)([A-Za-z0-9_-]+)[ \t]*$", re.MULTILINE)
_TAGS = frozenset(
    (
        "Paragraph",
        "Item",
        "List",
        "BlockQuote",
        "Table",
        "CodeBlock",
        "HtmlBlock",
        "Heading",
        "FootnoteDefinition",
    )
)
_INLINE = frozenset(("Code", "InlineHtml"))
_CARRIERS = ("Paragraph", "Item", "Table")
_BLANK = b" \t\n>"


class _Span(NamedTuple):
    start: int
    end: int
    tag: str
    parent: int


def find_ids(data: bytes) -> Sequence[re.Match[bytes]]:
    """Return the candidate block ids at line ends; `find_blocks` keeps those inside a
    suitable block.
    """
    return tuple(_ID.finditer(data))


def find_blocks(
    ids: Iterable[re.Match[bytes]], events: Iterable[tuple[Any, Any]], table: LineTable
) -> tuple[Block, ...]:
    """Return the blocks of a Markdown text that have one of `ids`, in the order of the
    ids.

    An id alone on its line identifies the block before it; its line is not part of that
    block.
    """
    spans, inline = _spans(events)
    starts = [span.start for span in spans]
    edges = sorted({*starts, *(span.end for span in spans)})
    blocks = []
    for match in ids:
        caret = match.start(1) - 1
        inner = _innermost(spans, bisect_right(starts, caret) - 1, caret)
        if inner < 0 or spans[inner].tag not in _CARRIERS or _within(inline, caret):
            continue
        edge = edges[bisect_right(edges, caret)]
        if table.data[match.end() : edge].strip(_BLANK):
            continue
        lines = _lines(spans, inner, caret, table)
        if lines is not None:
            blocks.append(Block(match.group(1).decode(), *lines))
    return tuple(blocks)


def _spans(
    events: Iterable[tuple[Any, Any]],
) -> tuple[list[_Span], list[tuple[int, int]]]:
    spans: list[_Span] = []
    inline: list[tuple[int, int]] = []
    parents: list[int] = [-1]
    for event, place in events:
        if event.__class__ is str:
            continue
        ((name, value),) = event.items()
        if name in _INLINE:
            inline.append((place["start"], place["end"]))
        elif name in ("Start", "End"):
            tag = value if value.__class__ is str else next(iter(value))
            if tag not in _TAGS:
                continue
            if name == "End":
                parents.pop()
                continue
            spans.append(_Span(place["start"], place["end"], tag, parents[-1]))
            parents.append(len(spans) - 1)
    return spans, inline


def _innermost(spans: list[_Span], at: int, offset: int) -> int:
    while at >= 0 and spans[at].end <= offset:
        at = spans[at].parent
    return at


def _within(inline: list[tuple[int, int]], offset: int) -> bool:
    at = bisect_right(inline, (offset, offset)) - 1
    if at < 0:
        return False
    return inline[at][1] > offset


def _lines(
    spans: list[_Span], at: int, caret: int, table: LineTable
) -> tuple[int, int] | None:
    span = spans[at]
    line = table.line(caret)
    start = table.line(span.start)
    alone = not table.data[table.offset(line) : caret].strip(_BLANK)
    if alone and start < line:
        return start, line - 1
    if span.tag == "Table":
        return None
    if alone:
        before = _before(spans, at)
        if before is None:
            return line, line
        span = before
    elif (
        span.parent >= 0
        and spans[span.parent].tag == "Item"
        and spans[at - 1] is spans[span.parent]
    ):
        # An id in the first paragraph of a loose list item identifies the item, as it
        # does in a tight list.
        span = spans[span.parent]
    return table.line(span.start), table.last_line(span.start, span.end)


def _before(spans: list[_Span], at: int) -> _Span | None:
    for index in range(at - 1, -1, -1):
        if spans[index].parent == spans[at].parent:
            if spans[index].tag == "Heading":
                return None
            return spans[index]
        if index == spans[at].parent:
            return None
    return None
