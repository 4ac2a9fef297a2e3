"""Figures of a memory: how much there is of what, what is malformed, when it was tended last."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from cuedeck.app.masking import Word
from cuedeck.app.memory.compaction.figures import last_run
from cuedeck.app.memory.finding import every_record, file_names
from cuedeck.app.memory.forgetting import tombstones
from cuedeck.memory.supersession import superseded
from cuedeck.store.memory.files import PRIMARY

if TYPE_CHECKING:
    from cuedeck.app.project import Project
    from cuedeck.store.memory.files import MemoryFiles

_FIRST = 3
"""Lines named of each kind of malformed line."""


def memory_stats(project: Project, memory: MemoryFiles) -> dict[str, Any]:
    """Return the figures of one memory. Raises: StorageError."""
    files = [_file_row(memory, name) for name in (*file_names(memory), memory.long_memory)]
    known = every_record(memory, [PRIMARY])
    replaced = superseded(found.record for found in known.values())
    records = [found.record for found in known.values()]
    settings = project.settings
    return {
        "profile": memory.profile.id,
        "root": memory.profile.root,
        "records": len(memory.primary.records),
        "files": [row for row in files if row is not None],
        "categories": _counted(record.category for record in records),
        "sensitivities": _counted(record.sensitivity for record in records),
        "superseded": sum(identity in replaced for identity in known),
        "oldest": min((record.timestamp for record in records if record.timestamp), default=None),
        "newest": max((record.timestamp for record in records if record.timestamp), default=None),
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


def _file_row(memory: MemoryFiles, name: str) -> dict[str, Any] | None:
    text = memory.text(name)
    if text is None:
        return None
    file = memory.read(name)
    kinds: dict[str, list[int]] = {}
    for number, line in enumerate(file.lines, 1):
        if line.fault:
            kinds.setdefault(line.fault, []).append(number)
    malformed = [{"kind": kind, "count": len(at), "lines": at[:_FIRST]} for kind, at in sorted(kinds.items())]
    return {"path": memory.path(name), "records": len(file.records), "chars": len(text), "malformed": malformed}


def _counted(words: Any) -> dict[str, int]:
    counted = sorted(Counter(words).items(), key=lambda each: (-each[1], each[0]))
    return {Word(word): count for word, count in counted}
