"""Parser for SCENE.md: reads the nodes and the receipt of a scene written by
`render`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from cuedeck.context.scene.related_tier import LISTED_OPENING
from cuedeck.model.scene_values import Tier, View
from cuedeck.parse.fence import GUTTER

_ROW = re.compile(r"[^\n]*\n|[^\n]+")
_HEADING = re.compile(r"### (?P<marks>`+)(?P<name>.+?)(?P=marks)\n")
_LINKED = re.compile(
    r"depth (?P<depth>\d+), shown (?P<view>in full|in part|as outline|as overview|as line): "
    r"(?P<why>.*?)(?:; all \d+ tokens(?:: (?P<marks>`+).*?(?P=marks))?)?\n"
)
_RELATED = re.compile(r"(?:(?P<view>in full): )?(?P<why>.*\S.*)\n")
_MAP_LINE = re.compile(
    r"- (?P<marks>`+)(?P<name>.+?)(?P=marks) (?P<absent>not shown, \d+ tokens: )?(?P<why>.*)\n"
)
_LISTED_LINE = re.compile(r"(?P<name>.+?):(?P<line>\d+): .*\n")
_VIEWS: dict[str, View] = {
    "in full": "full",
    "as overview": "full",
    "in part": "section",
    "as outline": "outline",
    "as line": "line",
}
_FENCE = re.compile(r"(`{3,})[^`\n]*\n")
_NUMBERED = re.compile(rf"(?P<number>\d+){GUTTER}")
_FOOTER = re.compile(
    r"## Receipt\n\n(?:card (?P<marks>`+)(?P<card>.*?)(?P=marks) · )?"
    r"limit (?P<budget>\d+) · (?P<tokens>\d+) tokens (?P<encoding>\w+).*\n"
    r"sha256 (?P<receipt>[0-9a-f]{12})\n"
)


class Node(NamedTuple):
    """A visit in the text of a scene."""

    name: str
    """Address as printed: masked, and cut with `…` at a small budget."""
    lines: str
    """Ranges of the numbered lines, `1-11` or `3-6, 9`."""
    tier: Tier
    depth: int
    """Number of links from the card."""
    view: View
    why: str
    head: str
    """Heading and reason, with the blank line after them."""
    body: str
    """Fenced text with the blank line after it; empty for a line view."""

    @property
    def is_in_map_alone(self) -> bool:
        """Return whether the node is a linked file without a heading."""
        return self.head.startswith("- ")


class Reading(NamedTuple):
    """Parsed content of a scene."""

    nodes: tuple[Node, ...]
    card: str
    """Name of the root card; empty if no card was active."""
    budget: int
    tokens: int
    encoding: str
    receipt: str
    """First digits of the receipt."""


def read_scene(text: str) -> Reading | None:
    """Return the parsed scene."""
    rows = _ROW.findall(text)
    headed: list[Node] = []
    map_rows: list[str] = []
    listed: list[Node] = []
    heading = ""
    at = 0
    while at < len(rows):
        if rows[at] == "## Receipt\n":
            footer = _FOOTER.match("".join(rows[at : at + 4]))
            if footer is None:
                return None
            nodes = (*_in_map_order(headed, map_rows), *listed)
            budget, tokens = int(footer["budget"]), int(footer["tokens"])
            card = _quoted(footer, "card")
            return Reading(
                nodes, card, budget, tokens, footer["encoding"], footer["receipt"]
            )
        node = _node(rows, at)
        if node is not None:
            headed.append(node)
            at += (node.head + node.body).count("\n")
            continue
        end = _after(rows, at)
        if rows[at].startswith("## "):
            heading = rows[at]
        elif heading == "## Map\n" and rows[at].startswith("- "):
            map_rows.append(rows[at])
        elif rows[at] == LISTED_OPENING.partition("\n")[0] + "\n":
            end = _after(rows, at + 2) if at + 2 < len(rows) else len(rows)
            listed = [_listed(row) for row in rows[at + 3 : end - 1]]
        at = end
    return None


def _in_map_order(headed: Sequence[Node], map_rows: Sequence[str]) -> list[Node]:
    """Return the nodes in the order of the map, with those that only the map names."""
    nodes = list(headed[:1])
    rest = list(headed[1:])
    for row in map_rows:
        found = _MAP_LINE.fullmatch(row)
        if found is None:
            continue
        if rest and not found["absent"] and _quoted(found, "name") == rest[0].name:
            nodes.append(rest.pop(0))
        else:
            name, why = _quoted(found, "name"), found["why"]
            nodes.append(Node(name, "", "explicit", 0, "line", why, found[0], ""))
    return [*nodes, *rest]


def _listed(row: str) -> Node:
    found = _LISTED_LINE.fullmatch(row)
    name, line = (found["name"], found["line"]) if found is not None else (row, "")
    return Node(name, line, "related", 1, "line", "", row, "")


def _numbered_lines(body: str) -> str:
    """Return the ranges of the numbered lines in a fenced text, `3-6, 9`."""
    spans: list[tuple[int, int]] = []
    for row in _ROW.findall(body)[1:-2]:
        found = _NUMBERED.match(row)
        if found is None:
            continue
        number = int(found["number"])
        if spans and spans[-1][1] == number - 1:
            spans[-1] = (spans[-1][0], number)
        else:
            spans.append((number, number))
    return ", ".join(
        f"{start}-{end}" if start != end else f"{start}" for start, end in spans
    )


def _node(rows: Sequence[str], at: int) -> Node | None:
    """Return the node whose heading is the row `at`."""
    heading = _HEADING.fullmatch(rows[at])
    if heading is None or at + 2 >= len(rows) or rows[at + 2] != "\n":
        return None
    linked = _LINKED.fullmatch(rows[at + 1])
    reason = linked or _RELATED.fullmatch(rows[at + 1])
    if reason is None:
        return None
    start = at + 3
    end = (
        _after(rows, start)
        if start < len(rows) and _FENCE.fullmatch(rows[start])
        else start
    )
    end += start < end < len(rows) and rows[end] == "\n"
    body = "".join(rows[start:end])
    is_task = linked is not None and linked["depth"] == "0"
    return Node(
        _quoted(heading, "name"),
        "" if is_task else _numbered_lines(body),
        "explicit" if linked else "related",
        int(linked["depth"]) if linked else 1,
        _VIEWS[reason["view"] or "in part"],
        reason["why"],
        "".join(rows[at:start]),
        body,
    )


def _quoted(found: re.Match[str], name: str) -> str:
    """Return inline code without its padding."""
    return (
        (found[name] or "")[1:-1]
        if len(found["marks"] or "") > 1
        else found[name] or ""
    )


def _after(rows: Sequence[str], at: int) -> int:
    """Return the index after the row `at`, or after the whole fence that it opens."""
    fence = _FENCE.fullmatch(rows[at])
    end = at + 1
    if fence is not None:
        while end < len(rows) and rows[end].rstrip("\n") != fence[1]:
            end += 1
        end += 1
    return min(end, len(rows))
