"""Fingerprint of the inputs of the scene blocks that are not in the index.

It is computed on every run. A missing file therefore costs one stat call and no import.
"""

from __future__ import annotations

import hashlib
import os
from typing import TYPE_CHECKING

from cuedeck.model.errors import StorageError
from cuedeck.model.paths import (
    ASSUMPTIONS,
    CORTEX,
    EXCHANGED,
    HOME,
    OPEN_SESSION,
    SESSIONS,
    WORKFLOWS,
    ledger_path,
)
from cuedeck.store.files.disk import look_at_generated, names_in, read_bytes
from cuedeck.store.files.fingerprint import is_settled, print_of
from cuedeck.store.index.schema import CORTEX_PLACES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cuedeck.engine.workspace import Workspace
    from cuedeck.ledger.session_files import SessionFiles
    from cuedeck.store.workspace_paths import WorkspacePaths

LEDGERS = (
    *map(ledger_path, ("decisions", "attempts", "assumptions")),
    ASSUMPTIONS,
    *EXCHANGED,
)
MEMORY = f"{HOME}/MEMORY.md"
_LOGS = f"{HOME}/memory"
"""Records removed from MEMORY.md that links may still name."""
EXPERIENCES = ledger_path("experiences")
_NO_MEMORY = ("SCENE.md", "USER.md", "DREAMS.md")
_NEWEST = 3
"""Number of logs that are compared by their content: every record changes the newest
ones. The metadata of the others avoid reading a year of logs.
"""


def is_input(path: str) -> bool:
    """Return whether a workspace path is an input of the scene blocks."""
    if path in (*LEDGERS, EXPERIENCES, OPEN_SESSION) or path.startswith(
        f"{WORKFLOWS}/"
    ):
        return True
    folder, _, name = path.rpartition("/")
    if folder == HOME and _is_memory(name):
        return True
    if path.startswith(f"{_LOGS}/") and path.endswith(".md"):
        return True
    if path.startswith(f"{CORTEX}/"):
        return "/." not in path.removeprefix(CORTEX)
    name = path.removeprefix(f"{SESSIONS}/")
    return (
        name != path
        and not name.startswith(".")
        and name.endswith((".json", ".json.lz4"))
        and ".backup" not in name
    )


def state_of(workspace: Workspace) -> str:
    """Return the fingerprint of the block inputs outside the index."""
    paths = workspace.paths
    parts: list[object] = [_hashes(paths, LEDGERS)]
    identity = look_at_generated(paths.absolute(OPEN_SESSION)).decode(
        "utf-8", "replace"
    )
    parts.append(_other_sessions(paths.absolute(SESSIONS), identity.strip()))
    if identity.strip():
        parts.append(_session(workspace.sessions, workspace.paths))
    if os.path.exists(paths.absolute(ASSUMPTIONS)):
        from cuedeck.work.assumptions.check_assumptions import state_of as assumed

        parts.append(assumed(workspace))
    names = filter(_is_memory, names_in(paths.shared.absolute(HOME)))
    parts.append(
        _hashes(paths.shared, [EXPERIENCES, *(f"{HOME}/{name}" for name in names)])
    )
    parts.append(_logs(paths.absolute(_LOGS)))
    if workspace.index.meta(CORTEX_PLACES):
        from cuedeck.knowledge.cortex.cortex_places import state_of_inputs

        parts.append(state_of_inputs(workspace.index, paths))
    return repr(parts)


def _is_memory(name: str) -> bool:
    return name.endswith(".md") and name not in _NO_MEMORY


def _logs(folder: str) -> list[object]:
    try:
        names = [name for name in names_in(folder) if name.endswith(".md")]
    except StorageError:
        return []
    marks: list[object] = []
    for name in names:
        place = os.path.join(folder, name)
        found = print_of(place)
        is_certain = found is not None and is_settled(found)
        by_content = name in names[-_NEWEST:] or not is_certain
        marks.append((name, _hash(place) if by_content else found))
    return marks


def _other_sessions(folder: str, identity: str) -> list[object]:
    """Return the metadata of the files of the other sessions."""
    try:
        names = names_in(folder)
    except StorageError:
        return []
    own = (f"{identity}.json", f"{identity}.json.lz4")
    others = [
        name for name in names if is_input(f"{SESSIONS}/{name}") and name not in own
    ]
    return [(name, print_of(os.path.join(folder, name))) for name in others]


def _session(sessions: SessionFiles, paths: WorkspacePaths) -> object:
    """Return the values of the open session that a scene shows, without times of access
    and hashes.
    """
    from dataclasses import replace

    from cuedeck.engine.open_session import open_session
    from cuedeck.ledger.sessions.workflow_files import workflow_names

    session = open_session(sessions)
    if session is None:
        return ()
    used = [(path, each.role) for path, each in session.working_set.items()]
    shown = replace(
        session,
        last_access="",
        context_checksum="",
        receipt="",
        shown={},
        dirty={},
        working_set={},
    )
    known = session.workflow and session.workflow in workflow_names(paths)
    steps = [f"{WORKFLOWS}/{session.workflow}.toml"] if known else []
    return shown, used, _hashes(paths, steps)


def _hashes(paths: WorkspacePaths, names: Sequence[str]) -> list[str]:
    return [_hash(paths.absolute(name)) for name in names]


def _hash(place: str) -> str:
    """Return the content hash of a file; empty if it is missing or empty."""
    try:
        data = read_bytes(place)
    except StorageError:  # the scene and `doctor` report the file
        return "unreadable"
    return hashlib.sha256(data).hexdigest() if data else ""
