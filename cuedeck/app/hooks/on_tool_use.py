"""A tool of an agent read or wrote files: they belong to the working set of its session."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from cuedeck.app.hooks.ensure_session import ensure_open
from cuedeck.app.hooks.hook_context import HookContext, HookResult
from cuedeck.app.hooks.own_writes import follow
from cuedeck.app.hooks.watched_files import print_now
from cuedeck.app.sessions.session_notes import touch as note_touched
from cuedeck.app.sessions.session_working_set import hash_on_disk, path_of, speakable
from cuedeck.model.agent_session import Given, Touched
from cuedeck.model.errors import Invalid

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace
    from cuedeck.model.agent_session import StatRow
    from cuedeck.model.session import Role

_KEPT = 400
"""Files that are known of one session of a host."""


def touch(occasion: HookContext) -> HookResult:
    """Note the files of a tool, as they are now; what the agent wrote itself is no news for it."""
    project, told, known = occasion.project, occasion.told, occasion.known
    role: Role = "write" if told.role == "write" else "read"
    paths = _paths(project, told.files, role)
    if not paths:
        return HookResult(known)
    ensure_open(project)
    note_touched(project, project.workspace.root, paths, role)
    touched = dict(known.touched)
    for path in paths:
        before = touched.pop(path, None)
        both: Role = role if before is None or before.role == role else "both"
        touched[path] = Touched(both, print_now(project, path))
    touched = dict(list(touched.items())[-_KEPT:])
    if role == "read" or known.given is None:
        return HookResult(follow(project, replace(known, touched=touched)))
    prints: Mapping[str, StatRow] = {path: touched[path].print for path in paths if path in known.prints}
    return HookResult(
        follow(project, replace(known, touched=touched, given=_knowing(project, known.given, paths)), prints)
    )


def _paths(project: Workspace, names: Iterable[str], role: Role) -> list[str]:
    """Return the files of the work among those that are named; what is read must be there."""
    found = []
    for name in names:
        try:
            path = path_of(project, project.workspace.root, name)
        except (Invalid, ValueError):  # a folder, or a file elsewhere
            continue
        if role == "write" or hash_on_disk(project, path):
            found.append(path)
    return speakable(project, dict.fromkeys(found))


def _knowing(project: Workspace, given: Given, paths: Iterable[str]) -> Given:
    """Return what a session was given, with files as it left them itself."""
    written = {path: hash_on_disk(project, path) for path in paths if path in given.files}
    files = {path: each._replace(hash=written.get(path, each.hash)) for path, each in given.files.items()}
    return given._replace(files=files)
