"""Statistics of a memory: counts per file and category, malformed lines, last
compaction.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from cuedeck.knowledge.compaction.compaction_stats import last_run
from cuedeck.knowledge.integrity.scan_records import find_findings
from cuedeck.knowledge.memory.forget_record import tombstones
from cuedeck.ledger.records.memory_files import PRIMARY
from cuedeck.ledger.records.record_lookup import every_record, file_names, superseded
from cuedeck.model.ports import Json
from cuedeck.model.secret import Word
from cuedeck.store.clock import local_now

if TYPE_CHECKING:
    from datetime import datetime

    from cuedeck.engine.workspace import Workspace
    from cuedeck.ledger.records.memory_files import MemoryFiles
    from cuedeck.model.ports import Json
    from cuedeck.model.settings_schema import Settings

_FIRST = 3
"""Maximal number of line numbers listed per kind of malformed line."""


def memory_stats(settings: Settings, memory: MemoryFiles) -> Json:
    """Return the statistics of one memory. Raises: StorageError."""
    files = [
        _file_row(memory, name) for name in (*file_names(memory), memory.long_memory)
    ]
    known = every_record(memory, [PRIMARY])
    records = [found.record for found in known.values()]
    replaced = superseded(records)
    times = [record.timestamp for record in records if record.timestamp]
    return {
        "profile": memory.profile.id,
        "root": memory.profile.root,
        "records": len(memory.primary.records),
        "files": [row for row in files if row is not None],
        "categories": _counted(record.category for record in records),
        "sensitivities": _counted(record.sensitivity for record in records),
        "superseded": sum(identity in replaced for identity in known),
        "oldest": min(times, default=None),
        "newest": max(times, default=None),
        "forgotten": len(tombstones(memory)),
        "last_compaction": last_run(memory),
        "limits": {
            "max_records": settings.memory.max_records or None,
            "max_chars": settings.memory.max_chars or None,
            "compaction": settings.compaction.enabled,
            "threshold_records": settings.compaction.threshold_records,
            "threshold_chars": settings.compaction.threshold_chars,
        },
    }


def _file_row(memory: MemoryFiles, name: str) -> Json | None:
    text = memory.text(name)
    if text is None:
        return None
    file = memory.read(name)
    kinds: dict[str, list[int]] = {}
    for number, line in enumerate(file.lines, 1):
        if line.fault:
            kinds.setdefault(line.fault, []).append(number)
    malformed = [
        {"kind": kind, "count": len(at), "lines": at[:_FIRST]}
        for kind, at in sorted(kinds.items())
    ]
    return {
        "path": memory.path(name),
        "records": len(file.records),
        "chars": len(text),
        "malformed": malformed,
    }


def _counted(words: Any) -> dict[str, int]:
    counts = Counter(words)
    ordered = sorted(counts, key=lambda word: (-counts[word], word))
    return {Word(word): counts[word] for word in ordered}


def check_integrity(
    workspace: Workspace, memory: MemoryFiles, now: datetime | None = None
) -> Json:
    """Return the integrity findings on MEMORY.md. Raises: StorageError."""
    records = memory.primary.records
    elsewhere = known_elsewhere(memory) if superseded(records) else frozenset()
    found = find_findings(
        records, now or local_now(), workspace.settings.memory.stale_days, elsewhere
    )
    return {
        "profile": memory.profile.id,
        "records": len(records),
        "not_analysed": 0,
        "findings": [each._asdict() for each in found],
    }


def known_elsewhere(memory: MemoryFiles) -> frozenset[str]:
    """Return the ids of archived or deleted records, to which MEMORY.md may refer.
    Raises: StorageError.
    """
    archived = (record.id for record in memory.archived.records)
    return frozenset((*archived, *tombstones(memory)))
