"""SCENE.md read back: its nodes and its receipt. What `render` writes, and nothing else, is understood."""

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
"""Headings of the blocks whose rows are entries of ledgers."""
_ENTRY = re.compile(
    r"- .*\(`(?P<last>(?:decision|attempt|record|experience):[^`]+)`[^`()]*\)\n|- `(?P<first>decision:[^`]+)` .*\n"
)
"""A row of one of them; what its words name is not its own address."""
_FOOTER = re.compile(
    r"## Receipt\n\n(?:card (?P<marks>`+)(?P<card>.*?)(?P=marks) · )?"
    r"budget (?P<budget>\d+) · (?P<tokens>\d+) tokens (?P<encoding>\w+).*\n"
    r"sha256 (?P<receipt>[0-9a-f]{64})\n"
)


class Node(NamedTuple):
    """A visit as a scene shows it."""

    name: str
    """Its address as printed: masked, and cut with `…` when the budget is small."""
    lines: str
    """As printed, `1-11` or `3-6, 9`; empty when no lines are named."""
    tier: Tier
    depth: int
    """Links from the card; 1 for a related node, as its visit has it."""
    view: View
    why: str
    head: str
    """Heading and reason with the blank line behind them."""
    body: str
    """Fence and all with the blank line behind it; empty for a line view."""


class Reading(NamedTuple):
    """What the text of a scene says of itself."""

    nodes: tuple[Node, ...]
    card: str
    """Name of the root card, or empty when no card was active."""
    budget: int
    tokens: int
    encoding: str
    receipt: str
    entries: tuple[str, ...]
    """Addresses of the entries that its blocks tell, as printed: a record by the beginning of its id."""


def read_scene(text: str) -> Reading | None:
    """Return what a scene holds; None when the text has no receipt outside its fences, so that it is no scene."""
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
    """Return which lines of its file a related node shows; a line that itself reads `9…` counts as a gap."""
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
    """Return what stands between backticks; between several of them, blanks are no part of it."""
    return (found[name] or "")[1:-1] if len(found["marks"] or "") > 1 else found[name] or ""


def _behind(rows: Sequence[str], at: int) -> int:
    """Return the row behind the row `at`, or behind the whole fence that it opens."""
    fence = _FENCE.fullmatch(rows[at])
    end = at + 1
    if fence is not None:
        while end < len(rows) and rows[end].rstrip("\n") != fence[1]:
            end += 1
        end += 1
    return min(end, len(rows))
