"""Units of ledger entries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cuedeck.knowledge.recall.memory_units import utc_text
from cuedeck.ledger.entry_sources import source_of

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.model.recall_values import Unit


def ledger_units(workspace: Workspace, kind: str) -> list[Unit]:
    """Return the units of a kind of entry; entries without text, superseded, rejected
    or secret ones have none.
    """
    source = source_of(workspace, kind)
    units = source.units() if source else ()
    return [unit._replace(date=utc_text(unit.date)) for unit in units if unit.text]
