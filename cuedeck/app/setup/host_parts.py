"""The files of a host in this workspace, and what of CueDeck belongs into each."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from cuedeck.hosts.hooks_json import HooksPart
from cuedeck.hosts.managed_block import RULE, BlockPart
from cuedeck.hosts.managed_part import Part
from cuedeck.hosts.mcp_json import ServerPart
from cuedeck.hosts.mcp_toml import TomlServerPart
from cuedeck.hosts.read_values import look_up, read_value
from cuedeck.hosts.tool_permissions import AllowPart
from cuedeck.model.errors import CueDeckError, Invalid, UsageError
from cuedeck.model.host import Allow, Host
from cuedeck.model.host_table import HOSTS
from cuedeck.parse.text_decoding import decode_exactly
from cuedeck.store.fs.host_files import Place, place_of, places_like, read_plain, read_quietly
from cuedeck.store.workspace_paths import WorkspacePaths

SHARED = "AGENTS.md"
_IMPORT = re.compile(r"^@(?:\./)?AGENTS\.md[ \t]*\r?$", re.MULTILINE)
_PLAIN_NAME = re.compile(r"[\w.-]+(?:/[\w.-]+)*")


class Target(NamedTuple):
    """A file of the workspace and the own parts that belong into it."""

    named: str
    """Its path as the host knows it."""
    place: Place
    parts: tuple[Part, ...]

    @property
    def path(self) -> str:
        return self.place.path

    @property
    def is_shared(self) -> bool:
        """Tell whether other hosts may read the same file."""
        return any(isinstance(part, BlockPart) for part in self.parts)

    def read(self) -> bytes | None:
        """Return the bytes of the file; None when it is not there. Raises: StorageError."""
        return read_plain(self.place)


class Refused(NamedTuple):
    """A file of a host that is left alone, and why."""

    path: str
    error: CueDeckError


def find_host(name: str) -> Host:
    """Return a host by its name. Raises: UsageError with the names there are."""
    found = next((host for host in HOSTS if host.name == name), None)
    if found is None:
        names = tuple(host.name for host in HOSTS)
        raise UsageError(f"there is no host `{name}`", hint=f"give one of {', '.join(names)}", candidates=names)
    return found


def targets_of(host: Host, workspace: WorkspacePaths, *, allow_tools: bool = False) -> tuple[Target, ...]:
    """Return the files of a host, hooks first; parts of one file stand together.

    The rules that allow tools are among the parts with `allow_tools`, and where the file has all of them.
    Raises: Invalid for a link that leaves the workspace.
    """
    found, refused = reachable_targets(host, workspace, allow_tools=allow_tools)
    for each in refused:
        raise each.error
    return found


def reachable_targets(
    host: Host, workspace: WorkspacePaths, *, every_block: bool = False, allow_tools: bool = False
) -> tuple[tuple[Target, ...], tuple[Refused, ...]]:
    """Return what `targets_of` does, and apart from it the files whose links lead nowhere or out of the workspace.

    With `every_block`, all files of instructions that hold a block, else the one that should; and single rules that
    allow a tool.
    """
    found: list[Target] = []
    refused: list[Refused] = []
    for named, part in _named_parts(host, workspace, every_block, allow_tools):
        try:
            place = place_of(workspace, named)
        except Invalid as error:
            refused.append(Refused(named, error))
            continue
        same = next((at for at, each in enumerate(found) if each.path == place.path), None)
        if same is None:
            found.append(Target(named, place, (part,)))
        else:
            parts = found[same].parts
            found[same] = found[same]._replace(parts=parts if part in parts else (*parts, part))
    return tuple(found), tuple(refused)


def _named_parts(
    host: Host, workspace: WorkspacePaths, every_block: bool, allow_tools: bool
) -> Iterator[tuple[str, Part]]:
    first, *others = instructions_of(host, workspace)
    if host.hooks:
        yield host.hooks.path, HooksPart(host.hooks, host.name)
    if host.server:
        yield host.server.path, (TomlServerPart if host.server.path.endswith(".toml") else ServerPart)(host.server)
    if host.allow and (allow_tools or _has_rules(host.allow, workspace, every_block)):
        yield host.allow.path, AllowPart(host.allow)
    for name in (first, *(name for name in others if every_block and _has_block(workspace, name))):
        yield name, BlockPart()
    if host.rule:
        yield host.rule, RULE


def next_step(host: Host, workspace: WorkspacePaths) -> str:
    """Return what a person does next so that the host works in the workspace."""
    return host.next_step.format(folder=workspace.root)


def instructions_of(host: Host, workspace: WorkspacePaths) -> tuple[str, ...]:
    """Return the files whose text a host reads at the start, that for the block first.

    The first is the one that has the block; else the one that the others import; else the one the host names.
    """
    names = _named(host, workspace)
    if host.imports:
        texts = [read_quietly(workspace.absolute(name)) for name in names]
        if SHARED not in names and any(_IMPORT.search(text) for text in texts):
            names = (SHARED, *names)
    return tuple(sorted(names, key=lambda name: not _has_block(workspace, name)))


def is_connected(host: Host, workspace: WorkspacePaths) -> bool:
    """Tell whether a host has hooks or a server of CueDeck in this workspace."""
    try:
        targets = targets_of(host, workspace)
        return any(_has_own(target, part) for target in targets for part in target.parts if not _is_block(part))
    except CueDeckError:
        return False


def _has_own(target: Target, part: Part) -> bool:
    text = decode_exactly(target.read() or b"")
    return bool(text) and part.holds(text) and part.strip(text, None) != text


def _has_rules(allow: Allow, workspace: WorkspacePaths, any_rule: bool) -> bool:
    """Return whether set-up has written the rules: all are there; for a removal one of them is enough."""
    text, part = read_quietly(workspace.absolute(allow.path)), AllowPart(allow)
    try:
        return part.holds(text) if any_rule else part.is_right(text)
    except Invalid:  # told of the other parts of the file
        return False


def _is_block(part: Part) -> bool:
    return isinstance(part, BlockPart)


def _has_block(workspace: WorkspacePaths, name: str) -> bool:
    try:
        return BlockPart().holds(read_quietly(workspace.absolute(name)))
    except Invalid:
        return True


def _named(host: Host, workspace: WorkspacePaths) -> tuple[str, ...]:
    """Return the files that the host's settings name, else the one it reads by default."""
    for pattern, keys in host.instructions_named:
        for _, place in places_like(workspace, pattern):
            found: Any = look_up(read_value(place, read_quietly(place)), keys)
            names = [found] if isinstance(found, str) else found if isinstance(found, list) else []
            plain = tuple(each for each in names if isinstance(each, str) and _PLAIN_NAME.fullmatch(each))
            if plain:
                return (host.instructions,) if host.instructions in plain else plain
    return (host.instructions,)
