"""Whether the host's own settings keep CueDeck from working, or lead it elsewhere."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator, Sequence
from typing import Any

from cuedeck.app.setup.checks.host_view import HostView, Said
from cuedeck.app.setup.file_change import text_of
from cuedeck.app.setup.host_parts import next_step
from cuedeck.hosts.hooks_json import own_hooks
from cuedeck.hosts.json_tree import read_json
from cuedeck.hosts.own_commands import folder_of
from cuedeck.hosts.read_values import line_of, look_up
from cuedeck.hosts.tool_permissions import AllowPart
from cuedeck.model.errors import Invalid, StorageError
from cuedeck.model.file import Diagnostic
from cuedeck.model.host import SERVER, Switch
from cuedeck.store.fs.host_files import is_same_folder, read_quietly

_OWN_NAME = re.compile(r"cuedeck(?:[-\s]|$)")


def check_switches(view: HostView) -> Iterator[Diagnostic]:
    """Find settings that switch hooks, the server or the instructions off."""
    for switch in view.host.switches:
        for said, keys in _against(view, switch):
            line = line_of(said.place, read_quietly(said.place), keys)
            hint = f"change `{'.'.join(keys)}` there"
            yield Diagnostic(said.path, line, "error", "switched-off", switch.message, hint)


def check_workspace(view: HostView) -> Iterator[Diagnostic]:
    """Find an entry of the server that works in another workspace."""
    if view.host.server is None:
        return
    table = view.host.server.table
    own = ((table, SERVER), ("projects", view.workspace.root, table, SERVER))
    for said in view.say((view.host.server.path, *view.host.servers_too)):
        for keys in own:
            folder = folder_of(look_up(said.value, keys))
            if folder and not is_same_folder(view.workspace, folder):
                line = line_of(said.place, read_quietly(said.place), keys)
                message = f"the server `{SERVER}` works in another workspace: {folder}"
                hint = f"`cuedeck setup {view.host.name}` puts the entry of this workspace right"
                hint = "remove the entry" if said.path.startswith("~") else hint
                yield Diagnostic(said.path, line, "error", "other-workspace", message, hint)


def check_trust(view: HostView) -> Iterator[Diagnostic]:
    """Find a project that the host was not told to trust yet, where it keeps that in a file."""
    for said in _trust_files(view):
        projects = look_up(said.value, ("projects",))
        if not any(look_up(projects, (folder, "trust_level")) == "trusted" for folder in _above(view.workspace.root)):
            message = f"{view.host.title} does not trust this folder yet, and runs no hook before it does"
            yield Diagnostic(said.path, 0, "info", "not-trusted", message, next_step(view.host, view.workspace))


def check_hook_trust(view: HostView) -> Iterator[Diagnostic]:
    """Find own hooks that a person has not trusted yet, where the host keeps that in a file.

    Codex keeps a hash for each hook under a key of file, event, group and command; a hook without a key does not run.
    """
    if not view.host.trust or view.hooks is None:
        return
    try:
        found = list(own_hooks(read_json(text_of(view.hooks, view.hooks.read()))))
    except (Invalid, StorageError):  # told by the check of the file
        return
    for said in _trust_files(view):
        trusted = look_up(said.value, ("hooks", "state"))
        trusted = trusted if isinstance(trusted, dict) else {}
        names = (view.hooks.place.absolute, view.workspace.absolute(view.hooks.named))
        waiting = [each.event for each in found if not any(f"{name}:{each.key}" in trusted for name in names)]
        if waiting:
            message = f"{view.host.title} does not trust these hooks yet and runs none of them: {', '.join(waiting)}"
            hint = "start codex, choose `Trust all` at `Hooks need review`"
            yield Diagnostic(said.path, 0, "warning", "hooks-not-trusted", message, hint)


def _trust_files(view: HostView) -> Sequence[Said]:
    """Return the file in which a host keeps what a person trusts; one that is absent counts as empty."""
    path = view.host.trust
    if not path:
        return ()
    return [*view.say((path,))] or [Said(path, "", {})]


def check_allowed(view: HostView) -> Iterator[Diagnostic]:
    """Report how many of the tools that change nothing the host runs without asking."""
    allow = view.host.allow
    if allow is None:
        return
    allowed: list[str] = []
    with contextlib.suppress(Invalid):
        allowed = AllowPart(allow).rules_of(read_quietly(view.workspace.absolute(allow.path)))
    if allowed:
        message = f"read-only tools no longer ask: {len(allowed)} of {len(allow.rules)}"
        missing = [rule for rule in allow.rules if rule not in allowed]
        hint = f"not allowed: {', '.join(missing)}" if missing else "`--remove` takes the rules out"
        yield Diagnostic(allow.path, 0, "info", "tools-allowed", message, hint)


def _against(view: HostView, switch: Switch) -> Iterator[tuple[Said, Sequence[str]]]:
    """Yield the files in which a switch stands against CueDeck; for a plain one the file that wins decides."""
    if switch.test == "is":
        found = view.setting(switch.files, switch.keys)
        if found and found[1] is switch.value:
            yield found[0], switch.keys
        return
    for said in view.say(switch.files):
        names = look_up(said.value, switch.keys)
        if isinstance(names, list) and _speaks(switch, names):
            yield said, switch.keys


def _speaks(switch: Switch, names: list[Any]) -> bool:
    own = any(isinstance(each, str) and _OWN_NAME.match(each) for each in names)
    return own if switch.test == "lists" else bool(names) and not own


def _above(folder: str) -> list[str]:
    """Return a folder and all above it."""
    found = [folder]
    while os.path.dirname(found[-1]) != found[-1]:
        found.append(os.path.dirname(found[-1]))
    return found
