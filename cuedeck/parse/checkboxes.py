"""Markdown task-list items of a card: `- [ ]` and `- [x]`, outside code."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

_ITEM = re.compile(r"(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|\Z)")
_BOX = re.compile(r"\[([ xX])\][ \t]+(\S.*)")
_FENCE = re.compile(r"`{3,}|~{3,}")
_CODE = 4
"""Blanks before code, counted from the text of the list item that contains it."""
_COMMENT, _COMMENT_END = "<!--", "-->"


class Box(NamedTuple):
    """A task-list item."""

    text: str
    checked: bool
    line: int
    """1-based line number."""


def parse_boxes(text: str) -> Sequence[Box]:
    """Return the task-list items of a text in order."""
    found: list[Box] = []
    for number, line in _lines_outside_code(text):
        item = _ITEM.match(line)
        if not item:
            continue
        box = _BOX.fullmatch(_without_comments(line[item.end() :]).rstrip())
        if box:
            found.append(Box(box[2].strip(), box[1] != " ", number))
    return found


def _lines_outside_code(text: str) -> Iterator[tuple[int, str]]:
    fence = ""
    columns: list[int] = []
    """The columns at which the texts of the open list items begin."""
    is_after_blank = True
    for number, line in enumerate(text.split("\n"), 1):
        rest = line.strip()
        if not rest:
            is_after_blank = True
            continue
        mark = _FENCE.match(rest)
        if fence:
            if mark and mark[0] == rest and rest.startswith(fence):
                fence = ""
            continue
        expanded = line.expandtabs(_CODE)
        indent = len(expanded) - len(expanded.lstrip())
        item = _ITEM.match(rest)
        if item or is_after_blank:
            while columns and indent < columns[-1]:
                columns.pop()
        is_after_blank = False
        if indent - (columns[-1] if columns else 0) >= _CODE:
            continue
        if mark:
            fence = mark[0]
            continue
        if item:
            columns.append(indent + item.end())
        yield number, rest


def _without_comments(line: str) -> str:
    """Return a line without its closed comments; a pattern would search the end of each
    open one again.
    """
    kept, start = [], 0
    while (opening := line.find(_COMMENT, start)) >= 0:
        end = line.find(_COMMENT_END, opening + len(_COMMENT))
        if end < 0:
            break
        kept.append(line[start:opening])
        start = end + len(_COMMENT_END)
    return "".join((*kept, line[start:]))
