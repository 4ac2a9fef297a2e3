"""Markdown task-list items of a card: `- [ ]` and `- [x]`, outside code fences."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

_BOX = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+\[([ xX])\][ \t]+(\S.*)")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
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
    fence = ""
    for number, line in enumerate(text.split("\n"), 1):
        mark = _FENCE.match(line)
        if mark and (
            not fence or (mark[1].startswith(fence) and line.strip() == mark[1])
        ):
            fence = "" if fence else mark[1]
        elif not fence:
            box = _BOX.fullmatch(_without_comments(line).rstrip())
            if box:
                found.append(Box(box[2].strip(), box[1] != " ", number))
    return found


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
