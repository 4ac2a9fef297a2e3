"""Handler of post-tool: adds the files that a tool read or wrote to the working set of
the session.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cuedeck.agents.hooks.hook_context import HookContext, HookResult
from cuedeck.agents.hooks.scene_changes import stat_now, with_own_writes
from cuedeck.model.agent_session import HostSession, Touched
from cuedeck.model.errors import Invalid
from cuedeck.model.hook_event import file_name, main_name
from cuedeck.work.sessions.ensure_session import ensure_open
from cuedeck.work.sessions.session_working_set import (
    add_to_working_set,
    hash_on_disk,
    path_of,
    paths_without_secrets,
)

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.model.agent_session import StatRow
    from cuedeck.model.hook_event import HookEvent
    from cuedeck.model.session import Role

_MOST_FILES = 400
"""Maximal number of files in the state of an agent session; the first are dropped."""
_MOST_ASKED = 5
"""Number of the files of one tool whose statements are looked up; one is given."""


def touch(context: HookContext) -> HookResult:
    """Record the files of a tool with their current content, so that own writes are not
    reported as changes.
    """
    workspace, event, known = context.workspace, context.event, context.known
    role: Role = "write" if event.role == "write" else "read"
    paths = _recordable_paths(workspace, event)
    if not paths:
        return HookResult(known)
    root = workspace.paths.root
    if context.is_recorded:
        ensure_open(workspace)
        add_to_working_set(workspace, root, paths, role)
    else:  # the scene names these files anyway
        paths = [path for path in paths if path in known.prints]
    known = known._replace(touched=_with_touched(root, known, paths, role))
    if role == "read" or known.given is None:
        return HookResult(with_own_writes(workspace, known))
    rows: dict[str, StatRow] = {}
    for path in paths:
        if path in known.prints:
            rows[path] = known.touched[path].print
    files = dict(known.given.files)
    for path in files.keys() & set(paths):
        files[path] = files[path]._replace(hash=hash_on_disk(workspace.paths, path))
    known = known._replace(given=known.given._replace(files=files))
    return HookResult(with_own_writes(workspace, known, rows))


def give_statements(context: HookContext) -> HookResult:
    """Return what earlier sessions said about the files of a tool, once for each file
    in an agent session.
    """
    workspace, event, known = context.workspace, context.event, context.known
    if not workspace.settings.recall.in_prompts:
        return HookResult(known)
    # Most tools use a file that the agent has used before.
    from cuedeck.knowledge.statements.about_files import statements_about

    for path in _recordable_paths(workspace, event)[:_MOST_ASKED]:
        key = f"file {path}"
        if key in known.recalled:
            continue
        session = main_name(file_name(event)).removesuffix(".json")
        text, ids = statements_about(workspace, path, session, known.recalled)
        if text or context.is_recorded:
            known = known._replace(recalled=(*known.recalled, key, *ids))
        if text:
            return HookResult(known, text)
    return HookResult(known)


def _recordable_paths(workspace: Workspace, event: HookEvent) -> list[str]:
    """Return the files of a tool that can be recorded. A file that was read must
    exist.
    """
    paths = workspace.paths
    found = []
    for name in event.files:
        try:
            path = path_of(paths, paths.root, name)
        except (Invalid, ValueError):  # a folder, or a file outside the workspace
            continue
        if event.role == "write" or hash_on_disk(paths, path):
            found.append(path)
    return paths_without_secrets(workspace, dict.fromkeys(found))


def _with_touched(
    root: str, known: HostSession, paths: Sequence[str], role: Role
) -> dict[str, Touched]:
    """Return the files that the agent used, the last used at the end."""
    touched = dict(known.touched)
    for path in paths:
        before = touched.pop(path, None)
        new_role: Role = role
        if before is not None and before.role != role:
            new_role = "both"
        touched[path] = Touched(new_role, stat_now(root, path))
    return dict(list(touched.items())[-_MOST_FILES:])
