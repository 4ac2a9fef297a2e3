"""Scripted maintenance jobs and a memory for them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from sandbox import Sandbox

from cuedeck.knowledge.memory.run_maintenance import MaintenanceReport, tick

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
OFF = "[compaction]\nenabled = false\n[experiences]\nenabled = false\n"
BOTH = "[compaction]\nenabled = true\nthreshold_records = 20\n[experiences]\nenabled = true\n"
COMPACTING = "[compaction]\nenabled = true\nthreshold_records = 20\n"
EXTRACTING = "[experiences]\nenabled = true\n"
OTHERS = '[[profile]]\nid = "a"\nroot = "a"\n[[profile]]\nid = "b"\nroot = "b"\n'
CACHE = ".cuedeck/cache"
STATE = "memory-default.schedule.json"
HOLD = """
import sys
from datetime import datetime, UTC
from cuedeck.knowledge.memory import run_maintenance as module
from cuedeck.engine.open_workspace import open_workspace

def job(project, memory, now):
    print("began", flush=True)
    sys.stdin.read()
    return True, "", {}

module.MAINTENANCE_JOBS["compaction"] = job
print(module.tick(open_workspace(sys.argv[1], {}), now=datetime(2026, 5, 1, 12, tzinfo=UTC)).ran)
"""
Job = Callable[[Any, Any, Any], tuple[bool, str, dict[str, Any]]]


class ScriptedJobs:
    """Jobs that record each call and run a scripted action."""

    def __init__(self) -> None:
        self.ran: list[tuple[str, str]] = []
        self.acts: dict[tuple[str, str], Callable[[], Any]] = {}

    def job(self, name: str) -> Job:
        def run(
            workspace: Any, memory: Any, now: Any
        ) -> tuple[bool, str, dict[str, Any]]:
            self.ran.append((memory.profile.id, name))
            self.acts.get((memory.profile.id, name), lambda: None)()
            return True, "", {"before": 2, "after": 1}

        return run

    def take_names(self) -> list[str]:
        """Return the names of the jobs that ran since the last call."""
        found = [name for _, name in self.ran]
        self.ran.clear()
        return found


def write_records(
    sandbox: Sandbox, count: int, path: str = ".cuedeck/MEMORY.md"
) -> None:
    """Write a memory with the given number of records."""
    rows = (
        f'- {{"id":"r{number}","text":"t","category":"note"}}\n'
        for number in range(count)
    )
    sandbox.write(path, "# Memory\n\n" + "".join(rows))


def configure(sandbox: Sandbox, config: str, records: int = 3) -> Sandbox:
    sandbox.write(".cuedeck/config.toml", config)
    if records:
        write_records(sandbox, records)
    return sandbox


def run_tick(
    sandbox: Sandbox, now: datetime = NOON, **options: Any
) -> MaintenanceReport:
    """Run a tick in a new process context, as a new command does."""
    return tick(sandbox.workspace(), now=now, **options)


def fail(error: Exception) -> Callable[[], None]:
    def act() -> None:
        raise error

    return act
