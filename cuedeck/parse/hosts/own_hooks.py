"""Hooks of CueDeck in the JSON of a host, wherever the host could look for them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from cuedeck.parse.hosts.json_tree import Document, Node
from cuedeck.parse.hosts.own import is_own_hook

ROOT = "hooks"


class Found(NamedTuple):
    """An own command."""

    event: str
    way: tuple[tuple[Node, int], ...]
    """Containers from the outermost on, each with the index of the slot that leads to the command."""

    @property
    def start(self) -> int:
        """Where it begins in the text."""
        into, index = self.way[-1]
        return into.slots[index].start

    @property
    def element(self) -> Node:
        """The element of the event that holds it."""
        into, index = self.way[2]
        return into.slots[index].node

    @property
    def handler(self) -> dict[str, Any]:
        """What says which command is run, and how."""
        handler: dict[str, Any] = self._handler.value()
        return handler

    @property
    def key(self) -> str:
        """Return event, group and place in the group as Codex names a hook: `session_start:0:0`."""
        event = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", self.event).lower()
        handler = self.way[-1][1] if len(self.way) > 3 else 0
        return f"{event}:{self.way[2][1]}:{handler}"

    @property
    def command(self) -> str:
        """What is run."""
        return str(self.handler["command"])

    @property
    def is_grouped(self) -> bool:
        """Tell whether it stands in a group."""
        return self._handler is not self.element

    @property
    def alone(self) -> dict[str, Any]:
        """Return the element as if it held nothing but this command."""
        element: dict[str, Any] = self.element.value()
        return {**element, "hooks": [self.handler]} if self.is_grouped else element

    @property
    def _handler(self) -> Node:
        into, index = self.way[-1]
        node = into.slots[index].node
        inner = None if len(self.way) > 3 or _is_own(node) else node.find("hooks")
        return node if inner is None else inner.node.slots[0].node


def own_hooks(document: Document) -> Iterator[Found]:
    """Yield own commands in the order of the file, wherever a host could look for them."""
    for at, member in enumerate(document.root.slots if document.root and document.root.kind == "object" else ()):
        if member.key != ROOT or member.node.kind != "object" or document.root is None:
            continue
        for place, event in enumerate(member.node.slots):
            if event.node.kind != "array":
                continue
            above = ((document.root, at), (member.node, place))
            for index, element in enumerate(event.node.slots):
                yield from _in_element(element.node, event.key, (*above, (event.node, index)))


def _in_element(element: Node, event: str, way: tuple[tuple[Node, int], ...]) -> Iterator[Found]:
    if _is_own(element):
        yield Found(event, way)
        return
    inner = element.find("hooks")
    if inner is None or inner.node.kind != "array":
        return
    handlers = inner.node.slots
    own = [index for index, handler in enumerate(handlers) if _is_own(handler.node)]
    place = element.slots.index(inner)
    for index in own:
        # A group that holds nothing else is own as a whole.
        yield Found(event, way if len(handlers) == 1 else (*way, (element, place), (inner.node, index)))


def _is_own(node: Node) -> bool:
    command = node.find("command")
    return command is not None and is_own_hook(command.node.scalar)
