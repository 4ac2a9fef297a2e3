"""Files of a host in the workspace, each with its managed parts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from cuedeck.agents.edits.hooks_json import HooksPart
from cuedeck.agents.edits.json_tree import look_up, read_value
from cuedeck.agents.edits.managed_block import BlockPart, rule_part
from cuedeck.agents.edits.managed_part import Part, PluginPart, is_local_plugin
from cuedeck.agents.edits.mcp_server import (
    AllowPart,
    JsonServerPart,
    ServerPart,
    TomlServerPart,
)
from cuedeck.agents.edits.own_commands import is_guarded_text
from cuedeck.agents.hosts import all_hosts
from cuedeck.agents.hosts.base import Host
from cuedeck.agents.hosts.setup_types import PROJECT, Allow, Form, FormFiles, Server
from cuedeck.model.errors import CueDeckError, Invalid, UsageError
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
        server = own.server._replace(above=tuple(above))
        own = own._replace(server=server)
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
    if server.path.endswith(".toml"):
        return TomlServerPart(server)
    return JsonServerPart(server)


def allow_of(host: Host, files: FormFiles) -> Allow | None:
    allow = host.setup.allow
    if allow is None or not files.hooks:
        return allow
    return allow._replace(path=files.hooks)


def has_hooks(host: Host, paths: WorkspacePaths, form: Form) -> bool:
    """Return whether the file of one form has own hooks."""
    if host.hooks is None:
        return False
    named = files_of(host, paths, form).hooks
    if not named or (form == "project" and is_local_file(host, paths, named)):
        return False
    try:
        place = place_of(paths, named)
        return hooks_part(host, form).holds(read_quietly(place.absolute))
    except Invalid:
        return False


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
    def is_of_user(self) -> bool:
        """Return whether the file is in the home folder, where several forms and
        workspaces may have entries.
        """
        return self.path.startswith(HOME)

    @property
    def is_shared(self) -> bool:
        """Return whether other hosts may read the same file."""
        return any(map(is_shared_part, self.parts))

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


def is_shared_part(part: Part) -> bool:
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
        names = tuple(hosts)
        raise UsageError(
            f"unknown host `{name}`",
            hint="give one of these; `agents` works with any agent that reads AGENTS.md",
            candidates=names,
        )
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
    found, refused = _reachable(paths, _named_parts(host, paths, form, allow_tools))
    for each in refused:
        raise each.error
    return found


def written_targets(
    host: Host, paths: WorkspacePaths, forms: Sequence[Form]
) -> tuple[tuple[Target, ...], tuple[Refused, ...]]:
    """Return all files in which some forms may have entries, and those whose links are
    broken or leave the workspace.
    """
    parts: list[tuple[str, Part]] = []
    for form in forms:
        parts += _written_parts(host, paths, form)
    return _reachable(paths, parts)


def wanted_paths(host: Host, paths: WorkspacePaths, form: Form) -> frozenset[str]:
    """Return the files in which a form should have entries."""
    found, _ = _reachable(paths, _named_parts(host, paths, form, allow_tools=False))
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


def _named_parts(
    host: Host, paths: WorkspacePaths, form: Form, allow_tools: bool
) -> Iterator[tuple[str, Part]]:
    files = files_of(host, paths, form)
    if files.hooks and not (form == "local" and has_hooks(host, paths, "project")):
        yield files.hooks, hooks_part(host, form)
    if files.server:
        yield files.server.path, server_part(files.server)
    allow = allow_of(host, files)
    if allow and (allow_tools or _has_rules(allow, paths, any_rule=False)):
        yield allow.path, AllowPart(allow)
    if form == "project":
        yield instructions_of(host, paths)[0], BlockPart()
    rule = host.setup.rule
    if rule and form != "user":
        yield rule.path, rule_part(rule.head)


def _written_parts(
    host: Host, paths: WorkspacePaths, form: Form
) -> Iterator[tuple[str, Part]]:
    """Yield the parts that a form may have, by this or an earlier version."""
    files = files_of(host, paths, form)
    if files.hooks:
        yield files.hooks, hooks_part(host, form)
    if files.server:
        yield files.server.path, server_part(files.server)
    allow = allow_of(host, files)
    if allow and _has_rules(allow, paths, any_rule=True):
        yield allow.path, AllowPart(allow)
    if form == "project":
        first, *others = instructions_of(host, paths)
        yield first, BlockPart()
        for name in others:
            if _has_block(paths, name):
                yield name, BlockPart()
    rule = host.setup.rule
    if rule and form != "user":
        yield rule.path, rule_part(rule.head)


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


def _has_rules(allow: Allow, paths: WorkspacePaths, any_rule: bool) -> bool:
    """Return whether the file has all rules; with `any_rule`, whether it has one of
    them.
    """
    part = AllowPart(allow)
    try:
        text = read_quietly(place_of(paths, allow.path).absolute)
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
