"""Lists the statements of sessions for people, in the order of the files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cuedeck.ledger.statement_files import ENDING, StatementFiles
from cuedeck.model.ports import Json

if TYPE_CHECKING:
    from cuedeck.store.workspace_paths import WorkspacePaths


def list_statements(paths: WorkspacePaths, session: str = "") -> list[Json]:
    """Return the statements of a session, or of all, that nobody forgot: objects with
    `id`, `timestamp`, `kind`, `speaker` and `text`. Raises: StorageError.
    """
    files = StatementFiles(paths)
    forgotten = files.forgotten()
    found = []
    for path in [files.path(session)] if session else files.paths():
        for row in files.rows(path):
            if "text" in row.value and row.id not in forgotten:
                found.append(dict(row.value))
    return found


def list_conversations(paths: WorkspacePaths) -> list[str]:
    """Return the names of the sessions that have statements, sorted."""
    names = (path.rpartition("/")[2] for path in StatementFiles(paths).paths())
    return [name.removesuffix(ENDING) for name in names]
