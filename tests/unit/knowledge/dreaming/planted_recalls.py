"""A memory with recalls that are planted day by day."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from sandbox import Sandbox

from cuedeck.engine.workspace import Workspace
from cuedeck.knowledge.dreaming.count_recalls import AnsweredText, count_recalls
from cuedeck.knowledge.dreaming.run_dream import DreamReport, run_dream
from cuedeck.ledger.records.memory_files import MemoryFiles, memory_of

TODAY = datetime(2026, 11, 22, 3, tzinfo=UTC)
DAY = TODAY.date()
FACT = "The staging database listens on port 5433"
LOG = ".cuedeck/memory/2026-11-18.md"


def opened(sandbox: Sandbox) -> tuple[Workspace, MemoryFiles]:
    workspace = sandbox.workspace()
    return workspace, memory_of(workspace)


def dream(
    sandbox: Sandbox, now: datetime = TODAY, *, dry_run: bool = False
) -> DreamReport:
    """Run a night as a new command would."""
    return run_dream(*opened(sandbox), now=now, dry_run=dry_run)


def record(identity: str, text: str = FACT) -> AnsweredText:
    return AnsweredText(f"record:{identity}", ".cuedeck/MEMORY.md", 1, text, 1.0)


def passage(line: int, text: str, path: str = LOG) -> AnsweredText:
    return AnsweredText(f"{path}#L{line}", path, line, text, 1.0)


def recall(
    memory: MemoryFiles,
    answer: AnsweredText,
    *,
    days: int = 3,
    queries: int = 3,
    age: int = 0,
    today: date = DAY,
) -> None:
    """Count a recall on each of the last days, by queries in turn."""
    for number in range(max(days, queries)):
        day = today - timedelta(days=age + number % days)
        query = f"question {number % queries} about staging"
        count_recalls(memory, query, [answer], day)
