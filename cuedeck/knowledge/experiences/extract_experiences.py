"""Extraction of experiences from all records not processed before, in every record
file.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.engine.mask_answers import mask_value
from cuedeck.knowledge.experiences.distil import (
    Candidates,
    Distillation,
    Outcome,
    distil,
)
from cuedeck.ledger.kinds.experience_kind import EXPERIENCE, foreign_experiences
from cuedeck.ledger.records.memory_files import FOREIGN_EXPERIENCES, LOOKED_AT
from cuedeck.ledger.records.record_lookup import every_record, file_names, superseded
from cuedeck.store.files.disk import parse_json

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.ledger.records.memory_files import MemoryFiles


class Extracted(NamedTuple):
    """Result of an extraction."""

    looked_at: int
    """Number of new records, including those that are too short or in another category.
    """
    added: int
    duplicates: int
    """Number of records merged into an existing experience."""
    evicted: int
    outcomes: tuple[Outcome, ...]
    """Outcome of each record."""


def extract(
    workspace: Workspace, memory: MemoryFiles, *, dry_run: bool = False
) -> Extracted:
    """Extract experiences durably from the records added since the last run.

    With `dry_run` nothing is written, and the next run processes the same records.
    Raises: Locked, StorageError; the next run then processes the same records again.
    """
    if dry_run:
        choice = _distil(workspace, memory)
    else:
        with memory.writing():
            choice = _distil(workspace, memory)
            if choice.gone or choice.added:
                memory.replace(EXPERIENCE, choice.gone, choice.added)
            if choice.seen != _looked_at(memory):
                content = {"schema": 1, "seen": sorted(choice.seen)}
                keys = json.dumps(content, separators=(",", ":"))
                memory.write(LOOKED_AT, keys.encode())
    return Extracted(
        choice.looked_at,
        choice.found,
        choice.duplicates,
        choice.evicted,
        choice.outcomes,
    )


def _distil(workspace: Workspace, memory: MemoryFiles) -> Distillation:
    found = every_record(memory, file_names(memory))
    records = [each.record for each in found.values()]
    primary = {record.id for record in memory.primary.records}
    # Superseded records must not become experiences either.
    forgotten = memory.forgotten().union(superseded(records))
    foreign = foreign_experiences(memory.text(FOREIGN_EXPERIENCES) or "")
    return distil(
        Candidates(records, primary, tuple(foreign), forgotten),
        memory.entries(EXPERIENCE),
        _looked_at(memory),
        workspace.settings.experiences,
        lambda text: mask_value(text, workspace),
    )


def _looked_at(memory: MemoryFiles) -> frozenset[str]:
    value = parse_json(memory.text(LOOKED_AT) or "")
    keys = value.get("seen") if isinstance(value, dict) else None
    if not isinstance(keys, list):
        return frozenset()
    return frozenset(key for key in keys if isinstance(key, str))
