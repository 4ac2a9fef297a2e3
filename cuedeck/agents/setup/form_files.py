"""Files of a host for each form of set-up."""

from __future__ import annotations

from cuedeck.agents.edits.hooks_json import HooksPart
from cuedeck.agents.edits.managed_part import PluginPart, is_local_plugin
from cuedeck.agents.edits.mcp_server import JsonServerPart, ServerPart
from cuedeck.agents.edits.mcp_toml import TomlServerPart
from cuedeck.agents.edits.own_commands import is_guarded_text
from cuedeck.agents.hosts.base import Host
from cuedeck.agents.hosts.setup_types import PROJECT, Allow, Form, FormFiles, Server
from cuedeck.model.errors import Invalid, UsageError
from cuedeck.store.files.host_files import place_of, read_quietly
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
