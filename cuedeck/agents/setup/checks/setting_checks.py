"""Checks of host settings that prevent CueDeck from working or select another
workspace, of the size and the reach of the instructions, and of the programs that
entries start.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from cuedeck.agents.edits.json_tree import line_of, look_up
from cuedeck.agents.edits.managed_block import blocks_of
from cuedeck.agents.edits.mcp_server import AllowPart
from cuedeck.agents.edits.own_commands import (
    folder_of,
    server_words,
    started_program,
)
from cuedeck.agents.hosts.base import PROGRAM, SERVER
from cuedeck.agents.hosts.setup_types import Limit, Switch, Trust
from cuedeck.agents.setup.checks.entry_checks import HostView, SettingsFile
from cuedeck.model.diagnostic import Diagnostic
from cuedeck.model.errors import Invalid
from cuedeck.store.files.host_files import (
    find_program,
    folder_of_installed_program,
    is_same_folder,
    read_quietly,
)

_OWN_NAME = re.compile(r"cuedeck(?:[-\s]|$)")


def check_switches(view: HostView) -> Iterator[Diagnostic]:
    """Yield settings that switch off hooks, the server or the instructions."""
    for switch in view.host.setup.switches:
        for file, keys in _disabling_files(view, switch):
            line = line_of(file.place, read_quietly(file.place), keys)
            hint = f"change `{'.'.join(keys)}` there"
            yield Diagnostic(
                file.path, line, "error", "switched-off", switch.message, hint
            )


def check_workspace(view: HostView) -> Iterator[Diagnostic]:
    """Yield server entries that start another program or work in another workspace."""
    server = view.host.setup.server
    if server is None:
        return
    own = (
        (server.table, SERVER),
        ("projects", view.workspace.root, server.table, SERVER),
    )
    for file in view.settings_files((server.path, *view.host.setup.servers_too)):
        for keys in own:
            entry = look_up(file.value, keys)
            folder = folder_of(entry)
            program = started_program(entry)
            if program and server_words(entry) is None:
                code = "other-program"
                message = f"the server `{SERVER}` starts another program: {program}"
            elif folder and not is_same_folder(view.workspace, folder):
                code = "other-workspace"
                message = f"the server `{SERVER}` works in another workspace: {folder}"
            else:
                continue
            line = line_of(file.place, read_quietly(file.place), keys)
            hint = "correct or remove the entry"
            yield Diagnostic(file.path, line, "error", code, message, hint)


def check_trust(view: HostView) -> Iterator[Diagnostic]:
    """Yield a finding if the host stores trusted folders and this one is missing."""
    trust = view.host.setup.trust
    if trust is None or view.form == "user":
        return
    key, trusted = trust.level
    for file in _trust_files(view, trust):
        folders = look_up(file.value, trust.folders)
        levels = [
            look_up(folders, (folder, key)) for folder in _above(view.workspace.root)
        ]
        if trusted not in levels:
            message = (
                f"{view.host.title} does not trust this folder yet, so it runs no hooks"
            )
            yield Diagnostic(
                file.path,
                0,
                "info",
                "not-trusted",
                message,
                view.host.setup.next_step.format(folder=view.workspace.root),
            )


def check_hook_trust(view: HostView) -> Iterator[Diagnostic]:
    """Yield a finding if the host stores trusted hooks and own hooks are missing.

    Such a host stores a hash for each trusted hook; a hook without an entry does not
    run.
    """
    trust = view.host.setup.trust
    if trust is None or view.hooks is None:
        return
    found = view.own_hooks()
    names = (view.hooks.place.absolute, view.workspace.absolute(view.hooks.named))
    for file in _trust_files(view, trust):
        trusted = look_up(file.value, trust.hooks)
        if not isinstance(trusted, dict):
            trusted = {}
        waiting = []
        for hook in found:
            hook_id = trust.hook_id(hook.event, hook.group_index, hook.command_index)
            if not any(f"{name}:{hook_id}" in trusted for name in names):
                waiting.append(hook.event)
        if waiting:
            message = f"{view.host.title} does not trust these hooks yet and runs none of them: {', '.join(waiting)}"
            yield Diagnostic(
                file.path, 0, "warning", "hooks-not-trusted", message, trust.hint
            )


def _trust_files(view: HostView, trust: Trust) -> Sequence[SettingsFile]:
    """Return the file in which a host stores trusted folders and hooks; an absent file
    counts as empty.
    """
    files = list(view.settings_files((trust.path,)))
    return files or [SettingsFile(trust.path, "", {})]


def check_allowed(view: HostView) -> Iterator[Diagnostic]:
    """Yield the number of read-only tools that the host runs without asking."""
    allow = view.host.setup.allow
    if allow is None:
        return
    try:
        allowed = AllowPart(allow).rules_of(
            read_quietly(view.workspace.absolute(allow.path))
        )
    except Invalid:
        return
    if not allowed:
        return
    message = (
        f"read-only tools allowed without asking: {len(allowed)} of {len(allow.rules)}"
    )
    missing = [rule for rule in allow.rules if rule not in allowed]
    hint = (
        f"not allowed: {', '.join(missing)}"
        if missing
        else "`--remove` removes the rules"
    )
    yield Diagnostic(allow.path, 0, "info", "tools-allowed", message, hint)


def _disabling_files(
    view: HostView, switch: Switch
) -> Iterator[tuple[SettingsFile, Sequence[str]]]:
    """Yield the files and keys in which a switch disables CueDeck; for `is`, the file
    of highest precedence decides.
    """
    if switch.test == "is":
        found = view.setting(switch.files, switch.keys)
        if found and found[1] is switch.value:
            yield found[0], switch.keys
        return
    for file in view.settings_files(switch.files):
        names = look_up(file.value, switch.keys)
        if isinstance(names, list) and _matches(switch, names):
            yield file, switch.keys


def _matches(switch: Switch, names: list[Any]) -> bool:
    own = any(isinstance(name, str) and _OWN_NAME.match(name) for name in names)
    if switch.test == "lists":
        return own
    return bool(names) and not own


def _above(folder: str) -> list[str]:
    found = [folder]
    while os.path.dirname(found[-1]) != found[-1]:
        found.append(os.path.dirname(found[-1]))
    return found


def check_limits(view: HostView) -> Iterator[Diagnostic]:
    """Yield instruction files that are longer than the limit of the host."""
    limit = view.host.setup.limit
    if limit is None:
        return
    size = _size_of(limit, view)
    hint = "move rarely needed text into other files"
    if limit.key:
        hint += f", or raise `{limit.key}`"
    for target in view.targets:
        if not target.is_shared:
            continue
        text = read_quietly(target.place.absolute)
        length = len(text) if limit.unit == "characters" else len(text.encode())
        if length <= size:
            continue
        message = f"{length:,} {limit.unit} of at most {size:,}: {limit.outcome}"
        if limit.unit == "bytes" and _is_cut(text, size):
            message += ", including the block of CueDeck"
        yield Diagnostic(target.path, 0, "error", "too-long", message, hint)


def _size_of(limit: Limit, view: HostView) -> int:
    """Return the maximum size of instructions, by the settings of the host if they have
    a valid one.
    """
    if not limit.files:
        return limit.size
    setting = view.setting(limit.files, (limit.key,))
    if setting is None:
        return limit.size
    _, size = setting
    if isinstance(size, bool) or not isinstance(size, int):
        return limit.size
    return size


def check_read_instead(view: HostView) -> Iterator[Diagnostic]:
    """Yield a file that the host reads instead of the instructions."""
    name = view.host.setup.read_instead
    if name and read_quietly(view.workspace.absolute(name)).strip():
        instructions = view.host.setup.instructions
        message = f"{view.host.title} reads this file instead of {instructions}"
        yield Diagnostic(
            name,
            0,
            "error",
            "read-instead",
            message,
            f"move its text into {instructions}",
        )


def _is_cut(text: str, size: int) -> bool:
    try:
        blocks = tuple(blocks_of(text))
    except Invalid:
        return False
    for block in blocks:
        head = text[: block.end]
        if len(head.encode()) > size:
            return True
    return False


def check_program(started: Iterable[str]) -> Iterator[Diagnostic]:
    """Yield missing programs that own entries start; without entries, check the program
    that they would start.
    """
    for name in sorted(set(started) or {PROGRAM}):
        if name == PROGRAM:
            yield from _check_own()
        elif not set("$%") & set(name) and not find_program(name):
            # The host expands variables.
            message = (
                f"the program `{name}` is missing, so its hooks or server cannot start"
            )
            hint = f"install it, or remove the entry and run set-up again, which writes `{PROGRAM}`"
            yield Diagnostic(".", 0, "error", "missing-program", message, hint)


def _check_own() -> Iterator[Diagnostic]:
    if find_program(PROGRAM):
        return
    folder = folder_of_installed_program(PROGRAM)
    hint = "run `pipx install .` in a checkout of CueDeck, and `pipx ensurepath`"
    if folder:
        hint = f"put {folder} on PATH, or {hint}"
    message = (
        f"`{PROGRAM}` is not found on PATH, so neither hooks nor the server can start"
    )
    yield Diagnostic(".", 0, "error", "missing-program", message, hint)
