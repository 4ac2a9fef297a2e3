"""Forms in which a host is connected, and the next steps."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Sequence

from cuedeck.agents.edits.hooks_json import HooksPart
from cuedeck.agents.edits.managed_block import BlockPart
from cuedeck.agents.edits.managed_part import Part
from cuedeck.agents.hosts.base import Host
from cuedeck.agents.hosts.setup_types import Form
from cuedeck.agents.setup.host_targets import (
    FORMS,
    Target,
    files_of,
    is_local_file,
    is_shared_part,
    server_part,
    shares_files,
    written_targets,
)
from cuedeck.model.errors import CueDeckError, UsageError
from cuedeck.parse.text_decoding import decode_exactly
from cuedeck.store.files.host_files import place_of, read_quietly
from cuedeck.store.workspace_paths import WorkspacePaths


def find_forms(host: Host, paths: WorkspacePaths) -> tuple[Form, ...]:
    """Return the forms in which a host is connected."""
    found = [form for form in FORMS if _has_form(host, paths, form)]
    return tuple(found)


def _has_form(host: Host, paths: WorkspacePaths, form: Form) -> bool:
    try:
        targets, _ = written_targets(host, paths, (form,))
    except UsageError:
        return False
    for target in targets:
        is_local = is_local_file(host, paths, target.path)
        if form != "user" and is_local is not (form == "local"):
            continue
        with contextlib.suppress(CueDeckError):  # a check of the file reports it
            if any(_shows_form(host, target, part) for part in target.parts):
                return True
    return False


def _shows_form(host: Host, target: Target, part: Part) -> bool:
    """Return whether an entry shows that a form is connected. In a file of its own, a
    hook names the form; a person may have written any other entry.
    """
    if isinstance(part, BlockPart):
        return False
    if not isinstance(part, HooksPart):
        is_named = host.hooks is not None and not shares_files(host)
        return not is_named and _has_own(target, part)
    text = decode_exactly(target.read() or b"")
    return part.names_form(text) if part.form_name else part.holds(text)


def has_server(host: Host, paths: WorkspacePaths) -> bool:
    """Return whether a server is registered, by set-up or by a person."""
    for form in FORMS:
        with contextlib.suppress(CueDeckError):
            server = host.setup.server
            if form != "project":
                server = files_of(host, paths, form).server
            if server is None:
                continue
            part = server_part(server)
            if part.holds(read_quietly(place_of(paths, server.path).absolute)):
                return True
    return False


def is_connected(host: Host, paths: WorkspacePaths) -> bool:
    """Return whether a host has hooks or a server of CueDeck in this workspace, other
    than hooks that it shares with another host.
    """
    try:
        targets, _ = written_targets(host, paths, ("project", "local"))
    except CueDeckError:
        return False
    for target in targets:
        own = [part for part in target.parts if not is_shared_part(part)]
        with contextlib.suppress(CueDeckError):
            if any(_has_own(target, part) for part in own):
                return True
    return False


def _has_own(target: Target, part: Part) -> bool:
    text = decode_exactly(target.read() or b"")
    if not text:
        return False
    if not part.holds(text):
        return False
    return part.strip(text) != text


def removed_forms(host: Host) -> tuple[Form, ...]:
    """Return the forms that a removal without a form includes."""
    is_local = host.hooks is not None or host.setup.server is not None
    return ("project", "local") if is_local else ("project",)


def local_targets(
    host: Host, paths: WorkspacePaths, targets: Sequence[Target]
) -> tuple[Target, ...]:
    """Return the targets without files that the repository and one checkout share, and
    that now belong to the repository.
    """
    found = []
    for target in targets:
        is_absent = not os.path.exists(target.place.absolute)
        is_local = is_absent or not shares_files(host)
        if is_local or is_local_file(host, paths, target.path):
            found.append(target)
    return tuple(found)


def next_step(host: Host, paths: WorkspacePaths, form: Form) -> str:
    """Return the next step for the user."""
    step = host.setup.next_step.format(folder=paths.root)
    server = server_step(host, paths)
    if form != "project" and host.setup.server:
        server = host.setup.server_step
    return f"{step}; {server}" if server else step


def server_step(host: Host, paths: WorkspacePaths) -> str:
    """Return the step that registers the server; empty if it is registered."""
    if not host.setup.server or has_server(host, paths):
        return ""
    setup = f"`cuedeck setup {host.name}"
    return f"{setup} --local` adds the MCP server for this checkout, {setup} --user` for all your projects"
