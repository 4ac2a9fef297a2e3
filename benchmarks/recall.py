"""Rows `recall`: search of a memory of 50,000 records.

The floor of a search in a live process is a bare FTS5 query of the same terms on a
table of the same texts; the floor of a command is an interpreter that does nothing.
"""

from __future__ import annotations

import os
import random
import sqlite3
import sys
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta

from benchmarks.figure import Figure, format_table, quantile
from benchmarks.lab import Lab

RECORDS = 50_000
_FEW_RECORDS = 1_000
_QUERIES = 200
_APPENDS = 60
_PROCESSES = 20
_VOCABULARY = 20_000
_SLOWEST = 3.0
"""Times the bare query that a search may take, in addition to `_CONSTANT_MS`."""
_CONSTANT_MS = 10.0
_MOST_STARTS = 8
_LEAST_RECORDS = 20_000
_SYLLABLES = "bacedifogulameniporusatevilomukaretisonu"


def measure(lab: Lab) -> list[Figure]:
    """Measure all rows in workspaces of their own."""
    figures = []
    appends = []
    for records in (_FEW_RECORDS, RECORDS):
        root = os.path.join(lab.folder, f"recall-{records}")
        texts = list(_texts(records))
        _lay_out(root, texts)
        lab.say(f"{records:,} records: first search")
        first = _first(root, records)
        lab.say(f"{records:,} records: {_APPENDS} appends")
        appends.append(_append(root, records))
        if records == RECORDS:
            figures.append(first)
            lab.say(f"{records:,} records: {_QUERIES} searches")
            figures.append(_live(root, texts))
            figures.append(_oneshot(lab, root, texts))
    return [*figures, *appends]


def _words(generator: random.Random) -> Iterator[str]:
    """Yield words whose frequencies fall as in natural language (Zipf)."""
    words = [
        "".join(_syllable(generator) for _ in range(generator.randint(2, 4)))
        for _ in range(_VOCABULARY)
    ]
    weights = [1 / (rank + 2) for rank in range(_VOCABULARY)]
    while True:
        yield from generator.choices(words, weights, k=10_000)


def _syllable(generator: random.Random) -> str:
    at = 2 * generator.randrange(len(_SYLLABLES) // 2)
    return _SYLLABLES[at : at + 2]


def _texts(records: int) -> Iterator[str]:
    generator = random.Random(7)
    words = _words(generator)
    for _ in range(records):
        yield " ".join(next(words) for _ in range(generator.randint(6, 24)))


def _lay_out(root: str, texts: Sequence[str]) -> None:
    os.makedirs(os.path.join(root, ".cuedeck"))
    start = datetime(2025, 1, 1, tzinfo=UTC)
    with open(_memory(root), "w", encoding="utf-8") as file:
        for number, text in enumerate(texts):
            moment = start + timedelta(minutes=10 * number)
            file.write(_line(f"{number:08x}", text, moment))


def _memory(root: str) -> str:
    return os.path.join(root, ".cuedeck", "MEMORY.md")


def _line(identity: str, text: str, moment: datetime) -> str:
    written = moment.strftime("%Y-%m-%dT%H:%M:%S.000Z")
    return (
        f'- {{"id":"{identity}-0000-4000-8000-000000000000","sessionId":"main",'
        f'"category":"note","text":"{text}","provenance":{{"sourceChannel":"cli",'
        f'"confidence":1,"timestamp":"{written}","sensitivity":"private-user"}}}}\n'
    )


def _first(root: str, records: int) -> Figure:
    """Measure the search that builds the index."""
    from cuedeck.engine.open_workspace import open_workspace
    from cuedeck.knowledge.recall.recall import recall

    workspace = open_workspace(root, {})
    started = time.perf_counter()
    busy = time.process_time()
    recall(workspace, "bace")
    busy = time.process_time() - busy
    seconds = time.perf_counter() - started
    workspace.close()
    note = f"records; {records / busy:,.0f} records/s of processor time"
    figure = Figure(
        "recall", "first", records, records / seconds, "records/s", None, note=note
    )
    return figure.at_least(_LEAST_RECORDS)


def _append(root: str, records: int) -> Figure:
    """Measure the reading of one new record, and count the units written for it."""
    from cuedeck.engine.open_workspace import open_workspace
    from cuedeck.knowledge.recall.sync_index import open_recall, sync_index

    workspace = open_workspace(root, {})
    workspace.refresh()
    index = open_recall(workspace).index(workspace)
    sync_index(workspace, workspace.index, index)
    written = index.rows_written
    times = []
    for number in range(_APPENDS):
        line = _line(f"new{number:05}", "a word that is new", datetime.now(UTC))
        with open(_memory(root), "a", encoding="utf-8") as file:
            file.write(line)
        started = time.perf_counter()
        sync_index(workspace, workspace.index, index)
        times.append((time.perf_counter() - started) * 1000)
    rows = index.rows_written - written
    workspace.close()
    note = f"records; {rows / _APPENDS:g} units written for each"
    return Figure(
        "recall", "append", records, quantile(times, 0.5), "ms", None, note=note
    )


def _queries(texts: Sequence[str]) -> list[str]:
    generator = random.Random(11)
    queries = []
    for _ in range(_QUERIES):
        words = generator.choice(texts).split()
        queries.append(" ".join(generator.sample(words, min(4, len(words)))))
    return queries


def _live(root: str, texts: Sequence[str]) -> Figure:
    """Search in one process, alternating with bare FTS5 queries of the same terms."""
    from cuedeck.engine.open_workspace import open_workspace
    from cuedeck.knowledge.recall.recall import recall
    from cuedeck.knowledge.recall.recall_query import parse_query

    bare = _bare_index(os.path.join(root, "bare.sqlite"), texts)
    workspace = open_workspace(root, {})
    recall(workspace, "bace")
    today = datetime.now(UTC).date()
    times, floors = [], []
    for query in _queries(texts):
        terms = parse_query(query, today).terms
        match = " OR ".join(f'"{term.stem}"' for term in terms)
        started = time.perf_counter()
        bare.execute(_BARE, (match,)).fetchall()
        between = time.perf_counter()
        recall(workspace, query)
        times.append((time.perf_counter() - between) * 1000)
        floors.append((between - started) * 1000)
    workspace.close()
    value, floor = quantile(times, 0.95), quantile(floors, 0.95)
    limit = _SLOWEST * floor + _CONSTANT_MS
    note = (
        f"records; p50 {quantile(times, 0.5):.1f} ms, bare {quantile(floors, 0.5):.1f}"
    )
    figure = Figure("recall", "live p95", RECORDS, value, "ms", floor, note=note)
    return figure._replace(
        bar=f"≤ {_SLOWEST:g}x + {_CONSTANT_MS:g} ms", met=value <= limit
    )


_BARE = "SELECT rowid FROM bare WHERE bare MATCH ? ORDER BY rank LIMIT 10"


def _bare_index(place: str, texts: Sequence[str]) -> sqlite3.Connection:
    from cuedeck.text.words import read_stems

    database = sqlite3.connect(place)
    database.execute("CREATE VIRTUAL TABLE bare USING fts5(stems, tokenize = 'ascii')")
    rows = ((" ".join(read_stems(text)),) for text in texts)
    database.executemany("INSERT INTO bare VALUES (?)", rows)
    database.commit()
    return database


def _oneshot(lab: Lab, root: str, texts: Sequence[str]) -> Figure:
    """Run `cuedeck recall` as a whole process, each time with another query."""
    lab.say(f"{RECORDS:,} records: {_PROCESSES} searches in processes")
    launch = lab.launch
    nothing = launch.python("-c", "pass")
    times, floors = [], []
    for query in _queries(texts)[:_PROCESSES]:
        floors.append(launch.seconds(nothing, root) * 1000)
        times.append(launch.seconds(launch.cuedeck("recall", query), root) * 1000)
    value, floor = quantile(times, 0.5), quantile(floors, 0.5)
    figure = Figure(
        "recall", "one-shot p50", RECORDS, value, "ms", floor, note="records"
    )
    return figure.against(_MOST_STARTS)


if __name__ == "__main__":
    with Lab() as opened:
        found = measure(opened)
    print(format_table(found), end="")
    sys.exit(any(figure.met is False for figure in found))
