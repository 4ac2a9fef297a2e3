"""Parser for SCENE.md: reads the nodes and the receipt of a scene written by `render`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from cuedeck.model.scene_values import Span, Tier, View

_ROW = re.compile(r"[^\n]*\n|[^\n]+")
_HEADING = re.compile(r"### (?P<marks>`+)(?P<name>.+?)(?P=marks)(?: \(lines? (?P<lines>[^)]*)\))?\n")
_EXPLICIT = re.compile(
    r"depth (?P<depth>\d+), shown (?P<view>in full|in part|as outline|as line): "
    r"(?P<why>.*?)(?:; all \d+ tokens(?:: (?P<marks>`+).*?(?P=marks))?)?\n"
)
_RELATED = re.compile(r"(?:(?P<view>in full): )?(?P<why>.*\S.*)\n")
_VIEWS: dict[str, View] = {"in full": "full", "in part": "section", "as outline": "outline", "as line": "line"}
_FENCE = re.compile(r"(`{3,})[^`\n]*\n")
_GAP = re.compile(r"(\d+)…\n")
_TELLING = ("## Decisions and attempts\n", "## Memory\n", "## Relevant past experiences\n")
"""Headings of the blocks whose rows are ledger entries."""
_ENTRY = re.compile(
    r"- .*\(`(?P<last>(?:decision|attempt|record|experience):[^`]+)`[^`()]*\)\n|- `(?P<first>decision:[^`]+)` .*\n"
)
"""A row of such a block; addresses inside the text of the row are not matched."""
_FOOTER = re.compile(
    r"## Receipt\n\n(?:card (?P<marks>`+)(?P<card>.*?)(?P=marks) · )?"
    r"budget (?P<budget>\d+) · (?P<tokens>\d+) tokens (?P<encoding>\w+).*\n"
    r"sha256 (?P<receipt>[0-9a-f]{64})\n"
)


class Node(NamedTuple):
    """A visit in the text of a scene."""

    name: str
    """Address as printed: masked, and cut with `…` at a small budget."""
    lines: str
    """Line ranges as printed, `1-11` or `3-6, 9`; empty if none are printed."""
    tier: Tier
    depth: int
    """Number of links from the card; 1 for a related node, as in its visit."""
    view: View
    why: str
    head: str
    """Heading and reason, with the blank line after them."""
    body: str
    """Fenced text with the blank line after it; empty for a line view."""


class Reading(NamedTuple):
    """Parsed content of a scene."""

    nodes: tuple[Node, ...]
    card: str
    """Name of the root card; empty if no card was active."""
    budget: int
    tokens: int
    encoding: str
    receipt: str
    entries: tuple[str, ...]
    """Addresses of the entries in its blocks, as printed: a record by the prefix of its id."""


def read_scene(text: str) -> Reading | None:
    """Return the parsed scene; None if the text has no receipt outside its fences and thus is not a scene."""
    rows = _ROW.findall(text)
    nodes: list[Node] = []
    entries: list[str] = []
    heading = ""
    at = 0
    while at < len(rows):
        if rows[at] == "## Receipt\n":
            footer = _FOOTER.match("".join(rows[at : at + 4]))
            return None if footer is None else _reading(nodes, footer, entries)
        node = _node(rows, at)
        if node is not None:
            nodes.append(node)
            at += (node.head + node.body).count("\n")
            continue
        heading = rows[at] if rows[at].startswith("## ") else heading
        entry = _ENTRY.fullmatch(rows[at]) if heading in _TELLING else None
        if entry is not None:
            entries.append(entry["last"] or entry["first"])
        at = _behind(rows, at)
    return None


def related_lines(node: Node) -> tuple[Span, ...]:
    """Return the file lines that a related node shows; a source line that reads `9…` is mistaken for a gap."""
    spans: list[Span] = []
    line = 0
    for row in _ROW.findall(node.body)[1:-2]:
        gap = _GAP.fullmatch(row)
        line += int(gap[1]) if gap else 1
        if gap is None and spans and spans[-1][1] == line - 1:
            spans[-1] = (spans[-1][0], line)
        elif gap is None:
            spans.append((line, line))
    return tuple(spans)


def _reading(nodes: Sequence[Node], footer: re.Match[str], entries: Sequence[str]) -> Reading:
    return Reading(
        tuple(nodes),
        _quoted(footer, "card"),
        int(footer["budget"]),
        int(footer["tokens"]),
        footer["encoding"],
        footer["receipt"],
        tuple(entries),
    )


def _node(rows: Sequence[str], at: int) -> Node | None:
    """Return the node whose heading is the row `at`."""
    heading = _HEADING.fullmatch(rows[at])
    if heading is None or at + 2 >= len(rows) or rows[at + 2] != "\n":
        return None
    explicit = _EXPLICIT.fullmatch(rows[at + 1])
    reason = explicit or _RELATED.fullmatch(rows[at + 1])
    if reason is None:
        return None
    start = at + 3
    end = _behind(rows, start) if start < len(rows) and _FENCE.fullmatch(rows[start]) else start
    end += start < end < len(rows) and rows[end] == "\n"
    return Node(
        _quoted(heading, "name"),
        heading["lines"] or "",
        "explicit" if explicit else "related",
        int(explicit["depth"]) if explicit else 1,
        _VIEWS[reason["view"] or "in part"],
        reason["why"],
        "".join(rows[at:start]),
        "".join(rows[start:end]),
    )


def _quoted(found: re.Match[str], name: str) -> str:
    """Return inline code without its padding, which exists only with several backticks."""
    return (found[name] or "")[1:-1] if len(found["marks"] or "") > 1 else found[name] or ""


def _behind(rows: Sequence[str], at: int) -> int:
    """Return the index after the row `at`, or after the whole fence that it opens."""
    fence = _FENCE.fullmatch(rows[at])
    end = at + 1
    if fence is not None:
        while end < len(rows) and rows[end].rstrip("\n") != fence[1]:
            end += 1
        end += 1
    return min(end, len(rows))
