"""What in a memory contradicts itself, is replaced, or went stale; nothing is changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cuedeck.memory.integrity.findings import find_findings
from cuedeck.store.clock import local_now

if TYPE_CHECKING:
    from datetime import datetime

    from cuedeck.app.project import Project
    from cuedeck.store.memory.files import MemoryFiles


def check_integrity(project: Project, memory: MemoryFiles, now: datetime | None = None) -> dict[str, Any]:
    """Return the findings on MEMORY.md. Raises: StorageError."""
    records = memory.primary.records
    found = find_findings(records, now or local_now(), project.settings.memory.stale_days)
    return {"profile": memory.profile.id, "records": len(records), "findings": [each._asdict() for each in found]}
