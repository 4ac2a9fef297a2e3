"""Files of a host in the workspace, each with its managed parts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from cuedeck.hosts import all_hosts
from cuedeck.hosts.base import Host
from cuedeck.hosts.edit.hooks_json import HooksPart
from cuedeck.hosts.edit.managed_block import BlockPart, rule_part
from cuedeck.hosts.edit.managed_part import Part
from cuedeck.hosts.edit.mcp_json import ServerPart
from cuedeck.hosts.edit.mcp_toml import TomlServerPart
from cuedeck.hosts.edit.read_values import look_up, read_value
from cuedeck.hosts.edit.tool_permissions import AllowPart
from cuedeck.hosts.setup_types import Allow
from cuedeck.model.errors import CueDeckError, Invalid, UsageError
from cuedeck.parse.text_decoding import decode_exactly
from cuedeck.store.fs.host_files import (
    Place,
    place_of,
    places_like,
    read_plain,
    read_quietly,
)
from cuedeck.store.workspace_paths import WorkspacePaths

SHARED = "AGENTS.md"
_IMPORT = re.compile(r"^@(?:\./)?AGENTS\.md[ \t]*\r?$", re.MULTILINE)
_PLAIN_NAME = re.compile(r"[\w.-]+(?:/[\w.-]+)*")


class Target(NamedTuple):
    """A file of the workspace with its managed parts."""

    named: str
    """Path of the file in the host, before links are resolved."""
    place: Place
    parts: tuple[Part, ...]

    @property
    def path(self) -> str:
        return self.place.path

    @property
    def is_shared(self) -> bool:
        """Return whether other hosts may read the same file."""
        return any(isinstance(part, BlockPart) for part in self.parts)

    def read(self) -> bytes | None:
        """Return the bytes of the file; None if it does not exist. Raises:
        StorageError.
        """
        return read_plain(self.place)


class Refused(NamedTuple):
    """A file of a host that cannot be changed, with the reason."""

    path: str
    error: CueDeckError


def require_host(name: str) -> Host:
    """Return a host by its name. Raises: UsageError with the known names."""
    hosts = {host.name: host for host in all_hosts()}
    if name not in hosts:
        names = tuple(hosts)
        raise UsageError(
            f"unknown host `{name}`",
            hint="give one of these; `agents` works with any agent that reads AGENTS.md",
            candidates=names,
        )
    return hosts[name]


def targets_of(
    host: Host, paths: WorkspacePaths, *, allow_tools: bool = False
) -> tuple[Target, ...]:
    """Return the files of a host, hooks first; parts of the same file are in one
    target.

    The rules that allow tools are included with `allow_tools`, or if the file already
    has all of them. Raises: Invalid for a link that leaves the workspace.
    """
    found, refused = reachable_targets(host, paths, allow_tools=allow_tools)
    for each in refused:
        raise each.error
    return found


def reachable_targets(
    host: Host,
    paths: WorkspacePaths,
    *,
    every_block: bool = False,
    allow_tools: bool = False,
) -> tuple[tuple[Target, ...], tuple[Refused, ...]]:
    """Return the targets of a host, and its files whose links are broken or leave the
    workspace.

    With `every_block`, all instruction files that contain a block and all rules are
    included; without it, the one instruction file that should contain the block, and
    the rules only if they are complete.
    """
    found: dict[str, Target] = {}
    refused: list[Refused] = []
    for named, part in _named_parts(host, paths, every_block, allow_tools):
        try:
            place = place_of(paths, named)
        except Invalid as error:
            refused.append(Refused(named, error))
            continue
        target = found.setdefault(place.path, Target(named, place, ()))
        if part not in target.parts:
            found[place.path] = target._replace(parts=(*target.parts, part))
    return tuple(found.values()), tuple(refused)


def _named_parts(
    host: Host, paths: WorkspacePaths, every_block: bool, allow_tools: bool
) -> Iterator[tuple[str, Part]]:
    first, *others = instructions_of(host, paths)
    if host.hooks:
        yield host.hooks.path, HooksPart(host.hooks, host.name)
    server = host.setup.server
    if server:
        is_toml = server.path.endswith(".toml")
        yield server.path, TomlServerPart(server) if is_toml else ServerPart(server)
    allow = host.setup.allow
    if allow and (allow_tools or _has_rules(allow, paths, every_block)):
        yield allow.path, AllowPart(allow)
    yield first, BlockPart()
    for name in others:
        if every_block and _has_block(paths, name):
            yield name, BlockPart()
    rule = host.setup.rule
    if rule:
        yield rule.path, rule_part(rule.head)


def next_step(host: Host, paths: WorkspacePaths) -> str:
    """Return the next step for the user."""
    return host.setup.next_step.format(folder=paths.root)


def instructions_of(host: Host, paths: WorkspacePaths) -> tuple[str, ...]:
    """Return the instruction files of a host; the first is the file for the block.

    It is the file that contains a block, else the file that others import, else the
    file that the host names.
    """
    names = _named(host, paths)
    if host.setup.imports:
        texts = [read_quietly(paths.absolute(name)) for name in names]
        if SHARED not in names and any(_IMPORT.search(text) for text in texts):
            names = (SHARED, *names)
    return tuple(sorted(names, key=lambda name: not _has_block(paths, name)))


def is_connected(host: Host, paths: WorkspacePaths) -> bool:
    """Return whether a host has hooks or a server of CueDeck in this workspace."""
    try:
        for target in targets_of(host, paths):
            parts = [part for part in target.parts if not isinstance(part, BlockPart)]
            if any(_has_own(target, part) for part in parts):
                return True
    except CueDeckError:
        return False
    return False


def _has_own(target: Target, part: Part) -> bool:
    text = decode_exactly(target.read() or b"")
    if not text:
        return False
    if not part.holds(text):
        return False
    return part.strip(text, None) != text


def _has_rules(allow: Allow, paths: WorkspacePaths, any_rule: bool) -> bool:
    """Return whether the file has all rules; with `any_rule`, whether it has one of
    them.
    """
    text = read_quietly(paths.absolute(allow.path))
    part = AllowPart(allow)
    try:
        if any_rule:
            return part.holds(text)
        return part.is_right(text)
    except Invalid:  # the other parts of the file report it
        return False


def _has_block(paths: WorkspacePaths, name: str) -> bool:
    try:
        return BlockPart().holds(read_quietly(paths.absolute(name)))
    except Invalid:
        return True


def _named(host: Host, paths: WorkspacePaths) -> tuple[str, ...]:
    """Return the instruction files that the settings of the host name, else the default
    one.
    """
    default = host.setup.instructions
    for pattern, keys in host.setup.instructions_named:
        for _, place in places_like(paths, pattern):
            found: Any = look_up(read_value(place, read_quietly(place)), keys)
            names = found if isinstance(found, list) else [found]
            texts = [name for name in names if isinstance(name, str)]
            plain = tuple(name for name in texts if _PLAIN_NAME.fullmatch(name))
            if default in plain:
                return (default,)
            if plain:
                return plain
    return (default,)
