"""Edits of what stands between commas: flow lists, flow maps and texts with commas."""

from __future__ import annotations

import re
from collections.abc import Sequence

from cuedeck.parse.splice.edit import Edit
from cuedeck.parse.splice.places import lead, line_start, newline_at
from cuedeck.parse.splice.quoting import quote
from cuedeck.parse.splice.tree import Node

_GAP = re.compile(r"(?:\s|#[^\r\n]*)*")
_TAIL = re.compile(r"[ \t]*(?P<comma>,?)[ \t]*(?:#[^\r\n]*)?(?P<newline>\r\n|\r|\n)")


def add_to_flow(text: str, node: Node, item: str) -> list[Edit]:
    """Put an item behind the last one of a flow list, on a line of its own when that one has one."""
    written = quote(item, flow=True, like=node.last_style)
    if not node.children:
        inside = text.index("[", node.start) + 1
        return [Edit(inside, inside, written)]
    last = node.children[-1]
    before = lead(text, last.start)
    if before.strip(" \t"):
        return [Edit(last.end, last.end, f", {written}")]
    tail = _TAIL.match(text, last.end)
    if tail is None:
        newline = newline_at(text, line_start(text, last.start))
        return [Edit(last.end, last.end, f",{newline}{before}{written}")]
    below = Edit(tail.end(), tail.end(), f"{before}{written}{tail['comma']}{tail['newline']}")
    return [below] if tail["comma"] else [Edit(last.end, last.end, ","), below]


def remove_from_flow(text: str, spans: Sequence[tuple[int, int]], index: int) -> list[Edit]:
    """Take the item at `index` with one comma, and with its line when it has the line for itself."""
    start, end = spans[index]
    is_last = index == len(spans) - 1
    before = spans[index - 1][1] if index else None
    comma = None if before is None else _comma(text, before)
    tail = _TAIL.match(text, end)
    if tail and not lead(text, start).strip(" \t"):
        line = Edit(line_start(text, start), tail.end(), "")
        return [comma, line] if comma and is_last and not tail["comma"] else [line]
    if not is_last:
        return [Edit(start, spans[index + 1][0], "")]
    if before is None:
        trailing = _comma(text, end)
        return [Edit(start, trailing.end if trailing else end, "")]
    if comma and "#" in text[before:start]:
        return [comma, Edit(start, end, "")]
    return [Edit(before, end, "")]


def _comma(text: str, at: int) -> Edit | None:
    """Return the removal of the comma that follows `at`, comments and newlines between."""
    gap = _GAP.match(text, at)
    end = gap.end() if gap else at
    return Edit(end, end + 1, "") if text.startswith(",", end) else None
