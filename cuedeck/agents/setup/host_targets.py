"""Files of a host in the workspace, each with its managed parts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from cuedeck.agents.edits.hooks_json import HooksPart
from cuedeck.agents.edits.json_document import look_up, read_value
from cuedeck.agents.edits.managed_block import BlockPart, rule_part
from cuedeck.agents.edits.managed_part import Part, PluginPart, is_local_plugin
from cuedeck.agents.edits.mcp_server import (
    AllowPart,
    ServerPart,
    TomlServerPart,
)
from cuedeck.agents.edits.own_commands import is_guarded_text
from cuedeck.agents.hosts import all_hosts
from cuedeck.agents.hosts.base import Host
from cuedeck.agents.hosts.setup_types import PROJECT, Form, FormFiles, Server
from cuedeck.model.errors import CueDeckError, Invalid, UsageError
from cuedeck.parse.text_decoding import decode_exactly
from cuedeck.store.files.home_place import HOME
from cuedeck.store.files.host_files import (
    Place,
    place_of,
    places_like,
    read_plain,
    read_quietly,
)
from cuedeck.store.git.exposure import git_hides, git_tracks, in_git
from cuedeck.store.git.head import main_worktree
from cuedeck.store.workspace_paths import WorkspacePaths

FORMS: tuple[Form, ...] = ("project", "local", "user")


def files_of(host: Host, paths: WorkspacePaths, form: Form) -> FormFiles:
    """Return the files of hooks and server for one form. Raises: UsageError if the host
    has none.
    """
    hooks = host.hooks.path if host.hooks else ""
    if form == "project":
        return FormFiles(hooks)
    own = host.setup.local if form == "local" else host.setup.user
    if own is None and form == "local":
        own = FormFiles(hooks, host.setup.server)
    if own is None or not any(own):
        raise UsageError(
            f"{host.title} has no settings of its own for --{form}",
            hint=f"`cuedeck setup {host.name}` writes {host.setup.instructions}, which belongs to the repository",
        )
    if own.server and PROJECT in own.server.above:
        project = main_worktree(paths.root)
        above = [project if key == PROJECT else key for key in own.server.above]
        own = own._replace(server=own.server._replace(above=tuple(above)))
    return own


def shares_files(host: Host) -> bool:
    """Return whether the files for one checkout are those of the repository, so that
    git must ignore them.
    """
    return host.setup.local is None


def is_local_file(host: Host, paths: WorkspacePaths, path: str) -> bool:
    """Return whether a file in the workspace belongs to one checkout."""
    if host.setup.local is not None:
        server = host.setup.local.server
        return path == host.setup.local.hooks or path == (server and server.path)
    if in_git(paths.root):
        return git_hides(paths.root, path) and not git_tracks(paths.root, path)
    if host.hooks is None:
        return path != host.setup.instructions
    text = read_quietly(paths.absolute(host.hooks.path))
    if host.setup.plugin:
        return is_local_plugin(text)
    return bool(text) and not is_guarded_text(text)


def hooks_part(host: Host, form: Form) -> HooksPart | PluginPart:
    assert host.hooks is not None
    if host.setup.plugin:
        return PluginPart(host.setup.plugin, host.name, form)
    is_own_file = form == "user" or (form == "local" and not shares_files(host))
    form_name = form if is_own_file else ""
    return HooksPart(host.hooks, host.shares or host.name, form, form_name)


def server_part(server: Server) -> ServerPart:
    is_toml = server.path.endswith(".toml")
    return TomlServerPart(server) if is_toml else ServerPart(server)


def passes(paths: WorkspacePaths, path: str, test: Callable[[str], bool]) -> bool:
    """Return the result of a test of a file; False if it cannot be parsed, which other
    checks report.
    """
    try:
        return test(read_quietly(place_of(paths, path).absolute))
    except Invalid:
        return False


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
    def is_of_user(self) -> bool:
        """Return whether the file is in the home folder, where several forms and
        workspaces may have entries.
        """
        return self.path.startswith(HOME)

    def holds_any(self, text: str) -> bool:
        """Return whether the file contains own entries, of any version."""
        return any(part.holds(text) for part in self.parts)

    def put(self, text: str) -> str:
        """Add the missing own entries, and bring the others up to date."""
        for part in self.parts:
            text = part.put(text)
        return text

    def strip(self, text: str) -> str:
        """Remove the own entries."""
        for part in self.parts:
            text = part.strip(text)
        return text

    def read(self) -> bytes | None:
        """Return the bytes of the file; None if it does not exist. Raises:
        StorageError.
        """
        return read_plain(self.place)

    def text_of(self, data: bytes | None) -> str:
        """Return the text of the file; empty if it does not exist. Raises: Invalid with
        the path.
        """
        try:
            return decode_exactly(data or b"")
        except Invalid as error:
            raise error.in_file(self.path) from error

    def read_text(self) -> str:
        """Return the current text of the file. Raises: Invalid, StorageError."""
        return self.text_of(self.read())


def is_shared_part(part: Part) -> bool:
    """Return whether other hosts may read the same entries."""
    if isinstance(part, HooksPart):
        return part.hooks.is_shared
    return isinstance(part, BlockPart)


class Refused(NamedTuple):
    """A file of a host that cannot be changed, with the reason."""

    path: str
    error: CueDeckError


def require_host(name: str) -> Host:
    """Return a host by its name. Raises: UsageError with the known names."""
    hosts = {host.name: host for host in all_hosts()}
    if name not in hosts:
        hint = "give one of these; `agents` works with any agent that reads AGENTS.md"
        raise UsageError(f"unknown host `{name}`", hint=hint, candidates=tuple(hosts))
    return hosts[name]


def targets_of(
    host: Host,
    paths: WorkspacePaths,
    form: Form = "project",
    *,
    allow_tools: bool = False,
) -> tuple[Target, ...]:
    """Return the files of a host for one form, hooks first; parts of the same file are
    in one target.

    The rules that allow tools are included with `allow_tools`, or if the file already
    has all of them. Raises: Invalid for a link that leaves the workspace.
    """
    parts = _parts(host, paths, form, is_written=False, allow_tools=allow_tools)
    found, refused = _reachable(paths, parts)
    for each in refused:
        raise each.error
    return found


def written_targets(
    host: Host, paths: WorkspacePaths, forms: Sequence[Form]
) -> tuple[tuple[Target, ...], tuple[Refused, ...]]:
    """Return all files in which some forms may have entries, by this or an earlier
    version, and those whose links are broken or leave the workspace.
    """
    parts: list[tuple[str, Part]] = []
    for form in forms:
        parts += _parts(host, paths, form, is_written=True)
    return _reachable(paths, parts)


def wanted_paths(host: Host, paths: WorkspacePaths, form: Form) -> frozenset[str]:
    """Return the files in which a form should have entries."""
    found, _ = _reachable(paths, _parts(host, paths, form, is_written=False))
    return frozenset(target.path for target in found)


def _reachable(
    paths: WorkspacePaths, parts: Iterable[tuple[str, Part]]
) -> tuple[tuple[Target, ...], tuple[Refused, ...]]:
    found: dict[str, Target] = {}
    refused: list[Refused] = []
    for named, part in parts:
        try:
            place = place_of(paths, named)
        except Invalid as error:
            refused.append(Refused(named, error))
            continue
        target = found.setdefault(place.path, Target(named, place, ()))
        if part not in target.parts:
            found[place.path] = target._replace(parts=(*target.parts, part))
    return tuple(found.values()), tuple(refused)


def _parts(
    host: Host,
    paths: WorkspacePaths,
    form: Form,
    *,
    is_written: bool,
    allow_tools: bool = False,
) -> Iterator[tuple[str, Part]]:
    """Yield the parts that a form should have; with `is_written` those that it may
    have, by this or an earlier version.
    """
    files = files_of(host, paths, form)
    is_covered = form == "local" and not is_written and _has_hooks(host, paths)
    if files.hooks and not is_covered:
        yield files.hooks, hooks_part(host, form)
    if files.server:
        yield files.server.path, server_part(files.server)
    if host.setup.allow:
        allow = AllowPart(host.setup.allow)
        path = files.hooks or allow.allow.path
        test = allow.holds if is_written else allow.is_right
        if allow_tools or passes(paths, path, test):
            yield path, allow
    if form == "project":
        yield _instructions_of(host, paths), BlockPart()
    rule = host.setup.rule
    if rule and form != "user":
        yield rule.path, rule_part(rule.head)


def _has_hooks(host: Host, paths: WorkspacePaths) -> bool:
    """Return whether the repository has own hooks."""
    if host.hooks is None or is_local_file(host, paths, host.hooks.path):
        return False
    return passes(paths, host.hooks.path, hooks_part(host, "project").holds)


def _instructions_of(host: Host, paths: WorkspacePaths) -> str:
    """Return the instruction file that the settings of the host name, else its default
    one.
    """
    default = host.setup.instructions
    for pattern, keys in host.setup.instructions_named:
        for _, place in places_like(paths, pattern):
            found: Any = look_up(read_value(place, read_quietly(place)), keys)
            names = found if isinstance(found, list) else [found]
            if default in names:
                return default
            for name in names:
                if isinstance(name, str) and _PLAIN_NAME.fullmatch(name):
                    return name
    return default
