"""Stat rows of the files that concern an agent session; if none has changed,
there is nothing to report.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from cuedeck.context.blocks.blocks_fingerprint import EXPERIENCES, LEDGERS, MEMORY
from cuedeck.engine.mask_answers import mask_value
from cuedeck.ledger.sessions.agent_sessions import print_as_indexed, print_at
from cuedeck.model.entry_node import CORTEX_KIND, ENTRY_KINDS
from cuedeck.model.light_typing import TYPE_CHECKING, Any
from cuedeck.model.paths import HOME, OPEN_SESSION, SCENE, SESSIONS, ledger_path
from cuedeck.store.git.head import find_repository, follow_head

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.model.agent_session import HostSession, StatRow

_NOT_BY_HOOKS = (f"{HOME}/active", f"{HOME}/config.toml", EXPERIENCES)
"""Files that no hook writes."""
_JOURNAL = ledger_path("assumptions")
_SESSION_SUFFIXES = (".json", ".json.lz4")


def stat_shared_files(workspace: Workspace) -> dict[str, StatRow]:
    """Return the stat rows of the files that others write. Call it before building a
    scene, so no change is lost.
    """
    ledgers = [path for path in LEDGERS if path != _JOURNAL]
    root = workspace.paths.root
    files = map(workspace.paths.from_root, (*_NOT_BY_HOOKS, *ledgers))
    return {path: stat_now(root, path) for path in (*files, *_head_files(root))}


def session_paths(workspace: Workspace) -> list[str]:
    """Return the paths of the pointer to the open session and of its possible files,
    from the root of the workspace.
    """
    paths = [OPEN_SESSION]
    identity = workspace.sessions.pointed()
    if identity:
        paths += [f"{SESSIONS}/{identity}{suffix}" for suffix in _SESSION_SUFFIXES]
    return list(map(workspace.paths.from_root, paths))


def stat_own_files(workspace: Workspace) -> dict[str, StatRow]:
    """Return the stat rows of the files that hooks themselves write."""
    memory = workspace.paths.from_root(MEMORY)
    paths = [*session_paths(workspace), memory, _JOURNAL]
    return {path: stat_now(workspace.paths.root, path) for path in paths}


def stat_scene_files(
    workspace: Workspace, visits: Sequence[Mapping[str, Any]]
) -> dict[str, StatRow]:
    """Return the stat rows of SCENE.md and of its files as they were when the scene was
    built.
    """
    paths = dict.fromkeys(
        each["path"] for each in visits if each["kind"] not in ENTRY_KINDS
    )
    # Without a row for SCENE.md the next event continues to read an unfinished history
    # or memory.
    scene = None
    if not workspace.is_unfinished:
        scene = stat_now(workspace.paths.root, SCENE)
    rows = {
        path: print_as_indexed(workspace.index, workspace.paths, path) for path in paths
    }
    for each in visits:
        if each["kind"] == CORTEX_KIND:
            path = workspace.paths.from_root(each["path"])
            rows[path] = stat_now(workspace.paths.root, path)
    return {SCENE: scene, **rows}


def with_own_writes(
    workspace: Workspace, known: HostSession, more: Mapping[str, StatRow] | None = None
) -> HostSession:
    """Return the agent session with current stat rows of the files that hooks write,
    and the rows `more`.

    Therefore writes of a hook are not reported to the agent as changes.
    """
    rows = dict(known.prints)
    rows.update(stat_own_files(workspace))
    rows.update(more or {})
    return known._replace(prints=rows)


def without_secrets(workspace: Workspace, known: HostSession) -> HostSession:
    """Return the agent session without secrets in file names.

    A name with a secret is masked and has no stat row, so that every event checks that
    file.
    """
    rows: dict[str, StatRow] = {}
    masked_paths = mask_value(list(known.prints), workspace)
    for (path, row), masked in zip(known.prints.items(), masked_paths, strict=True):
        rows[masked] = row if masked == path else None
    given = known.given
    if given is not None:
        masked_paths = mask_value(list(given.files), workspace)
        files = {}
        for path, masked in zip(given.files, masked_paths, strict=True):
            if path == masked:
                files[path] = given.files[path]
        given = given._replace(files=files, card=mask_value(given.card, workspace))
    return known._replace(prints=rows, given=given)


def stat_now(root: str, path: str) -> StatRow:
    """Return the current stat row of a file."""
    return print_at(os.path.join(root, path))


def _head_files(root: str) -> list[str]:
    """Return the files of git that change when HEAD moves."""
    repository = find_repository(root)
    if repository is None:
        return []
    names = (
        *follow_head(repository).refs,
        "packed-refs",
        "shallow",
        "reftable/tables.list",
    )
    paths = [os.path.join(repository.private, "HEAD")]
    paths += [os.path.join(repository.common, name) for name in names]
    inside = os.path.join(root, "")
    return [path.removeprefix(inside) for path in paths]
