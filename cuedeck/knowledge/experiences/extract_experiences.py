"""Extraction of experiences from all records not processed before, in every record
file.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.engine.mask_answers import mask_value
from cuedeck.knowledge.experiences.distil import (
    Candidates,
    Distillation,
    Outcome,
    distil,
)
from cuedeck.ledger.experiences.experience_repository import (
    ExperienceIndex,
    experiences_of,
)
from cuedeck.ledger.records.memory_files import (
    EXPERIENCES,
    FOREIGN_EXPERIENCES,
    LOOKED_AT,
    PRIMARY,
    TOMBSTONES,
)
from cuedeck.ledger.records.memory_writer import writing
from cuedeck.ledger.records.record_lookup import every_record, file_names
from cuedeck.ledger.supersession import superseded

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.ledger.records.memory_files import MemoryFiles
    from cuedeck.ledger.records.memory_writer import Writer

_MOST_MASKED = 1_000
_ATTEMPTS = 3
"""Attempts without holding the lock, so that appends do not wait."""


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
    held = experiences_of(memory)
    if dry_run:
        return _extracted(_distil(workspace, held))
    for _ in range(_ATTEMPTS):
        state = _state(memory)
        choice = _distil(workspace, held)
        with writing(memory) as writer:
            if _state(memory) == state:
                return _write(held, writer, choice)
    with writing(memory) as writer:
        return _write(held, writer, _distil(workspace, held))


def _distil(workspace: Workspace, held: ExperienceIndex) -> Distillation:
    memory = held.files
    found = every_record(memory, file_names(memory))
    records = [each.record for each in found.values()]
    primary = set()
    for identity, each in found.items():
        if PRIMARY in each.names:
            primary.add(identity)
    # Superseded records must not become experiences either.
    forgotten = memory.forgotten().union(superseded(records))
    candidates = Candidates(records, primary, tuple(held.foreign()), forgotten)

    @lru_cache(_MOST_MASKED)  # categories and sessions repeat
    def mask(text: str) -> str:
        return mask_value(text, workspace)

    return distil(
        candidates,
        held.read().experiences,
        held.looked_at(),
        workspace.settings.experiences,
        mask,
    )


def _write(held: ExperienceIndex, writer: Writer, choice: Distillation) -> Extracted:
    if choice.gone:
        held.replace(writer, choice.gone, choice.added)
    elif choice.added:
        held.add(writer, choice.added)
    if choice.seen != held.looked_at():
        held.keep_looked_at(choice.seen)
    if choice.gone or choice.added:
        held.files.changed("experience")
    return _extracted(choice)


def _extracted(choice: Distillation) -> Extracted:
    return Extracted(
        choice.looked_at,
        choice.found,
        choice.duplicates,
        choice.evicted,
        choice.outcomes,
    )


def _state(memory: MemoryFiles) -> tuple[object, ...]:
    """Return the fingerprint of all input files, to detect concurrent changes."""
    names = (
        *file_names(memory),
        TOMBSTONES,
        EXPERIENCES,
        LOOKED_AT,
        FOREIGN_EXPERIENCES,
    )
    return tuple(memory.print(name) for name in names), memory.days()
