"""Units of the statements of one session."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cuedeck.knowledge.recall.memory_units import utc_text
from cuedeck.ledger.statements.statement_files import ENDING, StatementFiles
from cuedeck.ledger.statements.statement_rows import is_statement
from cuedeck.model.recall_values import Unit

if TYPE_CHECKING:
    from cuedeck.store.workspace_paths import WorkspacePaths

KIND = "statement"


def statement_units(paths: WorkspacePaths, path: str) -> list[Unit]:
    """Return the units of a file of statements, in order. Raises: StorageError."""
    session = path.rpartition("/")[2].removesuffix(ENDING)
    units = []
    for row in StatementFiles(paths).rows(path):
        value = row.value
        if is_statement(value):
            unit = Unit(
                KIND,
                row.line,
                row.line,
                str(value["text"]),
                id=row.id,
                date=utc_text(row.timestamp),
                speaker=str(value.get("speaker", "")),
                session=session,
                category=str(value.get("kind", "")),
            )
            units.append(unit)
    return units
