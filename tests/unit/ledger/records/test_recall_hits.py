"""The log of recall hits: nothing is lost, and it stays small."""

from __future__ import annotations

import subprocess
import sys

import pytest
from sandbox import Sandbox

from cuedeck.ledger.records import recall_hits as module
from cuedeck.ledger.records.memory_files import RECALLS, MemoryFiles
from cuedeck.ledger.records.memory_profiles import memory_of
from cuedeck.ledger.records.recall_hits import append_hits, read_recalls, remove_recalls
from cuedeck.model.recall_hit import RecallHit

PLACE = b'{"address":"record:x","path":"p","line":1,"text":"k"'
HUGE = b"1" + b"0" * 400
LOG = f".cuedeck/{RECALLS}"
_APPEND = """
import sys
from cuedeck.ledger.records.memory_profiles import memory_of
from cuedeck.engine.open_workspace import open_workspace
from cuedeck.model.recall_hit import RecallHit
from cuedeck.ledger.records import recall_hits

recall_hits.MAX_BYTES = 1  # every append folds
recall_hits.MAX_FOLDED_BYTES = 6_000
memory = memory_of(open_workspace(sys.argv[1], {}))
for number in range(150):
    identity = f"record:r{number % 7}"
    hit = RecallHit(identity, "MEMORY.md", 1, "k", f"q{number % 3}", 1.0, "2026-11-22")
    recall_hits.append_hits(memory, [hit])
"""


@pytest.fixture
def memory(sandbox: Sandbox) -> MemoryFiles:
    return memory_of(sandbox.workspace())


def hit(name: str, query: str = "q", day: str = "2026-11-22") -> RecallHit:
    return RecallHit(f"record:{name}", "MEMORY.md", 1, "k", query, 0.75, day)


def test_two_processes_lose_none_of_300_counts(
    sandbox: Sandbox, memory: MemoryFiles
) -> None:
    command = [sys.executable, "-c", _APPEND, str(sandbox.root)]
    processes = [subprocess.Popen(command, env=sandbox.environ) for _ in range(2)]
    assert [process.wait() for process in processes] == [0, 0]
    totals = read_recalls(memory).totals
    assert sum(total.count for total in totals.values()) == 300
    assert {total.queries for total in totals.values()} != {()}
    assert sandbox.place(LOG).stat().st_size < 8_000


def test_a_fold_keeps_counts_days_and_queries(
    sandbox: Sandbox, memory: MemoryFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    hits = [
        hit(f"r{number % 5}", f"q{number % 4}", f"2026-11-{number % 9 + 1:02}")
        for number in range(90)
    ]
    append_hits(memory, hits)
    before = read_recalls(memory)
    monkeypatch.setattr(module, "MAX_BYTES", 0)
    append_hits(memory, [hit("r0")])
    after = read_recalls(memory)
    assert sandbox.place(LOG).read_bytes().count(b"\n") == 5
    for key, total in before.totals.items():
        assert after.totals[key].count == total.count + (key == "record:r0")
        names = {query for query, *_ in after.totals[key].queries}
        assert names >= {query for query, *_ in total.queries}
        assert set(dict(after.totals[key].days)) >= set(dict(total.days))


def test_a_fold_drops_the_texts_not_recalled_for_longest(
    sandbox: Sandbox, memory: MemoryFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    append_hits(memory, [hit(f"r{number}") for number in range(50)])
    monkeypatch.setattr(module, "MAX_BYTES", 0)
    monkeypatch.setattr(module, "MAX_FOLDED_BYTES", 1_000)
    append_hits(memory, [hit("r0")])
    keys = list(read_recalls(memory).totals)
    assert keys[-1] == "record:r0" and "record:r1" not in keys
    assert sandbox.place(LOG).stat().st_size <= 1_000


@pytest.mark.parametrize(
    "damage",
    [
        b'{"address":"record:r0","path"',
        b"\x00\xff\xfe",
        b"[1,2]",
        PLACE + b',"query":"q","score":NaN,"date":"2026-11-22"}',
        PLACE + b',"query":"q","score":1,"date":"2026-13-99"}',
        PLACE + b',"query":"q","score":true,"date":"2026-11-22"}',
        PLACE + b',"count":0,"score":1,"days":[],"queries":[]}',
        PLACE + b',"count":1,"score":1,"days":[["2026-11-22",0]],"queries":[]}',
        PLACE + b',"query":"q","score":' + HUGE + b',"date":"2026-11-22"}',
        PLACE + b',"query":"q","score":-' + HUGE + b',"date":"2026-11-22"}',
        PLACE + b',"count":' + HUGE + b',"score":1,"days":[],"queries":[]}',
        PLACE + b',"count":1,"score":' + HUGE + b',"days":[],"queries":[]}',
        PLACE
        + b',"count":1,"score":1,"days":[["2026-11-22",'
        + HUGE
        + b']],"queries":[]}',
        PLACE
        + b',"count":1,"score":1,"days":[],"queries":[["q","2026-11-22",'
        + HUGE
        + b"]]}",
        PLACE.replace(b":1,", b":" + HUGE + b",")
        + b',"query":"q","score":1,"date":"2026-11-22"}',
    ],
)
def test_a_damaged_line_loses_only_itself(
    sandbox: Sandbox, memory: MemoryFiles, damage: bytes
) -> None:
    append_hits(memory, [hit("r0")])
    place = sandbox.place(LOG)
    place.write_bytes(place.read_bytes() + damage)
    append_hits(memory, [hit("r0")])
    found = read_recalls(memory)
    assert (found.totals["record:r0"].count, found.malformed) == (2, 1)


def test_the_log_is_private_and_contains_no_words(
    sandbox: Sandbox, memory: MemoryFiles
) -> None:
    append_hits(memory, [hit("r0")])
    assert sandbox.place(LOG).stat().st_mode & 0o077 == 0


def test_removing_nothing_writes_nothing(sandbox: Sandbox, memory: MemoryFiles) -> None:
    assert remove_recalls(memory, lambda total: False) == 0
    assert not sandbox.place(LOG).exists()
    append_hits(memory, [hit("r0"), hit("r1")])
    before = sandbox.place(LOG).read_bytes()
    assert remove_recalls(memory, lambda total: True) == 0
    assert sandbox.place(LOG).read_bytes() == before
    assert remove_recalls(memory, lambda total: total.record_id == "r1") == 1
    assert list(read_recalls(memory).totals) == ["record:r1"]
