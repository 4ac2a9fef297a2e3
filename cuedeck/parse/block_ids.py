"""Obsidian-style block ids: `^id` at the end of a paragraph or list item, or alone on
the line after a block.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from cuedeck.model.file import Block
from cuedeck.parse.text_decoding import LineTable

MAY_HAVE_ID = re.compile(r"\^[A-Za-z0-9_-]+[ \t]*$", re.MULTILINE)
_ID = re.compile(rb"(?<![^ \t\n>])\^([A-Za-z0-9_-]+)[ \t]*(?:\n[ \t>]*)*\Z")
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
_CARRIERS = ("Paragraph", "Item", "Table")
_BLANK = b" \t\n>"


@dataclass(slots=True)
class _Span:
    """A block of Markdown, by the offsets of its bytes."""

    tag: str
    start: int
    end: int = 0
    text_end: int = 0
    """End of the own text of a list item that contains other blocks."""
    last: _Span | None = None
    """The last block in it so far."""


def find_blocks(
    events: Iterable[tuple[Any, Any]], table: LineTable
) -> tuple[Block, ...]:
    """Return the blocks of a Markdown text that have an id, in the order of the ids.

    An id alone on its line identifies the block before it; its line is not part of that
    block. An id in the first paragraph of a list item identifies the item.
    """
    found: list[tuple[int, Block]] = []
    opened = [_Span("", 0)]
    for event, place in events:
        if event.__class__ is str:
            continue
        ((name, value),) = event.items()
        tag = value if value.__class__ is str else next(iter(value), "")
        if name not in ("Start", "End") or tag not in _TAGS:
            continue
        if name == "Start":
            opened.append(_Span(tag, place["start"]))
            continue
        span, parent = opened.pop(), opened[-1]
        span.end = place["end"]
        if parent.tag == "Item" and parent.last is None:
            parent.text_end = span.end if tag == "Paragraph" else span.start
        elif tag in _CARRIERS:
            match = _ID.search(table.data[span.start : span.text_end or span.end])
            if match is not None:
                caret = span.start + match.start()
                lines = _lines(span, parent.last, caret, table)
                if lines is not None:
                    found.append((caret, Block(match[1].decode(), *lines)))
        parent.last = span
    return tuple(block for _, block in sorted(found))


def _lines(
    span: _Span, before: _Span | None, caret: int, table: LineTable
) -> tuple[int, int] | None:
    line, start = table.line(caret), table.line(span.start)
    if not table.data[table.offset(line) : caret].strip(_BLANK):
        if start < line:
            return start, line - 1
        if before is None or before.tag == "Heading":
            return line, line
        span = before
    elif span.tag == "Table":
        return None
    return table.line(span.start), table.last_line(span.start, span.end)
