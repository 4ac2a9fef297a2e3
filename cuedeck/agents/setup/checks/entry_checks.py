"""Checks that own entries exist once and are current in the files of a host."""

from __future__ import annotations

import contextlib
import os
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, Literal

from cuedeck.agents.edits.hooks_json import ROOT
from cuedeck.agents.edits.managed_block import BlockPart, blocks_of
from cuedeck.agents.edits.managed_part import Part
from cuedeck.agents.edits.own_commands import hook_words, is_own_hook
from cuedeck.agents.edits.read_values import look_up
from cuedeck.agents.setup.checks.host_view import HostView
from cuedeck.agents.setup.file_change import text_of
from cuedeck.agents.setup.host_targets import Target, instructions_of
from cuedeck.model.diagnostic import Diagnostic
from cuedeck.model.errors import CueDeckError, Invalid, StorageError
from cuedeck.store.files.host_files import check_folders, read_quietly
from cuedeck.text.text_offsets import line_number

Health = Literal["right", "stale", "missing", "broken"]
_ORDER: tuple[Health, ...] = ("broken", "missing", "stale", "right")


def check_files(view: HostView) -> Iterator[Diagnostic]:
    """Yield own entries that are missing, outdated or edited, and files that cannot be
    parsed.
    """
    for target in view.targets:
        found = (examine_part(view, target, part)[1] for part in target.parts)
        # One finding for a missing file.
        yield from dict.fromkeys(each for each in found if each)


def state_of(view: HostView, target: Target) -> Health:
    """Return the worst health of the parts of a file."""
    found = {examine_part(view, target, part)[0] for part in target.parts}
    return next(health for health in _ORDER if health in found)


def examine_part(
    view: HostView, target: Target, part: Part
) -> tuple[Health, Diagnostic | None]:
    """Return the health of one part with its finding; `broken` includes files that
    set-up would refuse to change.
    """
    again = f"`{view.command}` repairs it"
    path = target.path
    try:
        data = target.read()
        text = text_of(target, data)
        if data is None or not part.holds(text):
            check_folders(target.place)
            part.put(text)
            message = f"{part.name} is missing"
            return "missing", Diagnostic(
                path, 0, "error", "missing-entry", message, again
            )
        if part.is_right(text):
            return "right", None
        part.renew(text)
    except (Invalid, StorageError) as error:
        return "broken", broken_file(path, error)
    line, code = 0, "stale-entry"
    message = f"{part.name} differs from the expected text"
    if isinstance(part, BlockPart):
        line, code = line_number(text, blocks_of(text)[0].start), "stale-block"
    return "stale", Diagnostic(path, line, "error", code, message, again)


def broken_file(path: str, error: CueDeckError) -> Diagnostic:
    """Return the finding for a file that cannot be parsed or changed."""
    return Diagnostic(
        path, error.line, "error", "broken-file", error.problem, error.hint
    )


_REMOVE = "remove the commands that begin with `cuedeck hook` from it"


def check_doubles(view: HostView) -> Iterator[Diagnostic]:
    """Yield own hooks that are twice in one file, or in two files that the host
    reads.
    """
    if view.hooks is None:
        return
    found = view.own_hooks()
    seen: Counter[str] = Counter()
    for each in found:
        seen[each.event] += 1
        if seen[each.event] == 2:
            hint = f"`{view.command}` keeps one of them"
            message = f"two hooks of CueDeck for {each.event}: the event fires twice"
            yield Diagnostic(
                view.hooks.path,
                line_number(read_quietly(view.hooks.place.absolute), each.start),
                "error",
                "double-hook",
                message,
                hint,
            )
    if found:
        commands = [str(each.handler.get("command")) for each in found]
        yield from _elsewhere(view, view.hooks, _name_form(commands))
        yield from _borrowed(view, view.hooks)


def check_blocks(view: HostView) -> Iterator[Diagnostic]:
    """Yield each second block in the files that the host reads."""
    found = []
    places = set()
    for name in instructions_of(view.host, view.workspace):
        place = os.path.realpath(view.workspace.absolute(name))
        text = ""
        if place not in places:
            text = read_quietly(place)
        places.add(place)
        with contextlib.suppress(Invalid):
            found += [
                (name, line_number(text, block.start)) for block in blocks_of(text)
            ]
    for name, line in found[1:]:
        message = "this file has a second block of CueDeck, which the host also reads"
        yield Diagnostic(
            name,
            line,
            "warning",
            "double-block",
            message,
            "remove one of the two by hand",
        )


def _name_form(commands: Iterable[str]) -> bool:
    return all("--from" in hook_words(command) for command in commands)


def _elsewhere(view: HostView, hooks: Target, is_named: bool) -> Iterator[Diagnostic]:
    """Yield other files whose hooks the host runs; `is_named` says whether the hooks of
    the examined file name their form.

    A hook that names its form does nothing if one of a form before it runs: see
    `shells.hook.fast_path`.
    """
    host_hooks = view.host.hooks
    for file in view.settings_files(view.host.setup.hooks_too):
        if os.path.realpath(file.place) == hooks.place.absolute:
            continue
        commands = list(_own_commands(look_up(file.value, (ROOT,))))
        if not commands:
            continue
        is_first = is_named and host_hooks is not None and file.path == host_hooks.path
        message = f"{view.host.title} runs the hooks of this file as well as those of {hooks.path}"
        if is_first or _name_form(commands):
            message += "; each event is handled once, by one of the two"
            yield Diagnostic(file.path, 0, "info", "double-hook", message, "")
        else:
            message += ": they fire twice"
            yield Diagnostic(file.path, 0, "error", "double-hook", message, _REMOVE)


def _borrowed(view: HostView, hooks: Target) -> Iterator[Diagnostic]:
    """Yield files of another host whose hooks the host also runs. They do nothing for
    an event that its own hooks handle.
    """
    borrowed = view.host.setup.borrowed
    if borrowed is None:
        return
    if borrowed.keys:
        setting = view.setting(borrowed.settings, borrowed.keys)
        if setting is None or setting[1] is not True:
            return
    for file in view.settings_files(borrowed.files):
        if not any(_own_commands(look_up(file.value, (ROOT,)))):
            continue
        message = f"{view.host.title} runs the hooks of this file, too; each event is handled once, by {hooks.path}"
        yield Diagnostic(file.path, 0, "info", "double-hook", message, "")


def _own_commands(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        command = value.get("command")
        if is_own_hook(command):
            yield str(command)
        value = list(value.values())
    if isinstance(value, list):
        for each in value:
            yield from _own_commands(each)
