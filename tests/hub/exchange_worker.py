"""Process of a crash test: appends entries of all kinds to a copy, or exchanges them.

    exchange_worker.py write ROOT NAME COUNT DAYS
    exchange_worker.py exchange ROOT

A writer prints the id of each entry once it is on disk. DAYS is how far its clock is
ahead. A process that exchanges ends with its input, after a complete exchange.
"""

from __future__ import annotations

import datetime
import os
import select
import sys

from cuedeck.engine.open_workspace import open_workspace
from cuedeck.knowledge.exchange.run_exchange import Exchange
from cuedeck.ledger.kinds.experience_kind import EXPERIENCE
from cuedeck.ledger.records.memory_files import memory_of
from cuedeck.model.errors import CueDeckError
from cuedeck.model.memory_record import Experience
from cuedeck.store import clock

KINDS = ("decision", "attempt", "record", "experience")


def write(root: str, name: str, count: int, days: int) -> None:
    ahead = datetime.timedelta(days=days)

    class Clock(datetime.datetime):
        @classmethod
        def now(cls, tz: datetime.tzinfo | None = None) -> datetime.datetime:  # type: ignore[override]
            return datetime.datetime.now(tz) + ahead

    clock.datetime = Clock  # type: ignore[attr-defined]
    workspace = open_workspace(root, os.environ)
    memory = memory_of(workspace)
    for number in range(count):
        kind = KINDS[number % len(KINDS)]
        identity = f"{name}-{number}"
        text = f"{kind} {number} of {name}"
        if kind == "record":
            origin = {"timestamp": "2026-05-03T09:00:00Z", "sensitivity": "public"}
            value = {"id": identity, "text": text, "provenance": origin}
            memory.add_records([value], "2026-05-03")
        elif kind == "experience":
            found = Experience(identity, text, sensitivity="public")
            memory.append_entries(EXPERIENCE, [found])
        else:
            field = "decision" if kind == "decision" else "tried"
            row = {"id": identity, field: text, "failed": "no"}
            workspace.ledger.append(
                f"{kind}s", lambda entries, now, row=row: [{**row, "timestamp": now}]
            )
        print(f"{kind}:{identity}", flush=True)
    workspace.close()


def exchange(root: str) -> None:
    workspace = open_workspace(root, os.environ)
    copy = Exchange(workspace, os.path.basename(root))
    is_last = done = False
    while not (is_last and done):
        is_last = bool(select.select([sys.stdin], [], [], 0.05)[0])
        try:
            copy.run()
            done = True
        except CueDeckError:
            done = False
    copy.hub.close()
    workspace.close()


if __name__ == "__main__":
    if sys.argv[1] == "write":
        write(sys.argv[2], sys.argv[3], int(sys.argv[4]), int(sys.argv[5]))
    else:
        exchange(sys.argv[2])
