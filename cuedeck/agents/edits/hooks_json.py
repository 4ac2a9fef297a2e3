"""CueDeck's hooks in a host's JSON configuration."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from cuedeck.agents.edits.json_document import Path, as_list, look_up, read_json
from cuedeck.agents.edits.json_edit import add, take_all
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
from cuedeck.model.ports import Json


@dataclass(frozen=True, slots=True)
class HooksPart(Part):
    """The managed part for the hooks of one host."""

    name = "a hook"
    hooks: Hooks
    host: str
    form: Form = "project"
    form_name: str = ""
    """The form as each command names it; empty in a file for several forms."""

    def element(self, event: Event) -> Json:
        """Return the array element that registers CueDeck's hook for an event."""
        handler: Json = {}
        if self.hooks.named:
            handler["name"] = f"{PROGRAM}-{event.hook}"
        if self.hooks.typed:
            handler["type"] = "command"
        handler["command"] = self._command(event)
        handler["timeout"] = event.timeout
        if self.hooks.shape == "flat":
            return handler
        group: Json = {}
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
        return bool(own_hooks(read_json(text).value))

    def names_form(self, text: str) -> bool:
        """Return whether the file contains own hooks that name their form."""
        found = own_hooks(read_json(text).value)
        return any("--from" in hook_words(hook.command) for hook in found)

    def put(self, text: str) -> str:
        """Add a hook to each event without one, in place of those that are not up to
        date. A command that runs more than a hook is of a person, and stays.
        """
        wanted = {event.name: self.element(event) for event in self.hooks.events}

        def find_stale(value: Any) -> Path:
            plain = plain_hooks(value)
            covered = {hook.event for hook in own_hooks(value) if hook not in plain}
            for hook in plain:
                is_needed = hook.event in wanted and hook.event not in covered
                if not is_needed or not _is_element(hook, wanted[hook.event]):
                    return hook.path
                covered.add(hook.event)
            return ()

        text = take_all(text, find_stale)
        value = read_json(text).value
        for key, number in self.hooks.fixed:
            if look_up(value, (key,)) is None:
                text = add(text, (key,), number)
        present = {hook.event for hook in own_hooks(value)}
        for event, element in wanted.items():
            if event not in present:
                text = add(text, (ROOT, event), element, is_item=True)
        return text

    def programs(self, text: str) -> tuple[str, ...]:
        found = own_hooks(read_json(text).value)
        return tuple(program_of(hook.command) for hook in found)

    def strip(self, text: str) -> str:
        def find(value: Any) -> Path:
            return next((hook.path for hook in plain_hooks(value)), ())

        return take_all(text, find)


def _is_element(found: OwnHook, wanted: Json) -> bool:
    """Return whether an own hook equals the wanted element, ignoring the path of the
    program.
    """
    handler: Json = wanted.get("hooks", [wanted])[0]
    matchers = (found.alone.get("matcher", ""), wanted.get("matcher", ""))
    if ("hooks" in found.alone) != ("hooks" in wanted):
        return False
    if "hooks" in wanted and matchers[0] != matchers[1]:
        return False
    fields = handler.keys() - {"command"}
    if any(found.handler.get(key) != handler[key] for key in fields):
        return False
    command = found.command
    if is_written_hook(command) and is_guarded(command) != is_guarded(
        handler["command"]
    ):
        return False
    return hook_words(command) == hook_words(handler["command"])


ROOT = "hooks"


class OwnHook(NamedTuple):
    """An own hook in a document."""

    path: Path
    """The path to the hook, or to its group if the group contains nothing else."""
    handler: Json
    """The handler object, which contains the command and its options."""
    alone: Json
    """The value of the element of the event, reduced to this one handler."""

    @property
    def event(self) -> str:
        return str(self.path[1])

    @property
    def indexes(self) -> tuple[int, int]:
        """The index of the element in the array of the event, and of the command in its
        group.
        """
        command = self.path[-1] if len(self.path) > 3 else 0
        return int(self.path[2]), int(command)

    @property
    def command(self) -> str:
        """The command line of the hook."""
        return str(self.handler["command"])


def plain_hooks(value: Any) -> list[OwnHook]:
    """Return the own hooks whose command runs nothing else."""
    return [hook for hook in own_hooks(value) if is_plain_hook(hook.command)]


def own_hooks(value: Any) -> list[OwnHook]:
    """Return the own hooks in the value of a file, in file order, under any event."""
    found: list[OwnHook] = []
    events = look_up(value, (ROOT,))
    for event, elements in events.items() if isinstance(events, dict) else ():
        for index, element in enumerate(as_list(elements)):
            if isinstance(element, dict):
                found += _in_element(element, (ROOT, event, index))
    return found


def _in_element(element: Json, path: Path) -> Iterator[OwnHook]:
    if is_own_hook(element.get("command")):
        yield OwnHook(path, element, element)
        return
    handlers = as_list(element.get("hooks"))
    for index, handler in enumerate(handlers):
        if isinstance(handler, dict) and is_own_hook(handler.get("command")):
            own = path if len(handlers) == 1 else (*path, "hooks", index)
            yield OwnHook(own, handler, {**element, "hooks": [handler]})
