"""Entries survive cut connections, a killed server and a wrong clock."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psycopg
import pytest
from hub_server import Database, HubServer, serving
from sandbox import Sandbox

from cuedeck.ledger.exchange_files import ExchangeFiles
from cuedeck.ledger.merge_rows import KINDS, format_rows, union
from cuedeck.store.workspace_paths import WorkspacePaths

pytestmark = pytest.mark.slow
COPIES, WRITERS = 8, 2
ENTRIES = int(os.environ.get("CUEDECK_HUB_ENTRIES", "960"))
"""Entries of all writers together."""
WORKER = Path(__file__).parent / "exchange_worker.py"


@pytest.fixture
def own_server() -> Iterator[HubServer]:
    """A server that syncs to disk and that the test may kill."""
    yield from serving(synced=True)


def start(one: Sandbox, *arguments: str, **pipes: int) -> subprocess.Popen[str]:
    environ = {**one.environ, "PYTHONPATH": f"{WORKER.parents[2]}"}
    command = [sys.executable, str(WORKER), *arguments]
    return subprocess.Popen(command, env=environ, text=True, **pipes)


def disturb(server: HubServer, chance: random.Random) -> None:
    """Cut all connections, or kill the server and start it again."""
    if chance.random() < 0.3:
        server.kill()
        server.start(synced=True)
        return
    with psycopg.connect(server.url("template1"), autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'anna'"
        )


def test_no_acknowledged_entry_is_lost_or_doubled(
    own_server: HubServer, sandbox: Sandbox, tmp_path: Path
) -> None:
    database = Database(own_server, own_server.hub("crashes", "anna"))
    sandbox.environ["CUEDECK_EXCHANGE__HUB"] = database.url("anna")
    sandbox.ok("exchange", "--yes")
    config = sandbox.place(".cuedeck/config.toml").read_text()
    copies = [sandbox]
    for number in range(1, COPIES):
        root = tmp_path / f"copy{number}"
        (root / ".cuedeck").mkdir(parents=True)
        copies.append(Sandbox(root, sandbox.environ))
        copies[-1].write(".cuedeck/config.toml", config)
        copies[-1].ok("exchange", "--yes")
    exchangers, writers = [], []
    for number, one in enumerate(copies):
        place = str(one.root)
        exchangers.append(start(one, "exchange", place, stdin=subprocess.PIPE))
        for writer in range(WRITERS):
            days = "1" if number == 1 else "0"
            count = str(ENTRIES // COPIES // WRITERS)
            name = f"w{number}x{writer}"
            writers.append(
                start(one, "write", place, name, count, days, stdout=subprocess.PIPE)
            )
    chance = random.Random(7)
    acknowledged: list[str] = []
    disturbances = 0
    for each in writers:
        while each.poll() is None:
            disturb(own_server, chance)
            disturbances += 1
            with suppress(subprocess.TimeoutExpired):
                each.wait(1)
        out, _ = each.communicate()
        acknowledged += out.split()
    print(f"{disturbances} disturbances")
    assert disturbances
    for each in exchangers:
        each.communicate("", timeout=600)
        assert each.returncode == 0
    for one in (*copies, *copies):
        one.ok("exchange")
    assert len(acknowledged) == ENTRIES
    bodies = database.sql("SELECT id, count(*) FROM cuedeck.entries GROUP BY id")
    assert {str(name): count for name, count in bodies} == Counter(acknowledged)
    states = set()
    for one in copies:
        files = ExchangeFiles(WorkspacePaths(str(one.root)))
        rows = union(row for kind in KINDS for row in files.rows(kind))
        assert Counter(row.id for row in rows) == Counter(acknowledged)
        states.add(format_rows(rows))
        shown = one.answer("decision", "list", "--all")["decisions"]
        decided = [name for name in acknowledged if name.startswith("decision:")]
        assert Counter(f"decision:{each['id']}" for each in shown) == Counter(decided)
    assert len(states) == 1
