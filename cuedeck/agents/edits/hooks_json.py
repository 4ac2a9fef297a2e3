"""CueDeck's hooks in a host's JSON configuration."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from cuedeck.agents.edits.json_edit import Addition, put_all, take_all
from cuedeck.agents.edits.json_tree import Document, Node, SlotPath, read_json
from cuedeck.agents.edits.managed_part import Part
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


@dataclass(frozen=True, slots=True)
class HooksPart(Part):
    """The managed part for the hooks of one host."""

    name = "a hook"
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
        return bool(own_hooks(read_json(text)))

    def names_form(self, text: str) -> bool:
        """Return whether the file contains own hooks that name their form."""
        found = own_hooks(read_json(text))
        return any("--from" in hook_words(hook.command) for hook in found)

    def put(self, text: str) -> str:
        """Add a hook to each event without one, in place of those that are not up to
        date. A command that runs more than a hook is of a person, and stays.
        """
        wanted = {event.name: self.element(event) for event in self.hooks.events}

        def find_unused(document: Document) -> SlotPath:
            found = plain_hooks(document)
            return next((hook.path for hook in found if hook.event not in wanted), ())

        def find_stale(document: Document) -> SlotPath:
            plain = plain_hooks(document)
            covered = {hook.event for hook in own_hooks(document) if hook not in plain}
            for hook in plain:
                if hook.event in covered or not _is_element(hook, wanted[hook.event]):
                    return hook.path
                covered.add(hook.event)
            return ()

        text = take_all(text, find_unused, prunes=True)
        text = take_all(text, find_stale)
        document = read_json(text)
        present = {hook.event for hook in own_hooks(document)}
        additions = []
        for key, value in self.hooks.fixed:
            if document.root is None or document.root.find(key) is None:
                additions.append(Addition((key,), value))
        for event, element in wanted.items():
            if event not in present:
                additions.append(Addition((ROOT, event), element, is_item=True))
        return put_all(text, additions)

    def programs(self, text: str) -> tuple[str, ...]:
        return tuple(program_of(hook.command) for hook in own_hooks(read_json(text)))

    def strip(self, text: str) -> str:
        def find(document: Document) -> SlotPath:
            found = plain_hooks(document)
            return found[0].path if found else ()

        return take_all(text, find, prunes=True)


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
    path: SlotPath
    """The path to the hook, or to its group if the group contains nothing else."""
    handler: dict[str, Any]
    """The handler object, which contains the command and its options."""
    alone: dict[str, Any]
    """The value of the element of the event, reduced to this one handler."""

    @property
    def start(self) -> int:
        """The offset of the hook in the text."""
        container, index = self.path[-1]
        return container.slots[index].start

    @property
    def group_index(self) -> int:
        """The index of the element in the array of the event."""
        return self.path[2][1]

    @property
    def command_index(self) -> int:
        """The index of the command in its group; 0 if there are no groups."""
        return self.path[-1][1] if len(self.path) > 3 else 0

    @property
    def command(self) -> str:
        """The command line of the hook."""
        return str(self.handler["command"])

    @property
    def is_grouped(self) -> bool:
        """Whether the hook is inside a group with a matcher."""
        return self.handler is not self.alone


def plain_hooks(document: Document) -> list[OwnHook]:
    """Return the own hooks whose command runs nothing else."""
    return [hook for hook in own_hooks(document) if is_plain_hook(hook.command)]


def own_hooks(document: Document) -> list[OwnHook]:
    """Return the own hooks in file order, under any event."""
    found: list[OwnHook] = []
    root = document.root
    for at, member in enumerate(root.slots if root else ()):
        if member.key != ROOT or root is None:
            continue
        for place, event in enumerate(member.node.slots):
            if event.node.kind != "array":
                continue
            for index, element in enumerate(event.node.slots):
                path = ((root, at), (member.node, place), (event.node, index))
                found += _in_element(element.node, event.key, path)
    return found


def _in_element(element: Node, event: str, path: SlotPath) -> Iterator[OwnHook]:
    if element.kind != "object":
        return
    value = element.value()
    if is_own_hook(value.get("command")):
        yield OwnHook(event, path, value, value)
        return
    inner = element.find("hooks")
    if inner is None or inner.node.kind != "array":
        return
    handlers = inner.node.slots
    place = element.slots.index(inner)
    for index, slot in enumerate(handlers):
        handler = slot.node.value()
        if not isinstance(handler, dict) or not is_own_hook(handler.get("command")):
            continue
        own = path
        if len(handlers) > 1:
            own = (*path, (element, place), (inner.node, index))
        yield OwnHook(event, own, handler, {**value, "hooks": [handler]})
