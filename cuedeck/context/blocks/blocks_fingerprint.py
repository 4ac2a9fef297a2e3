"""Fingerprint of the inputs of the scene blocks that are not in the index.

It is computed on every run. A missing file therefore costs one stat call and no import.
"""

from __future__ import annotations

import hashlib
import os
from typing import TYPE_CHECKING, Any

from cuedeck.model.errors import StorageError
from cuedeck.model.paths import (
    ASSUMPTIONS,
    CORTEX,
    HOME,
    OPEN_SESSION,
    SESSIONS,
    WORKFLOWS,
    ledger_path,
)
from cuedeck.store.files.disk import look_at_generated, names_in, read_bytes, read_json
from cuedeck.store.files.fingerprint import is_settled, print_of, settle
from cuedeck.store.index.schema import CORTEX_PLACES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cuedeck.engine.workspace import Workspace
    from cuedeck.store.workspace_paths import WorkspacePaths

_RENDERED = ("status", "workflow", "currentStep", "card", "progress", "notes", "next", "decisions", "title", "branch",
             "attempts")  # fmt: skip
"""Keys of a session file that a scene shows, besides its working set and checkpoints.
"""
LEDGERS = (*map(ledger_path, ("decisions", "attempts", "assumptions")), ASSUMPTIONS)
MEMORY = f"{HOME}/MEMORY.md"
_LOGS = f"{HOME}/memory"
"""Records removed from MEMORY.md that links may still name."""
EXPERIENCES = ledger_path("experiences")
_NO_MEMORY = ("SCENE.md", "USER.md", "DREAMS.md")
_LARGE = 1_000_000
"""Size in bytes from which a file is fingerprinted by its metadata instead of a content
hash.
"""
_NEWEST = 3


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
    parts: list[object] = [_hashes(workspace, LEDGERS)]
    identity = (
        look_at_generated(workspace.paths.absolute(OPEN_SESSION))
        .decode("utf-8", "replace")
        .strip()
    )
    parts.append(_other_sessions(workspace.paths.absolute(SESSIONS), identity))
    if identity:
        parts.append(_session(workspace, identity))
    if os.path.exists(workspace.paths.absolute(ASSUMPTIONS)):
        from cuedeck.work.assumptions.check_assumptions import state_of as assumed

        parts.append(assumed(workspace))
    records = [
        _mark(workspace.paths.shared.absolute(path), _LARGE)
        for path in (EXPERIENCES, *_memories(workspace.paths))
    ]
    if any(records) or os.path.isdir(workspace.paths.absolute(_LOGS)):
        parts.append((*records, *_logs(workspace.paths.absolute(_LOGS))))
    if workspace.index.meta(CORTEX_PLACES):
        from cuedeck.knowledge.cortex.cortex_places import state_of_inputs

        parts.append(state_of_inputs(workspace.index, workspace.paths))
    return repr(parts)


def _is_memory(name: str) -> bool:
    return name.endswith(".md") and name not in _NO_MEMORY


def _memories(paths: WorkspacePaths) -> list[str]:
    names = names_in(paths.shared.absolute(HOME))
    return [f"{HOME}/{name}" for name in names if _is_memory(name)]


def _logs(folder: str) -> list[object]:
    try:
        names = [name for name in names_in(folder) if name.endswith(".md")]
    except StorageError:
        return []
    # Every record changes the newest logs and the archive, so their content is hashed
    # up to _LARGE bytes. The other logs seldom change: their metadata avoids reading a
    # year of logs.
    large = dict.fromkeys(names[-_NEWEST:], _LARGE)
    return [
        (name, _mark(os.path.join(folder, name), large.get(name, 0))) for name in names
    ]


def _mark(place: str, large: int) -> object:
    found = print_of(place)
    if found is not None and large and found.size >= large:
        found = settle(place, found)  # waiting costs less than reading the whole file
    if found is None or (found.size >= large and is_settled(found)):
        return found and tuple(found)
    try:
        return hashlib.sha256(read_bytes(place) or b"").hexdigest()
    except StorageError:  # the block is left out; `doctor` reports the file
        return "unreadable"


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


def _session(workspace: Workspace, identity: str) -> object:
    """Return the rendered values of the open session."""
    try:
        value: Any = read_json(workspace.paths.absolute(f"{SESSIONS}/{identity}.json"))
        values = [value[key] for key in _RENDERED]
        values.append(
            [(path, used["role"]) for path, used in value["workingSet"].items()]
        )
        texts = [point["text"] for point in value["checkpoints"]]
    # The file is compressed, broken or of an older format, or the name of the session
    # is invalid.
    except (AttributeError, TypeError, KeyError):
        from cuedeck.context.blocks.statement_blocks import shown_values
        from cuedeck.engine.open_session import open_session

        session = open_session(workspace.sessions)
        if session is None:
            return ()
        workflow, values, texts = session.workflow, list(shown_values(session)), []
    else:
        workflow = value["workflow"]
    if not workflow:
        return values, texts
    from cuedeck.ledger.sessions.workflow_files import workflow_names

    is_known = isinstance(workflow, str) and workflow in workflow_names(workspace.paths)
    return (
        values,
        texts,
        _hashes(workspace, [f"{WORKFLOWS}/{workflow}.toml"] if is_known else []),
    )


def _hashes(workspace: Workspace, paths: Sequence[str]) -> list[str]:
    return [_hash(workspace.paths.absolute(path)) for path in paths]


def _hash(place: str) -> str:
    """Return the content hash of a file; empty if it is missing or empty."""
    try:
        data = read_bytes(place)
    except StorageError:  # the scene and `doctor` report the file
        return "unreadable"
    return hashlib.sha256(data).hexdigest() if data else ""
