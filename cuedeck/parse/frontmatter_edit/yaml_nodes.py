"""YAML front matter as a tree of nodes with their offsets in the file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

import yaml  # type: ignore[import-untyped,unused-ignore]

from cuedeck.model.errors import Invalid
from cuedeck.parse.yaml_errors import TOO_DEEP, explain
from cuedeck.text.text_offsets import NEWLINE, invalid_at, line_number

QUOTES = ("'", '"')
"""Styles of a quoted scalar."""
_MAX_DEPTH = 200

Meaning = list[tuple[str, str, str, str, int]]
"""The content of a node without positions; equal for two nodes with the same content.
"""

_Loader: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)


@dataclass(frozen=True, slots=True)
class Node:
    """A YAML node with its offsets in the file; `end` excludes blanks, newlines and
    comments after it.
    """

    kind: Literal["scalar", "alias", "list", "map"]
    start: int
    end: int
    text: str = ""
    style: str = ""
    flow: bool = False
    anchor: str = ""
    tag: str = ""
    children: tuple[Node, ...] = ()
    """The items of a list; the alternating keys and values of a map."""

    @property
    def pairs(self) -> list[tuple[Node, Node]]:
        """The (key, value) pairs of a map."""
        return list(zip(self.children[::2], self.children[1::2], strict=True))

    @property
    def inside(self) -> tuple[int, int]:
        """The start and end offsets without the quotes."""
        cut = int(self.style in QUOTES)
        return self.start + cut, self.end - cut

    @property
    def last_style(self) -> str:
        """The style of the last scalar in a list; empty if there is none."""
        for child in reversed(self.children):
            if child.kind == "scalar":
                return child.style
        return ""

    def walk(self) -> Iterator[Node]:
        """Yield this node and all nodes below it, without recursion because the tree
        may be deep.
        """
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack += node.children

    def meaning(self) -> Meaning:
        """Return kind, tag, anchor, text and child count of this node and all nodes
        below it.
        """
        return [
            (node.kind, node.tag, node.anchor, node.text, len(node.children))
            for node in self.walk()
        ]


def read_tree(text: str, offset: int = 0) -> Node | None:
    """Parse the YAML that starts at `offset`; return None if it is empty.

    Raises: Invalid for invalid YAML, several documents, an undefined alias or more than
    200 levels.
    """
    try:
        roots = _roots(text, offset)
    except yaml.YAMLError as error:
        row, problem, hint = explain(error, NEWLINE.sub("\n", text[offset:]))
        raise Invalid.on(line_number(text, offset) + row, problem, hint) from error
    if len(roots) > 1:
        raise invalid_at(
            text, roots[1].start, "front matter contains more than one document"
        )
    return roots[0] if roots else None


def _roots(text: str, offset: int) -> list[Node]:
    """Build the tree from parser events, because composed nodes do not have the
    positions of aliases.
    """
    heads: list[Node] = []
    levels: list[list[Node]] = [[]]
    anchors: set[str] = set()
    events: Iterable[Any] = yaml.parse(text[offset:], Loader=_Loader)
    for event in events:
        start = event.start_mark.index + offset
        end = event.end_mark.index + offset
        if isinstance(event, yaml.CollectionEndEvent):
            children = tuple(levels.pop())
            bracket = end if end > start else None
            levels[-1].append(_closed(heads.pop(), children, bracket))
        elif isinstance(event, yaml.CollectionStartEvent):
            heads.append(_head(event, start, end))
            levels.append([])
            # The time of the YAML parser is quadratic in the depth.
            if len(heads) > _MAX_DEPTH:
                raise invalid_at(text, start, TOO_DEEP)
        elif isinstance(event, yaml.ScalarEvent):
            levels[-1].append(_scalar(event, text, start, end))
        elif isinstance(event, yaml.AliasEvent):
            if event.anchor not in anchors:
                raise invalid_at(
                    text, start, f"the alias *{event.anchor} has no anchor before it"
                )
            levels[-1].append(Node("alias", start, end, anchor=event.anchor))
        anchors.add(getattr(event, "anchor", None) or "")
    return levels[0]


def _scalar(event: Any, text: str, start: int, end: int) -> Node:
    # The parser includes the blank lines after a block scalar in its span; they are
    # excluded here.
    written = text[start:end].rstrip(" \t\r\n")
    return Node(
        "scalar",
        start,
        start + len(written),
        event.value,
        event.style or "",
        anchor=event.anchor or "",
        tag=event.tag or "",
    )


def _head(event: Any, start: int, end: int) -> Node:
    return Node(
        "list" if isinstance(event, yaml.SequenceStartEvent) else "map",
        start,
        end,
        flow=bool(event.flow_style),
        anchor=event.anchor or "",
        tag=event.tag or "",
    )


def _closed(head: Node, children: tuple[Node, ...], bracket: int | None) -> Node:
    """Return the finished collection; without a closing bracket, it ends at its last
    child, not at the next token.
    """
    if head.flow and bracket is not None:
        end = bracket
    elif children:
        end = children[-1].end
    else:
        end = head.end
    return replace(head, end=end, children=children)
