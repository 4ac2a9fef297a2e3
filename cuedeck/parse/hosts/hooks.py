"""Own hooks in the JSON of a host."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from cuedeck.model.host import PROGRAM, Event, Hooks
from cuedeck.parse.hosts.edit import Cut, insert
from cuedeck.parse.hosts.json_edit import may_go_with, put_in
from cuedeck.parse.hosts.json_tree import Document, Node, reach, read_json
from cuedeck.parse.hosts.own import is_own_hook
from cuedeck.parse.hosts.part import Keys, Put
from cuedeck.parse.hosts.sound import check_json, take_and_check

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


@dataclass(frozen=True, slots=True)
class HooksPart:
    """The hooks of one host."""

    hooks: Hooks
    host: str

    def element(self, event: Event) -> dict[str, Any]:
        """Return what an event holds for CueDeck."""
        handler: dict[str, Any] = {"name": f"{PROGRAM}-{event.hook}"} if self.hooks.named else {}
        if self.hooks.typed:
            handler["type"] = "command"
        handler["command"] = f"{PROGRAM} hook {event.hook} --host {self.host}"
        handler["timeout"] = event.timeout
        if self.hooks.shape == "flat":
            return handler
        return {"matcher": event.matcher, "hooks": [handler]} if event.matcher else {"hooks": [handler]}

    def holds(self, text: str) -> bool:
        """Tell whether own hooks are there."""
        return any(True for _ in own_hooks(read_json(text)))

    def is_right(self, text: str) -> bool:
        """Tell whether each event has its hook, once, as it should be."""
        document = read_json(text)
        found = sorted((each.event, _canonical(each.element.value())) for each in own_hooks(document))
        wanted = sorted((event.name, _canonical(self.element(event))) for event in self.hooks.events)
        return found == wanted and not self._lacking(document)

    def put(self, text: str) -> Put:
        """Put a hook behind those that each event has."""
        before = document = read_json(text)
        undo: tuple[Cut, ...] = ()
        steps: list[tuple[Keys, Any, bool]] = [((key,), number, False) for key, number in self._lacking(document)]
        steps += [((ROOT, event.name), self.element(event), True) for event in self.hooks.events]
        for keys, value, is_item in steps:
            text, cuts = insert(text, put_in(document, keys, value, item=is_item))
            document, undo = read_json(text), (*cuts, *undo)
        check_json(before, text, self._wanted(before.value()))
        return Put(text, undo, self._missing(before))

    def renew(self, text: str) -> str:
        """Replace what own hooks are there; an event that no longer counts goes with its last."""
        wanted = {event.name for event in self.hooks.events}
        gone = frozenset((ROOT, each.event) for each in own_hooks(read_json(text)) if each.event not in wanted)
        return self.put(self.strip(text, gone)).text

    def strip(self, text: str, made: frozenset[Keys] | None) -> str:
        """Take own hooks out."""
        document = read_json(text)
        while found := next(own_hooks(document), None):
            into, index = _outermost(document, found, made)
            document = take_and_check(document, into, index)
        return document.text

    def _lacking(self, document: Document) -> list[tuple[str, Any]]:
        root = document.root
        return [(key, value) for key, value in self.hooks.fixed if root is None or root.find(key) is None]

    def _missing(self, document: Document) -> tuple[Keys, ...]:
        keys = [(ROOT,), *((ROOT, event.name) for event in self.hooks.events)]
        return tuple(each for each in keys if len(reach(document.root, each, document.text)) <= len(each))

    def _wanted(self, before: Any) -> Any:
        value = {} if before is None else dict(before)
        for key, number in self.hooks.fixed:
            value.setdefault(key, number)
        hooks = dict(value.get(ROOT, {}))
        for event in self.hooks.events:
            hooks[event.name] = [*hooks.get(event.name, []), self.element(event)]
        return {**value, ROOT: hooks}


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


def _outermost(document: Document, found: Found, made: frozenset[Keys] | None) -> tuple[Node, int]:
    """Return the slot to take: the own one, or the container that holds nothing else."""
    way = found.way
    keys: tuple[Keys, ...] = ((), (ROOT,), (ROOT, found.event))
    while len(way) <= len(keys) and len(way) > 1:
        above, index = way[-2]
        may_go = made is None or keys[len(way) - 1] in made
        if not may_go or not may_go_with(document, above.slots[index]):
            break
        way = way[:-1]
    return way[-1]


def _canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True)
