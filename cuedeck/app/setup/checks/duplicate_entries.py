"""Whether a hook fires twice, or a block is read twice."""

from __future__ import annotations

import contextlib
import os
from collections import Counter
from collections.abc import Iterator
from typing import Any

from cuedeck.app.setup.checks.host_view import HostView
from cuedeck.app.setup.file_change import text_of
from cuedeck.app.setup.host_parts import Target, instructions_of
from cuedeck.hosts.hooks_json import ROOT, own_hooks
from cuedeck.hosts.json_tree import read_json
from cuedeck.hosts.managed_block import blocks_of
from cuedeck.hosts.own_commands import is_own_hook
from cuedeck.hosts.read_values import look_up
from cuedeck.model.errors import Invalid, StorageError
from cuedeck.model.file import Diagnostic, Level
from cuedeck.parse.text_offsets import line_number
from cuedeck.store.fs.host_files import read_quietly

_ONCE = "take the commands that begin with `cuedeck hook` out of it"


def check_doubles(view: HostView) -> Iterator[Diagnostic]:
    """Find own hooks that stand twice in one file, or in two files of which both count."""
    if view.hooks is None:
        return
    try:
        text = text_of(view.hooks, view.hooks.read())
        found = list(own_hooks(read_json(text)))
    except (Invalid, StorageError):  # told by the check of the file
        return
    seen: Counter[str] = Counter()
    for each in found:
        seen[each.event] += 1
        if seen[each.event] == 2:
            hint = f"`cuedeck setup {view.host.name}` leaves one"
            message = f"two hooks of CueDeck for {each.event}: it fires twice"
            yield Diagnostic(view.hooks.path, line_number(text, each.start), "error", "double-hook", message, hint)
    if found:
        yield from _elsewhere(view, view.hooks)
        yield from _borrowed(view)


def check_blocks(view: HostView) -> Iterator[Diagnostic]:
    """Find a block that is in two files which the host reads both, or twice in one."""
    found = []
    places = set()
    for name in instructions_of(view.host, view.workspace):
        place = os.path.realpath(view.workspace.absolute(name))
        text = "" if place in places else read_quietly(place)
        places.add(place)
        with contextlib.suppress(Invalid):
            found += [(name, line_number(text, block.start)) for block in blocks_of(text)]
    for name, line in found[1:]:
        message = "a second block of CueDeck, which is read as well"
        yield Diagnostic(name, line, "warning", "double-block", message, "take one of the two out by hand")


def _elsewhere(view: HostView, hooks: Target) -> Iterator[Diagnostic]:
    for said in view.say(view.host.hooks_too):
        if os.path.realpath(said.place) == hooks.place.absolute or not _has_own(look_up(said.value, (ROOT,))):
            continue
        message = f"{view.host.title} runs the hooks of this file as well as those of {hooks.path}: they fire twice"
        yield Diagnostic(said.path, 0, "error", "double-hook", message, _ONCE)


def _borrowed(view: HostView) -> Iterator[Diagnostic]:
    borrowed = view.host.borrowed
    if borrowed is None:
        return
    if borrowed.keys:
        setting = view.setting(borrowed.settings, borrowed.keys)
        if setting is None or setting[1] is not True:
            return
    for said in view.say(borrowed.files):
        if _has_own(look_up(said.value, (ROOT,))):
            sure = "runs" if borrowed.keys else "runs, unless told otherwise,"
            message = f"{view.host.title} {sure} the hooks of this file, too: they fire twice"
            level: Level = "warning" if borrowed.keys else "info"
            yield Diagnostic(said.path, 0, level, "double-hook", message, borrowed.hint)


def _has_own(value: Any) -> bool:
    """Tell whether an own hook is anywhere in what a file says of hooks."""
    if isinstance(value, dict):
        return is_own_hook(value.get("command")) or any(_has_own(each) for each in value.values())
    return isinstance(value, list) and any(_has_own(each) for each in value)
