"""Markdown parser: sections, links and block ids from CommonMark events (pyromark) with
byte ranges.

Code, HTML and comments contain neither links nor headings.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from pyromark import Markdown, Options

from cuedeck.model.file import Block, Link, Section
from cuedeck.parse.refs import (
    find_mentions,
    has_mentions,
    path_target,
    plain_target,
    wiki_target,
)
from cuedeck.parse.sections import Heading, nest_sections
from cuedeck.parse.text_decoding import LineTable

MAX_HEADINGS = 20_000
"""Maximum number of headings that open a section: a file with more was not written by a
person.
"""

# `[[1]](docs/a.md)` is an inline link whose text is `[1]`; `[[Card]](s)` is a wiki link
# with a plural.
_INLINE_TAIL = re.compile(
    rb"\((?:<([^<>\n]*)>|([^\s()<>]+))(?:\s+(?:\"[^\"\n]*\"|'[^'\n]*'))?\s*\)"
)
# Comments of Obsidian, display formulas and inline formulas. A comment that begins in
# the middle of a line and an inline formula end in the same paragraph. A dollar next to
# a word or a blank is an amount or a variable. Each alternative begins with a literal,
# so that the scan can jump, and looks behind it.
_MUTED = re.compile(
    rb"%(?<![^\n]%)%.*?%%"
    rb"|%%(?:(?!\n[ \t]*\n).)*?%%"
    rb"|\$(?<!\\\$)\$.*?\$\$"
    rb"|\$(?<![\\$\w]\$)(?![\s$])(?:(?!\n[ \t]*\n)[^$])*?(?<![\s\\])\$(?![\w$])",
    re.DOTALL,
)
_IN_PATHS = frozenset(b"/.#:")
_CONTAINERS = frozenset(("BlockQuote", "List", "FootnoteDefinition"))
# The tags without attributes that the reader needs.
_PLAIN_TAGS = frozenset(("HtmlBlock", "FootnoteDefinition", "Image"))
_TAG_EVENTS = ("Start", "End")
_INLINE_EVENTS = ("Code", "InlineHtml")
_NOT_FOLLOWED = ("Autolink", "Email")


class ParsedMarkdown(NamedTuple):
    """The parsed content of a Markdown text."""

    title: str
    """The text of the first heading of level 1; empty if there is none."""
    sections: tuple[Section, ...]
    blocks: tuple[Block, ...]
    links: tuple[Link, ...]
    """The links in text order."""


def parse_markdown(body: str, first: int = 1) -> ParsedMarkdown:
    """Parse Markdown without front matter; `first` is the line number in the file of
    the first line of `body`.
    """
    table = LineTable(body.encode(), first)
    reader = _Reader(table.data)
    reader.read(PARSER.events_with_range(body))
    headings = (
        Heading(each.level, table.line(each.start), *each[2:])
        for each in reader.headings
    )
    sections = nest_sections(headings, table.last)
    blocks: tuple[Block, ...] = ()
    if MAY_HAVE_ID.search(body):
        blocks = find_blocks(PARSER.events_with_range(body), table)
    marks: Sequence[_Mark] = reader.marks
    if has_mentions(body):
        marks = sorted((*marks, *_mentions(body, reader.hidden)))
    if marks and ("$" in body or "%%" in body):
        marks = _without_math(marks, table.data, reader.hidden)
    links = tuple(
        Link(mark.ref, table.line(mark.start), mark.form, "", False) for mark in marks
    )
    titles = (section.title for section in sections if section.level == 1)
    title = next(filter(None, titles), "")
    return ParsedMarkdown(title, sections, blocks, links)


class _Heading(NamedTuple):
    level: int
    start: int
    """Byte offset of the heading."""
    title: str
    slugged: str
    nested: bool


class _Mark(NamedTuple):
    start: int
    form: str
    ref: str


class _Reader:
    """Collector of headings and links in one pass over the events."""

    __slots__ = (
        "alts",
        "data",
        "depth",
        "headings",
        "hidden",
        "images",
        "marks",
        "words",
    )

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.headings: list[_Heading] = []
        self.marks: list[_Mark] = []
        self.hidden: list[tuple[int, int]] = []
        """Byte ranges of code, HTML and links, disjoint and ascending: mentions inside
        them are ignored.
        """
        self.depth = 0
        self.images = 0
        self.words: list[str] | None = None
        """Text fragments of the current heading; None outside of a heading."""
        self.alts: list[str] = []

    def read(self, events: Iterable[tuple[Any, Any]]) -> None:
        for event, span in events:
            if event.__class__ is str:
                if self.words is not None:
                    self.words.append(" ")
                continue
            (name,) = event
            if name == "Text":
                if self.words is not None:
                    (self.alts if self.images else self.words).append(event[name])
                continue
            value = event[name]
            if name in _TAG_EVENTS:
                if value.__class__ is str:
                    if value not in _PLAIN_TAGS:
                        continue
                    tag, detail = value, None
                else:
                    ((tag, detail),) = value.items()
                (self._start if name == "Start" else self._end)(tag, detail, span)
            elif name in _INLINE_EVENTS:
                self._hide(span)
                if name == "Code" and self.words is not None:
                    self.words.append(value)

    def _start(self, tag: str, detail: Any, span: Any) -> None:
        if tag in ("Link", "Image"):
            self._hide(span)
            self._link(detail, span, tag == "Image")
            self.images += tag == "Image"
        elif tag in ("CodeBlock", "HtmlBlock"):
            self._hide(span)
        elif tag == "Heading" and len(self.headings) < MAX_HEADINGS:
            self.words, self.alts = [], []
        elif tag in _CONTAINERS:
            self.depth += 1

    def _end(self, tag: str, detail: Any, span: Any) -> None:
        if tag == "Image":
            self.images -= 1
        elif tag in _CONTAINERS:
            self.depth -= 1
        elif tag == "Heading" and self.words is not None:
            text = "".join(self.words).strip()
            title = " ".join((text or "".join(self.alts)).split())
            self.headings.append(
                _Heading(int(detail[1]), span["start"], title, text, self.depth > 0)
            )
            self.words = None

    def _link(self, detail: Any, span: Any, image: bool) -> None:
        kind, start, end = detail["link_type"], span["start"], span["end"]
        form = "markdown"
        if kind.__class__ is not str:
            tail = None
            if not image:
                tail = _INLINE_TAIL.match(self.data, end)
            destination = b""
            if tail:
                destination = tail[1] or tail[2] or b""
            if _IN_PATHS.isdisjoint(destination):
                form = "wiki"
                inner = self.data[start + 2 + image : end - 2]
                ref = wiki_target(inner.decode())
            else:
                ref = path_target(destination.decode())
        elif image or kind in _NOT_FOLLOWED:
            return
        else:
            ref = path_target(detail["dest_url"])
        if ref:
            self.marks.append(_Mark(start, form, ref))

    def _hide(self, span: Any) -> None:
        start, end = span["start"], span["end"]
        if not self.hidden or start >= self.hidden[-1][1]:
            self.hidden.append((start, end))


def _mentions(body: str, hidden: list[tuple[int, int]]) -> Iterator[_Mark]:
    ascii_only = body.isascii()
    done = offset = 0
    for mention in find_mentions(body):
        if ascii_only:
            offset = mention.offset
        else:
            offset += len(body[done : mention.offset].encode())
            done = mention.offset
        at = bisect_right(hidden, (offset, len(body) * 4)) - 1
        ref = plain_target(mention.target)
        if ref and (at < 0 or hidden[at][1] <= offset):
            yield _Mark(offset, "mention", ref)


def _without_math(
    marks: Sequence[_Mark], data: bytes, hidden: Sequence[tuple[int, int]]
) -> Sequence[_Mark]:
    plain = bytearray(data)
    for start, end in hidden:
        plain[start:end] = b"x" * (end - start)
    muted = [match.span() for match in _MUTED.finditer(plain)]
    starts = [start for start, _ in muted]
    kept = []
    for mark in marks:
        at = bisect_right(starts, mark.start) - 1
        if at < 0 or muted[at][1] <= mark.start:
            kept.append(mark)
    return kept


PARSER = Markdown(
    options=Options.ENABLE_TABLES
    | Options.ENABLE_FOOTNOTES
    | Options.ENABLE_STRIKETHROUGH
    | Options.ENABLE_TASKLISTS
    | Options.ENABLE_WIKILINKS
)
"""The shared, stateless Markdown parser. Its ranges are byte offsets."""


def read_code_spans(body: str, first: int = 1) -> list[tuple[int, str]]:
    """Return (line, text) of each inline code span in text order, without code blocks.

    `first` is the line number in the file of the first line of `body`.
    """
    if "`" not in body:
        return []
    table = LineTable(body.encode(), first)
    found: list[tuple[int, str]] = []
    for event, span in PARSER.events_with_range(body):
        if isinstance(event, dict) and "Code" in event:
            found.append((table.line(span["start"]), event["Code"]))
    return found


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
