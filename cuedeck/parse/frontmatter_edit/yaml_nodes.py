"""The YAML of a front matter as a tree of nodes that know where they stand in the file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

import yaml  # type: ignore[import-untyped,unused-ignore]

from cuedeck.model.errors import Invalid
from cuedeck.parse.text_offsets import NEWLINE, invalid_at, line_number
from cuedeck.parse.yaml_errors import explain

QUOTES = ("'", '"')
"""Styles of a scalar that stands between quotes."""
_MAX_DEPTH = 200

Meaning = list[tuple[str, str, str, str, int]]
"""What a node says, without places; equal for two nodes that read the same."""

_Loader: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)


@dataclass(frozen=True, slots=True)
class Node:
    """A YAML node by its place in the file; `end` leaves out blanks, newlines and comments that follow."""

    kind: Literal["scalar", "alias", "list", "map"]
    start: int
    end: int
    text: str = ""
    style: str = ""
    flow: bool = False
    anchor: str = ""
    tag: str = ""
    children: tuple[Node, ...] = ()
    """Items of a list; keys and values of a map by turns."""

    @property
    def pairs(self) -> list[tuple[Node, Node]]:
        """Keys and values of a map."""
        return list(zip(self.children[::2], self.children[1::2], strict=True))

    @property
    def inside(self) -> tuple[int, int]:
        """Start and end without the quotes."""
        cut = int(self.style in QUOTES)
        return self.start + cut, self.end - cut

    @property
    def last_style(self) -> str:
        """The style of the last scalar of a list."""
        return next((child.style for child in reversed(self.children) if child.kind == "scalar"), "")

    def walk(self) -> Iterator[Node]:
        """Yield this node and all below it, without recursion: it may be nested deeply."""
        waiting = [self]
        while waiting:
            here = waiting.pop()
            yield here
            waiting += here.children

    def meaning(self) -> Meaning:
        """Return kind, tag, anchor, text and number of children of this node and all below it."""
        return [(here.kind, here.tag, here.anchor, here.text, len(here.children)) for here in self.walk()]


def read_tree(text: str, offset: int = 0) -> Node | None:
    """Read the YAML from `offset` on; None when it holds nothing.

    Raises: Invalid for broken YAML, more than one document, or nesting too deep to read in time.
    """
    try:
        roots = _roots(text, offset)
    except yaml.YAMLError as error:
        row, problem, hint = explain(error, NEWLINE.sub("\n", text[offset:]))
        raise Invalid.on(line_number(text, offset) + row, problem, hint) from error
    if len(roots) > 1:
        raise invalid_at(text, roots[1].start, "front matter holds more than one document")
    return roots[0] if roots else None


def _roots(text: str, offset: int) -> list[Node]:
    """Build the tree from events: composed nodes would not tell where an alias stands."""
    heads: list[Node] = []
    levels: list[list[Node]] = [[]]
    anchors: set[str] = set()
    events: Iterable[Any] = yaml.parse(text[offset:], Loader=_Loader)
    for event in events:
        start, end = event.start_mark.index + offset, event.end_mark.index + offset
        if isinstance(event, yaml.CollectionEndEvent):
            children = tuple(levels.pop())
            levels[-1].append(_closed(heads.pop(), children, end if end > start else None))
        elif isinstance(event, yaml.CollectionStartEvent):
            heads.append(_head(event, start, end))
            levels.append([])
            # The parser needs time by the square of the depth.
            if len(heads) > _MAX_DEPTH:
                raise invalid_at(text, start, "front matter is nested too deeply")
        elif isinstance(event, yaml.ScalarEvent):
            levels[-1].append(_scalar(event, text, start, end))
        elif isinstance(event, yaml.AliasEvent):
            if event.anchor not in anchors:
                raise invalid_at(text, start, f"the alias *{event.anchor} has no anchor before it")
            levels[-1].append(Node("alias", start, end, anchor=event.anchor))
        anchors.add(getattr(event, "anchor", None) or "")
    return levels[0]


def _scalar(event: Any, text: str, start: int, end: int) -> Node:
    # The parser counts the blank lines after a block text to it; here they belong to nobody.
    end = start + len(text[start:end].rstrip(" \t\r\n"))
    style, anchor, tag = event.style or "", event.anchor or "", event.tag or ""
    return Node("scalar", start, end, event.value, style, anchor=anchor, tag=tag)


def _head(event: Any, start: int, end: int) -> Node:
    kind: Literal["list", "map"] = "list" if isinstance(event, yaml.SequenceStartEvent) else "map"
    return Node(kind, start, end, flow=bool(event.flow_style), anchor=event.anchor or "", tag=event.tag or "")


def _closed(head: Node, children: tuple[Node, ...], bracket: int | None) -> Node:
    """Finish a collection; without a closing bracket it ends with its last child, not at the next token."""
    end = bracket if head.flow else None
    if end is None:
        end = children[-1].end if children else head.end
    return replace(head, end=end, children=children)
