"""Fixtures of the tests of maintenance."""

from __future__ import annotations

import pytest
from scripted_jobs import ScriptedJobs

from cuedeck.knowledge.memory import run_maintenance
from cuedeck.knowledge.memory.due_jobs import COMPACTION, DREAM, EXTRACTION
from cuedeck.store.files.background_process import FORBIDDEN


@pytest.fixture
def jobs(monkeypatch: pytest.MonkeyPatch) -> ScriptedJobs:
    """Replace the real jobs by scripted ones, and start no background process."""
    made = ScriptedJobs()
    scripted = {name: made.job(name) for name in (EXTRACTION, DREAM, COMPACTION)}
    monkeypatch.setattr(run_maintenance, "MAINTENANCE_JOBS", scripted)
    monkeypatch.setenv(FORBIDDEN, "1")
    return made
