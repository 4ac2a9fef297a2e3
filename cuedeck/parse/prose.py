"""Prose of a Markdown text: headings, paragraphs, list items and table headers.

Code blocks, HTML, images, footnotes, tables of contents and lines of badges or
navigation links are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Literal, NamedTuple

from cuedeck.model.secret import PLACEHOLDER
from cuedeck.parse.markdown import PARSER

BlockKind = Literal["heading", "paragraph", "item", "table"]

_SKIPPED = frozenset(("CodeBlock", "HtmlBlock", "FootnoteDefinition", "Image"))
"""Tags whose text is not prose."""
_BREAKS = frozenset(("SoftBreak", "HardBreak"))
_ALERT = re.compile(r"\[!\w+\]\s*")
"""The mark of a GitHub alert, such as `[!NOTE]`."""
_DIRECTIVE = re.compile(r"(?:///|:::|!!!|\?\?\?|\{%|\{\{|%%)")
"""Begins a directive of MkDocs, VitePress, Jinja or Hugo."""
_ATTRIBUTES = re.compile(r"\s*\{\s*[#.][^{}]*\}\s*$")
"""Attributes of a heading: `{ #anchor }`."""
_WORD = re.compile(r"\w")
_LEAST_OWN_WORDS = 3
"""Words outside of links from which a paragraph with links is prose."""


class ProseBlock(NamedTuple):
    """One block of prose on one line."""

    kind: BlockKind
    text: str
    level: int = 0
    """Level of a heading; depth of a list item, from 1; otherwise 0."""


def read_prose(body: str) -> list[ProseBlock]:
    """Return the prose of a Markdown text without front matter, in text order."""
    reader = _Reader()
    reader.read(PARSER.events(body))
    return reader.blocks


def prose_text(body: str) -> str:
    """Return the prose of a Markdown text with one block on each line; the text itself
    if it contains no prose.
    """
    text = "\n".join(block.text for block in read_prose(body))
    return text or body


class _Reader:
    """Collector of blocks in one pass over the events of the parser."""

    __slots__ = (
        "_closing",
        "_depth",
        "_in_link",
        "_in_table_head",
        "_links_to_anchor",
        "_open",
        "_own",
        "_skipping",
        "_words",
        "blocks",
    )

    def __init__(self) -> None:
        self.blocks: list[ProseBlock] = []
        self._skipping = 0
        self._depth = 0
        """Number of open lists."""
        self._open: list[tuple[BlockKind, int]] = []
        self._words: list[str] = []
        self._own: list[str] = []
        """Text of the current block outside of links."""
        self._in_link = 0
        self._closing = ""
        """Closing bracket of a placeholder that is open."""
        self._links_to_anchor = False

    def read(self, events: Iterable[Any]) -> None:
        for event in events:
            if event.__class__ is str:
                if event in _BREAKS:
                    self._add("\n")
                continue
            ((name, value),) = event.items()
            if name in ("Text", "Code"):
                self._add(f"`{value}`" if name == "Code" else value)
            elif name == "Start":
                self._start(*_tag_of(value))
            elif name == "End":
                self._end(_tag_of(value)[0])

    def _add(self, text: str) -> None:
        if self._skipping:
            return
        self._words.append(text)
        if not self._in_link:
            self._own.append(text)

    def _start(self, tag: str, detail: Any) -> None:
        if tag in _SKIPPED:
            self._skipping += 1
        elif tag == "Link":
            self._in_link += 1
            if _is_placeholder(detail):
                # The placeholder of a secret looks like an automatic link.
                self._in_link -= 1
                self._closing = ">"
                self._add("<")
            elif str(detail.get("dest_url", "")).startswith("#"):
                self._links_to_anchor = True
        elif tag == "List":
            self._flush()
            self._depth += 1
        elif tag == "Heading":
            self._flush()
            self._open.append(("heading", int(detail["level"][1])))
        elif tag == "Item":
            self._flush()
            self._open.append(("item", self._depth))
        elif tag == "Paragraph":
            if not self._open:
                self._flush()
        elif tag in ("Table", "TableHead", "BlockQuote"):
            self._flush()

    def _end(self, tag: str) -> None:
        if tag in _SKIPPED:
            self._skipping -= 1
        elif tag == "Link" and self._closing:
            self._add(self._closing)
            self._closing = ""
        elif tag == "Link":
            self._in_link -= 1
        elif tag == "TableCell":
            self._add(" | ")
        elif tag == "TableHead":
            self._flush(("table", 0))
        elif tag == "TableRow":
            self._drop()
        elif tag in ("Heading", "Item"):
            self._flush()
            if self._open:
                self._open.pop()
        elif tag == "List":
            self._depth -= 1
        elif tag == "Paragraph":
            self._flush()

    def _drop(self) -> None:
        self._words.clear()
        self._own.clear()
        self._links_to_anchor = False

    def _flush(self, block: tuple[BlockKind, int] | None = None) -> None:
        kind, level = block or (self._open[-1] if self._open else ("paragraph", 0))
        text = _one_line("".join(self._words))
        own = _one_line("".join(self._own))
        if kind == "heading":
            text = _ATTRIBUTES.sub("", text)
        elif kind == "table":
            text = text.rstrip(" |")
        elif self._is_navigation(kind, text, own):
            text = ""
        if _WORD.search(text):
            self.blocks.append(ProseBlock(kind, text, level))
        self._drop()

    def _is_navigation(self, kind: str, text: str, own: str) -> bool:
        if text == own:
            return False
        if kind == "item":
            return self._links_to_anchor and not _WORD.search(own)
        words = own.split()
        return sum(1 for word in words if _WORD.search(word)) < _LEAST_OWN_WORDS


def _is_placeholder(link: Any) -> bool:
    return f"<{link.get('dest_url', '')}".startswith(PLACEHOLDER)


def _tag_of(value: Any) -> tuple[str, Any]:
    if value.__class__ is str:
        return value, None
    ((tag, detail),) = value.items()
    return tag, detail


def _one_line(text: str) -> str:
    rows = [row for row in text.split("\n") if not _DIRECTIVE.match(row.strip())]
    return _ALERT.sub("", " ".join(" ".join(rows).split()), count=1)
