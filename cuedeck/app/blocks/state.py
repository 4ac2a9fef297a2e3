"""What the blocks of a scene depend on beside the index; asked for at every run, so it imports little."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from cuedeck.app.assumptions import reading as assumptions
from cuedeck.app.blocks.progress import said_of
from cuedeck.app.sessions.state import open_session
from cuedeck.store.disk import read_bytes
from cuedeck.store.ledger import ledger_path
from cuedeck.store.sessions import FOLDER, POINTER
from cuedeck.store.workflows import FOLDER as WORKFLOWS

if TYPE_CHECKING:
    from cuedeck.app.project import Project

LEDGERS = (*map(ledger_path, ("decisions", "attempts", assumptions.LEDGER)), assumptions.FILE)


def is_input(path: str) -> bool:
    """Tell whether a path of the workspace is that of a file from which blocks are made."""
    if path in (*LEDGERS, POINTER) or path.startswith(f"{WORKFLOWS}/"):
        return True
    name = path.removeprefix(f"{FOLDER}/")
    return name != path and not name.startswith(".") and name.endswith((".json", ".json.lz4")) and ".backup" not in name


def state_of(project: Project) -> str:
    """Return what a scene depends on beside the index: an equal text means that the ledgers say the same."""
    session = open_session(project)
    places = [*LEDGERS, *([f"{WORKFLOWS}/{session.workflow}.toml"] if session and session.workflow else [])]
    data = [read_bytes(project.workspace.absolute(path)) for path in places]
    hashes = [hashlib.sha256(each).hexdigest() if each else "" for each in data]
    return repr((hashes, said_of(session) if session else (), assumptions.state_of(project)))
