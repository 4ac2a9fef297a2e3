"""Making experiences of records: of all that were not looked at before, wherever they stand."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.app.experiences.experience_repository import Held, held_of
from cuedeck.app.mask_answers import mask_value
from cuedeck.records.experiences.distil import Candidates, Distillation, Outcome, distil
from cuedeck.store.ledgers.experience_files import FOREIGN, LOOKED_AT
from cuedeck.store.memory.memory_files import EXPERIENCES, PRIMARY, TOMBSTONES

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace
    from cuedeck.store.memory.memory_files import MemoryFiles
    from cuedeck.store.memory.memory_writer import Writer

_MOST_MASKED = 1_000
_ATTEMPTS = 3
"""Times it is done without the lock, which those who remember something must not wait for."""


class Extracted(NamedTuple):
    """What an extraction did."""

    looked_at: int
    """Records that were not looked at before, also those that are too short or of another category."""
    added: int
    duplicates: int
    """Those that were joined with an experience."""
    evicted: int
    outcomes: tuple[Outcome, ...]
    """What became of each."""


def extract(project: Workspace, memory: MemoryFiles, *, dry_run: bool = False) -> Extracted:
    """Distil experiences of what was remembered since the last time. What is written is on disk then.

    With `dry_run` nothing is written, and the next time sees the same records.
    Raises: Locked, StorageError; then the next time sees the same records again.
    """
    held = held_of(memory)
    if dry_run:
        return _extracted(_distil(project, held))
    for _ in range(_ATTEMPTS):
        state = _state(memory)
        choice = _distil(project, held)
        with memory.writing() as writer:
            if _state(memory) == state:
                return _write(held, writer, choice)
    with memory.writing() as writer:
        return _write(held, writer, _distil(project, held))


def _distil(project: Workspace, held: Held) -> Distillation:
    from cuedeck.app.memory.forget_record import tombstones
    from cuedeck.app.memory.record_lookup import every_record, file_names
    from cuedeck.records.supersession import superseded

    memory = held.files
    found = every_record(memory, file_names(memory))
    candidates = Candidates(
        records=[each.record for each in found.values()],
        primary={identity for identity, each in found.items() if PRIMARY in each.names},
        imported=tuple(held.foreign()),
        # What was replaced is no experience either.
        forgotten={*tombstones(memory), *superseded(each.record for each in found.values())},
    )

    @lru_cache(_MOST_MASKED)  # categories and sessions come again and again
    def mask(text: str) -> str:
        return mask_value(text, project)

    return distil(candidates, held.read().experiences, held.looked_at(), project.settings.experiences, mask)


def _write(held: Held, writer: Writer, choice: Distillation) -> Extracted:
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
    return Extracted(choice.looked_at, choice.found, choice.duplicates, choice.evicted, choice.outcomes)


def _state(memory: MemoryFiles) -> tuple[object, ...]:
    """Return what tells that something changed meanwhile."""
    from cuedeck.app.memory.record_lookup import file_names

    names = (*file_names(memory), TOMBSTONES, EXPERIENCES, LOOKED_AT, FOREIGN)
    return tuple(memory.print(name) for name in names), memory.days()
