"""CueDeck's hooks in a host's JSON configuration."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from cuedeck.agents.edits.json_edit import (
    check_json,
    outermost_slot,
    put_in,
    take_and_check,
)
from cuedeck.agents.edits.json_tree import Document, Node, read_json
from cuedeck.agents.edits.managed_part import Put
from cuedeck.agents.edits.own_commands import (
    guarded,
    hook_words,
    is_guarded,
    is_own_hook,
    is_plain_hook,
    is_written_hook,
    program_of,
)
from cuedeck.agents.hosts.base import PROGRAM, Event, Hooks
from cuedeck.agents.hosts.setup_types import Form
from cuedeck.model.replaced_entry import Keys, Prior
from cuedeck.parse.text_edit import Cut, insert


@dataclass(frozen=True, slots=True)
class HooksPart:
    """The managed part for the hooks of one host."""

    hooks: Hooks
    host: str
    form: Form = "project"
    form_name: str = ""
    """The form as each command names it; empty in a file for several forms."""

    def element(self, event: Event) -> dict[str, Any]:
        """Return the array element that registers CueDeck's hook for an event."""
        handler: dict[str, Any] = {}
        if self.hooks.named:
            handler["name"] = f"{PROGRAM}-{event.hook}"
        if self.hooks.typed:
            handler["type"] = "command"
        handler["command"] = self._command(event)
        handler["timeout"] = event.timeout
        if self.hooks.shape == "flat":
            return handler
        group: dict[str, Any] = {}
        if event.matcher:
            group["matcher"] = event.matcher
        group["hooks"] = [handler]
        return group

    def _command(self, event: Event) -> str:
        """Return the command for an event. In a repository it does nothing for people
        without CueDeck; elsewhere it names its form, because it does nothing if
        the repository has the same hook.
        """
        command = f"{PROGRAM} hook {event.hook} --host {self.host}"
        if self.form == "project":
            return guarded(command)
        if self.form_name:
            return f"{command} --from {self.form_name}"
        return command

    def holds(self, text: str) -> bool:
        """Return whether the file contains own hooks."""
        return bool(list(own_hooks(read_json(text))))

    def names_form(self, text: str) -> bool:
        """Return whether the file contains own hooks that name their form."""
        found = own_hooks(read_json(text))
        return any("--from" in hook_words(hook.command) for hook in found)

    def is_right(self, text: str) -> bool:
        """Return whether each event has exactly one own hook and it is up to date;
        other hooks do not matter.
        """
        document = read_json(text)
        found = list(own_hooks(document))
        wanted = {event.name: self.element(event) for event in self.hooks.events}
        if sorted(hook.event for hook in found) != sorted(wanted):
            return False
        if self._missing_members(document):
            return False
        return all(_is_element(hook, wanted[hook.event]) for hook in found)

    def put(self, text: str) -> Put:
        """Append the own hook to each event."""
        before = read_json(text)
        wanted = before.value() or {}
        undo: tuple[Cut, ...] = ()
        for key, number in self._missing_members(before):
            insertions = put_in(read_json(text), (key,), number)
            text, cuts = insert(text, insertions)
            undo = (*cuts, *undo)
            wanted = {**wanted, key: number}
        for event in self.hooks.events:
            element = self.element(event)
            keys = (ROOT, event.name)
            insertions = put_in(read_json(text), keys, element, item=True)
            text, cuts = insert(text, insertions)
            undo = (*cuts, *undo)
            hooks = wanted.get(ROOT, {})
            elements = [*hooks.get(event.name, []), element]
            wanted = {**wanted, ROOT: {**hooks, event.name: elements}}
        check_json(before, text, wanted)
        return Put(text, undo, self._missing_containers(before))

    def renew(self, text: str) -> str:
        """Replace all own hooks; an event that CueDeck no longer uses is removed if it
        becomes empty.
        """
        current = {event.name for event in self.hooks.events}
        used = {hook.event for hook in own_hooks(read_json(text))}
        unused = frozenset((ROOT, event) for event in used - current)
        return self.put(_without(text, unused, lambda _: True)).text

    def prior(self, text: str) -> tuple[Prior, ...]:
        """Return the hooks that run CueDeck with a command that set-up did not
        write.
        """
        found = own_hooks(read_json(text))
        return tuple(
            hook.as_prior for hook in found if not is_written_hook(hook.command)
        )

    def programs(self, text: str) -> tuple[str, ...]:
        """Return the programs that the own hooks start."""
        return tuple(program_of(hook.command) for hook in own_hooks(read_json(text)))

    def strip(
        self, text: str, made: frozenset[Keys] | None, prior: Sequence[Prior] = ()
    ) -> str:
        """Remove own hooks except those in `prior`; prior hooks that were replaced are
        appended to their event.
        """
        present = [hook.as_prior for hook in own_hooks(read_json(text))]
        events = {entry.keys for entry in present}
        replaced = []
        for entry in prior:
            if entry.keys in events and entry not in present:
                replaced.append(entry)
        if made is not None:
            made -= {entry.keys for entry in replaced}

        def is_to_remove(hook: OwnHook) -> bool:
            return is_plain_hook(hook.command) and hook.as_prior not in prior

        text = _without(text, made, is_to_remove)
        for entry in replaced:
            insertions = put_in(read_json(text), entry.keys, entry.value, item=True)
            text, _ = insert(text, insertions)
            read_json(text)
        return text

    def _missing_members(self, document: Document) -> list[tuple[str, Any]]:
        root = document.root
        return [
            (key, value)
            for key, value in self.hooks.fixed
            if root is None or root.find(key) is None
        ]

    def _missing_containers(self, document: Document) -> tuple[Keys, ...]:
        containers: list[Keys] = [(ROOT,)]
        for event in self.hooks.events:
            containers.append((ROOT, event.name))
        return tuple(keys for keys in containers if document.find(keys) is None)


def _without(
    text: str, made: frozenset[Keys] | None, is_removed: Callable[[OwnHook], bool]
) -> str:
    """Return the text without the own hooks for which `is_removed` is true."""
    document = read_json(text)
    while found := next(filter(is_removed, own_hooks(document)), None):
        container, index = outermost_slot(
            document, found.path, (ROOT, found.event), made
        )
        document = take_and_check(document, container, index)
    return document.text


def _is_element(found: OwnHook, wanted: dict[str, Any]) -> bool:
    """Return whether an own hook equals the wanted element, ignoring the path of the
    program.
    """
    is_grouped = "hooks" in wanted
    if found.is_grouped != is_grouped:
        return False
    handler: dict[str, Any] = wanted
    if is_grouped:
        handler = wanted["hooks"][0]
        if found.alone.get("matcher", "") != wanted.get("matcher", ""):
            return False
    existing = found.handler
    if any(existing.get(key) != handler[key] for key in handler.keys() - {"command"}):
        return False
    command = existing["command"]
    is_written = is_written_hook(command)
    if is_written and is_guarded(command) != is_guarded(handler["command"]):
        return False
    return hook_words(command) == hook_words(handler["command"])


ROOT = "hooks"


class OwnHook(NamedTuple):
    """An own hook in a document."""

    event: str
    path: tuple[tuple[Node, int], ...]
    """The path to the hook: each container from the outermost, with the index of the
    next slot.
    """

    @property
    def start(self) -> int:
        """The offset of the hook in the text."""
        container, index = self.path[-1]
        return container.slots[index].start

    @property
    def element(self) -> Node:
        """The array element of the event that contains the hook."""
        container, index = self.path[2]
        return container.slots[index].node

    @property
    def handler(self) -> dict[str, Any]:
        """The handler object, which contains the command and its options."""
        handler: dict[str, Any] = self._handler.value()
        return handler

    @property
    def group_index(self) -> int:
        """The index of the element in the array of the event."""
        return self.path[2][1]

    @property
    def command_index(self) -> int:
        """The index of the command in its group; 0 if there are no groups."""
        if len(self.path) > 3:
            return self.path[-1][1]
        return 0

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
        if self.is_grouped:
            return {**element, "hooks": [self.handler]}
        return element

    @property
    def as_prior(self) -> Prior:
        """The hook as an entry that was in the file before set-up."""
        return Prior((ROOT, self.event), self.alone)

    @property
    def _handler(self) -> Node:
        container, index = self.path[-1]
        node = container.slots[index].node
        if len(self.path) > 3 or _is_own(node):
            return node
        handlers = node.find("hooks")
        if handlers is None:
            return node
        return handlers.node.slots[0].node


def own_hooks(document: Document) -> Iterator[OwnHook]:
    """Yield the own hooks in file order, under any event."""
    root = document.root
    if root is None or root.kind != "object":
        return
    for at, member in enumerate(root.slots):
        if member.key != ROOT or member.node.kind != "object":
            continue
        for place, event in enumerate(member.node.slots):
            if event.node.kind != "array":
                continue
            for index, element in enumerate(event.node.slots):
                path = ((root, at), (member.node, place), (event.node, index))
                yield from _in_element(element.node, event.key, path)


def _in_element(
    element: Node, event: str, path: tuple[tuple[Node, int], ...]
) -> Iterator[OwnHook]:
    if _is_own(element):
        yield OwnHook(event, path)
        return
    inner = element.find("hooks")
    if inner is None or inner.node.kind != "array":
        return
    handlers = inner.node.slots
    place = element.slots.index(inner)
    for index, handler in enumerate(handlers):
        if not _is_own(handler.node):
            continue
        if len(handlers) == 1:  # the whole group is the own entry
            yield OwnHook(event, path)
        else:
            yield OwnHook(event, (*path, (element, place), (inner.node, index)))


def _is_own(node: Node) -> bool:
    command = node.find("command")
    return command is not None and is_own_hook(command.node.scalar)
