"""What in a memory contradicts itself, is replaced, or went stale; nothing is changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cuedeck.app.memory.forgetting import tombstones
from cuedeck.memory.integrity.findings import find_findings
from cuedeck.memory.supersession import superseded
from cuedeck.store.clock import local_now

if TYPE_CHECKING:
    from datetime import datetime

    from cuedeck.app.project import Project
    from cuedeck.store.memory.files import MemoryFiles


def check_integrity(project: Project, memory: MemoryFiles, now: datetime | None = None) -> dict[str, Any]:
    """Return the findings on MEMORY.md. Raises: StorageError."""
    records = memory.primary.records
    elsewhere = known_elsewhere(memory) if superseded(records) else frozenset()
    found = find_findings(records, now or local_now(), project.settings.memory.stale_days, elsewhere)
    return {"profile": memory.profile.id, "records": len(records), "findings": [each._asdict() for each in found]}


def known_elsewhere(memory: MemoryFiles) -> frozenset[str]:
    """Return the ids of records that MEMORY.md may speak of without holding them. Raises: StorageError."""
    return frozenset((*(each.id for each in memory.archived.records), *tombstones(memory)))
