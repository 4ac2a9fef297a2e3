"""Figures of the exchange on a PostgreSQL of this machine:

    python -m benchmarks.hub latency [COPIES]    until a decision is in another copy
    python -m benchmarks.hub catchup [ENTRIES]   a copy that was away
    python -m benchmarks.hub search [ENTRIES]    full-text search of one workspace

The server is that of the tests, started with fsync for `latency`.
"""

from __future__ import annotations

import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psycopg

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from hub_server import HubServer  # noqa: E402

from cuedeck.engine.open_workspace import open_workspace  # noqa: E402
from cuedeck.knowledge.exchange.run_exchange import Exchange  # noqa: E402
from cuedeck.ledger.kinds.decision_kind import DECISION  # noqa: E402
from cuedeck.store.entries.postgres import Hub  # noqa: E402

WORDS = [f"word{number}" for number in range(20_000)]
RARE = "rareword"


def copy_of(folder: Path, url: str, workspace: str) -> str:
    """Create a workspace; return its root."""
    (folder / ".cuedeck").mkdir(parents=True)
    text = f'[exchange]\nworkspace = "{workspace}"\n'
    (folder / ".cuedeck" / "config.toml").write_text(text)
    os.environ["CUEDECK_EXCHANGE__HUB"] = url
    workspace_ = open_workspace(str(folder), os.environ)
    Exchange(workspace_, folder.name).agree(workspace)
    workspace_.close()
    return str(folder)


def percentile(values: list[float], share: float) -> float:
    return sorted(values)[int(share * (len(values) - 1))]


def latency(server: HubServer, folder: Path, copies: int) -> None:
    server.hub("latency", "anna")
    url = server.url("latency", "anna")
    roots = [copy_of(folder / f"c{n}", url, "shop") for n in range(copies)]
    command = [sys.executable, "-m", "cuedeck", "exchange", "--follow"]
    live = [subprocess.Popen([*command, "-C", root]) for root in roots]
    sender, receiver = (
        open_workspace(root, os.environ) for root in (roots[0], roots[-1])
    )
    found: list[float] = []
    for number in range(-3, 60):
        text = f"decision {number}"
        row = {"id": f"d{number}", "decision": text}
        sender.ledger.append(
            "decisions", lambda entries, now, row=row: [{**row, "timestamp": now}]
        )
        begun = time.monotonic()
        while not any(
            each.decision == text for each in receiver.ledger.entries(DECISION)
        ):
            time.sleep(0.01)
        if number >= 0:
            found.append(time.monotonic() - begun)
        time.sleep(random.random())
    for each in live:
        each.terminate()
        each.wait()
    print(f"{copies} live copies, {len(found)} decisions, seconds until another copy")
    print(f"p50 {statistics.median(found):.2f}  p95 {percentile(found, 0.95):.2f}")


def fill(server: HubServer, database: str, entries: int) -> None:
    """Insert entries of 25 words, as `append` would; one in 10,000 has a rare word."""
    body = (
        '\'{"id": "k\' || n || \'", "timestamp": "2026-05-03T09:00:00Z", "decision": "\' ||'
        " (SELECT string_agg('word' || (hashint8(n * 31 + w) & 16383), ' ') FROM generate_series(1, 25) w)"
        f" || CASE WHEN n % 10000 = 0 THEN ' {RARE}' || n % 100000 ELSE '' END || '\"}}'"
    )
    server.sql(
        database,
        f"INSERT INTO cuedeck.entries SELECT 'shop', n, 'decision:k' || n, sha256(convert_to(b, 'UTF8')), '',"
        f" 'decision', 'anna', 'm', n, b FROM (SELECT n, {body} AS b FROM generate_series(1, {entries}) n) x",
        f"UPDATE cuedeck.workspaces SET last = {entries} WHERE id = 'shop'",
        "ANALYZE cuedeck.entries",
    )


def catchup(server: HubServer, folder: Path, entries: int) -> None:
    server.hub("catchup", "anna")
    hub = Hub(server.url("catchup", "anna"))
    hub.register("shop", "")
    hub.close()
    fill(server, "catchup", entries)
    root = copy_of(folder / "c", server.url("catchup", "anna"), "shop")
    copy = Exchange(open_workspace(root, os.environ), "m")
    begun, used = time.monotonic(), time.process_time()
    done = copy.run()
    seconds, used = time.monotonic() - begun, time.process_time() - used
    print(
        f"{done['received']:,} entries in {seconds:.2f} s: {entries / seconds:,.0f}/s"
    )
    print(f"processor time of the copy: {used:.2f} s, {entries / used:,.0f}/s")
    copy.run()
    with psycopg.connect(server.url("catchup"), autocommit=True) as connection:
        connection.execute("ALTER SYSTEM SET log_statement = 'all'")
        connection.execute("SELECT pg_reload_conf()")
    time.sleep(1)
    log = server.folder / "log"
    before = log.read_text().count("FROM cuedeck.")
    copy.run()
    print("queries without news:", log.read_text().count("FROM cuedeck.") - before)
    copy.hub.close()


def search(server: HubServer, folder: Path, entries: int) -> None:
    server.hub("search", "anna")
    hub = Hub(server.url("search", "anna"))
    hub.register("shop", "")
    begun = time.monotonic()
    fill(server, "search", entries)
    print(f"filled in {time.monotonic() - begun:.0f} s")
    size = "SELECT sum(pg_total_relation_size(inhrelid)) FROM pg_inherits WHERE inhparent = 'cuedeck.entries'::regclass"
    ((total,),) = server.sql("search", size)
    body = "SELECT avg(octet_length(body)) FROM cuedeck.entries WHERE seq < 1000"
    ((mean,),) = server.sql("search", body)
    print(f"{int(str(total)) / entries:.0f} bytes an entry; its line has {mean:.0f}")
    found: list[float] = []
    for number in range(100):
        begun = time.monotonic()
        rows = hub.search("shop", f"{RARE}{number % 10 * 10000}", 20)
        found.append((time.monotonic() - begun) * 1_000)
        assert rows
    two: list[float] = []
    for number in range(100):
        begun = time.monotonic()
        hub.search("shop", f"word{number * 7} word{number * 11 + 1}", 20)
        two.append((time.monotonic() - begun) * 1_000)
    hub.close()
    for name, values in (("one rare word", found), ("two words of 25", two)):
        print(json.dumps({"words": name, "p50": round(percentile(values, 0.5), 1),
                          "p95": round(percentile(values, 0.95), 1)}))  # fmt: skip


SIZES = {
    "latency": (latency, 50),
    "catchup": (catchup, 100_000),
    "search": (search, 5_000_000),
}


def main(name: str, *size: str) -> None:
    run, default = SIZES[name]
    with tempfile.TemporaryDirectory(prefix="cuedeck-hub-") as place:
        server = HubServer(Path(place) / "hub")
        server.start(synced=name == "latency")
        try:
            run(server, Path(place), int(size[0]) if size else default)
        finally:
            server.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
