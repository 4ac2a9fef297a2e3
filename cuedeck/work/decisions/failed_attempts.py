"""Failed attempts: add one, list them by the addresses they concern."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cuedeck.engine.citations import WorkspaceDoors, list_entries
from cuedeck.ledger.kinds.attempt_kind import ATTEMPT
from cuedeck.model.errors import UsageError
from cuedeck.store.files.disk import read_bytes
from cuedeck.work.sessions.scene_context import sync_session

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.model.ports import Json


class NewAttempt(NamedTuple):
    """Values of a new attempt as the user gives them."""

    on: tuple[str, ...]
    tried: str
    failed: str
    error: str = ""
    card: str = ""


def add_attempt(workspace: Workspace, wanted: NewAttempt) -> Json:
    """Append a failed attempt to the ledger; return its JSON, with warnings about
    unresolved addresses.

    Raises: Invalid without an address, the action or the failure; Ambiguous. Nothing is
    written then.
    """
    given = {"tried": wanted.tried, "failed": wanted.failed, "error": wanted.error}
    added = workspace.ledger.add(
        ATTEMPT,
        given,
        WorkspaceDoors(workspace),
        cites=wanted.on,
        card=wanted.card,
    )
    sync_session(workspace)
    shown = ("on", "tried", "failed", "card", "session")
    fields = {name: added.row.get(name) for name in shown}
    return {"id": added.id, "warnings": list(added.warnings), **fields}


def read_error(place: str) -> str:
    """Return the text of a file with error output. Raises: UsageError if it does not
    exist, StorageError.
    """
    data = read_bytes(place)
    if data is None:
        raise UsageError(
            f"file not found: {place}",
            hint="--error takes an existing file, or `-` for stdin",
        )
    return data.decode("utf-8", "replace")


def list_attempts(workspace: Workspace, on: str | None = None) -> Json:
    """Return the failed attempts, newest last; with `on` those on an address that
    equals, contains or is part of it.
    """
    return list_entries(workspace, ATTEMPT, on)
