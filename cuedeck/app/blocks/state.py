"""What the blocks of a scene depend on beside the index.

It is asked for at every run: what is not there costs a look for it, and nothing is imported for it.
"""

from __future__ import annotations

import hashlib
import json
import os
from typing import TYPE_CHECKING

from cuedeck.model.errors import StorageError
from cuedeck.store.disk import read_bytes, read_text
from cuedeck.store.workspace import ASSUMPTIONS, OPEN_SESSION, SESSIONS, WORKFLOWS, ledger_path

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cuedeck.app.project import Project

_RENDERED = ("status", "workflow", "currentStep", "card", "progress", "notes", "next", "decisions")
"""Keys of a session file that a scene says something of."""
LEDGERS = (*map(ledger_path, ("decisions", "attempts", "assumptions")), ASSUMPTIONS)


def is_input(path: str) -> bool:
    """Tell whether a path of the workspace is that of a file from which blocks are made."""
    if path in (*LEDGERS, OPEN_SESSION) or path.startswith(f"{WORKFLOWS}/"):
        return True
    name = path.removeprefix(f"{SESSIONS}/")
    return name != path and not name.startswith(".") and name.endswith((".json", ".json.lz4")) and ".backup" not in name


def state_of(project: Project) -> str:
    """Return what a scene depends on beside the index: an equal text means that the ledgers say the same."""
    parts: list[object] = [_hashes(project, LEDGERS)]
    if os.path.exists(project.workspace.absolute(OPEN_SESSION)):
        parts.append(_session(project))
    if os.path.exists(project.workspace.absolute(ASSUMPTIONS)):
        from cuedeck.app.assumptions.reading import state_of as assumed

        parts.append(assumed(project))
    return repr(parts)


def _session(project: Project) -> object:
    """Return what is rendered of the open session; its file is read as plain JSON, which imports nothing."""
    identity = (read_text(project.workspace.absolute(OPEN_SESSION)) or "").strip()
    try:
        data = read_bytes(project.workspace.absolute(f"{SESSIONS}/{identity}.json")) if identity else b""
        value = json.loads(data or b"")
        said = [value[key] for key in _RENDERED]
        texts = [point["text"] for point in value["checkpoints"]]
    # Compressed, broken, of an older shape, or named by what is no name.
    except (ValueError, TypeError, KeyError, RecursionError, StorageError):
        from cuedeck.app.blocks.progress import said_of
        from cuedeck.app.sessions.state import open_session

        session = open_session(project)
        if session is None:
            return ()
        workflow, said, texts = session.workflow, list(said_of(session)), []
    else:
        workflow = value["workflow"]
    if not workflow:
        return said, texts
    from cuedeck.store.workflows import workflow_names

    is_known = isinstance(workflow, str) and workflow in workflow_names(project.workspace)
    return said, texts, _hashes(project, [f"{WORKFLOWS}/{workflow}.toml"] if is_known else [])


def _hashes(project: Project, paths: Sequence[str]) -> list[str]:
    data = (read_bytes(project.workspace.absolute(path)) for path in paths)
    return [hashlib.sha256(each).hexdigest() if each else "" for each in data]
