"""The jobs that a tick runs, by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any

from cuedeck.app.memory.due import COMPACTION, EXTRACTION

if TYPE_CHECKING:
    from cuedeck.app.project import Project
    from cuedeck.store.memory.files import MemoryFiles

Job = Callable[["Project", "MemoryFiles"], tuple[bool, str, dict[str, Any]]]
"""Does what is due for one memory; returns whether it ran, if not why, and what it counted."""


def _extract(project: Project, memory: MemoryFiles) -> tuple[bool, str, dict[str, Any]]:
    from cuedeck.app.experiences.extraction import extract

    counts = _table(extract(project, memory))
    del counts["outcomes"]
    return True, "", counts


def _compact(project: Project, memory: MemoryFiles) -> tuple[bool, str, dict[str, Any]]:
    from cuedeck.app.memory.compact import compact

    counts = _table(compact(project, memory))
    return counts.pop("ran"), counts.pop("reason"), counts


def _table(value: Any) -> Any:
    """Return a value with fields as JSON has it."""
    names = [each.name for each in fields(value)] if is_dataclass(value) else getattr(value, "_fields", None)
    return value if names is None else {name: _table(getattr(value, name)) for name in names}


JOBS: dict[str, Job] = {EXTRACTION: _extract, COMPACTION: _compact}
