"""CueDeck's hooks in a host's JSON configuration."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from cuedeck.hosts.base import PROGRAM, Event, Hooks
from cuedeck.hosts.edit.json_edit import check_json, may_go_with, put_in, take_and_check
from cuedeck.hosts.edit.json_tree import Document, Node, reach, read_json
from cuedeck.hosts.edit.managed_part import Put
from cuedeck.hosts.edit.own_commands import hook_words, is_own_hook, is_plain_hook, is_written_hook, program_of
from cuedeck.model.prior_entry import Keys, Prior
from cuedeck.parse.text_edit import Cut, insert


@dataclass(frozen=True, slots=True)
class HooksPart:
    """The managed part for the hooks of one host."""

    hooks: Hooks
    host: str

    def element(self, event: Event) -> dict[str, Any]:
        """Return the array element that registers CueDeck's hook for an event."""
        handler: dict[str, Any] = {"name": f"{PROGRAM}-{event.hook}"} if self.hooks.named else {}
        if self.hooks.typed:
            handler["type"] = "command"
        handler["command"] = f"{PROGRAM} hook {event.hook} --host {self.host}"
        handler["timeout"] = event.timeout
        if self.hooks.shape == "flat":
            return handler
        return {"matcher": event.matcher, "hooks": [handler]} if event.matcher else {"hooks": [handler]}

    def holds(self, text: str) -> bool:
        """Return whether the file contains own hooks."""
        return any(True for _ in own_hooks(read_json(text)))

    def is_right(self, text: str) -> bool:
        """Return whether each event has exactly one own hook and it is up to date; other hooks do not matter."""
        document = read_json(text)
        found = list(own_hooks(document))
        wanted = {event.name: self.element(event) for event in self.hooks.events}
        if sorted(each.event for each in found) != sorted(wanted) or self._missing_members(document):
            return False
        return all(_is_element(each, wanted[each.event]) for each in found)

    def put(self, text: str) -> Put:
        """Append the own hook to each event."""
        before = document = read_json(text)
        undo: tuple[Cut, ...] = ()
        steps: list[tuple[Keys, Any, bool]] = [
            ((key,), number, False) for key, number in self._missing_members(document)
        ]
        steps += [((ROOT, event.name), self.element(event), True) for event in self.hooks.events]
        for keys, value, is_item in steps:
            text, cuts = insert(text, put_in(document, keys, value, item=is_item))
            document, undo = read_json(text), (*cuts, *undo)
        check_json(before, text, self._wanted(before.value()))
        return Put(text, undo, self._missing_containers(before))

    def renew(self, text: str) -> str:
        """Replace all own hooks; an event that CueDeck no longer uses is removed if it becomes empty."""
        wanted = {event.name for event in self.hooks.events}
        gone = frozenset((ROOT, each.event) for each in own_hooks(read_json(text)) if each.event not in wanted)
        return self.put(_without(text, gone, lambda _: True)).text

    def prior(self, text: str) -> tuple[Prior, ...]:
        """Return the hooks that run CueDeck with a command that set-up did not write."""
        found = own_hooks(read_json(text))
        return tuple(Prior((ROOT, each.event), each.alone) for each in found if not is_written_hook(each.command))

    def programs(self, text: str) -> tuple[str, ...]:
        """Return the programs that the own hooks start."""
        return tuple(program_of(each.command) for each in own_hooks(read_json(text)))

    def strip(self, text: str, made: frozenset[Keys] | None, prior: Sequence[Prior] = ()) -> str:
        """Remove own hooks except those in `prior`; prior hooks that were replaced are appended to their event."""
        found = list(own_hooks(read_json(text)))
        there = [Prior((ROOT, each.event), each.alone) for each in found]
        events = {each.event for each in found}
        back = [each for each in prior if each not in there and each.keys[0] == ROOT and each.keys[-1] in events]
        after = _without(
            text,
            made if made is None else made - {each.keys for each in back},
            lambda each: is_plain_hook(each.command) and Prior((ROOT, each.event), each.alone) not in prior,
        )
        for each in back:
            document = read_json(after)
            after = insert(after, put_in(document, each.keys, each.value, item=True))[0]
            read_json(after)
        return after

    def _missing_members(self, document: Document) -> list[tuple[str, Any]]:
        root = document.root
        return [(key, value) for key, value in self.hooks.fixed if root is None or root.find(key) is None]

    def _missing_containers(self, document: Document) -> tuple[Keys, ...]:
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


def _without(text: str, made: frozenset[Keys] | None, is_removed: Callable[[Found], bool]) -> str:
    """Return the text without the own hooks for which `is_removed` is true."""
    document = read_json(text)
    while found := next(filter(is_removed, own_hooks(document)), None):
        into, index = _outermost(document, found, made)
        document = take_and_check(document, into, index)
    return document.text


def _is_element(found: Found, wanted: dict[str, Any]) -> bool:
    """Return whether an own hook equals the wanted element, ignoring the path of the program."""
    group = wanted if "hooks" in wanted else {}
    handler: dict[str, Any] = group["hooks"][0] if group else wanted
    if found.is_grouped != bool(group) or found.alone.get("matcher", "") != group.get("matcher", ""):
        return False
    existing = found.handler
    if any(existing.get(key) != handler[key] for key in handler.keys() - {"command"}):
        return False
    return hook_words(existing["command"]) == hook_words(handler["command"])


def _outermost(document: Document, found: Found, made: frozenset[Keys] | None) -> tuple[Node, int]:
    """Return (container, index) of the slot to remove: the hook, or the outermost container with nothing else in it."""
    way = found.way
    keys: tuple[Keys, ...] = ((), (ROOT,), (ROOT, found.event))
    while len(way) <= len(keys) and len(way) > 1:
        above, index = way[-2]
        may_go = made is None or keys[len(way) - 1] in made
        if not may_go or not may_go_with(document, above.slots[index]):
            break
        way = way[:-1]
    return way[-1]


ROOT = "hooks"


class Found(NamedTuple):
    """An own hook in a document."""

    event: str
    way: tuple[tuple[Node, int], ...]
    """The path to the hook: each container from the outermost, with the index of the next slot."""

    @property
    def start(self) -> int:
        """The offset of the hook in the text."""
        into, index = self.way[-1]
        return into.slots[index].start

    @property
    def element(self) -> Node:
        """The array element of the event that contains the hook."""
        into, index = self.way[2]
        return into.slots[index].node

    @property
    def handler(self) -> dict[str, Any]:
        """The handler object, which contains the command and its options."""
        handler: dict[str, Any] = self._handler.value()
        return handler

    @property
    def group_index(self) -> int:
        """The index of the element in the array of the event."""
        return self.way[2][1]

    @property
    def command_index(self) -> int:
        """The index of the command in its group; 0 if there are no groups."""
        return self.way[-1][1] if len(self.way) > 3 else 0

    @property
    def command(self) -> str:
        """The command line of the hook."""
        return str(self.handler["command"])

    @property
    def is_grouped(self) -> bool:
        """Whether the hook is inside a group with a matcher."""
        return self._handler is not self.element

    @property
    def alone(self) -> dict[str, Any]:
        """The value of the element, reduced to this one handler."""
        element: dict[str, Any] = self.element.value()
        return {**element, "hooks": [self.handler]} if self.is_grouped else element

    @property
    def _handler(self) -> Node:
        into, index = self.way[-1]
        node = into.slots[index].node
        inner = None if len(self.way) > 3 or _is_own(node) else node.find("hooks")
        return node if inner is None else inner.node.slots[0].node


def own_hooks(document: Document) -> Iterator[Found]:
    """Yield the own hooks in file order, under any event."""
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
        # If the group has no other handler, the whole group is the own entry.
        yield Found(event, way if len(handlers) == 1 else (*way, (element, place), (inner.node, index)))


def _is_own(node: Node) -> bool:
    command = node.find("command")
    return command is not None and is_own_hook(command.node.scalar)
