"""The work of one process of a run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from benchmarks.scenes.cases import Case


class Plan(NamedTuple):
    """The cases of one clone and the requested systems."""

    clone: str
    cases: Sequence[Case]
    systems: Sequence[str]
    budgets: Sequence[int]
    folder: str
    """Folder that the process creates and writes to."""
    command: str | None = None
    """Command line of CueDeck; None for this checkout."""
    aider: str | None = None
    """The Python that has aider."""
    keep: str | None = None
    """Folder for every output, as `system-budget/case.txt`."""
