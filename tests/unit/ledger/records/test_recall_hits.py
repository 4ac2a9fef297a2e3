"""The log of recall hits: appended by every process, and short."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sandbox import Sandbox

from cuedeck.ledger.records import recall_hits as module
from cuedeck.ledger.records.memory_files import RECALLS, MemoryFiles, memory_of
from cuedeck.ledger.records.recall_hits import (
    append_hits,
    parse_recall_log,
    read_recalls,
    remove_recalls,
    text_key,
)
from cuedeck.model.recall_values import RecallHit

PLACE = b'{"address":"record:x","path":"p","line":1,"text":"k","query":"q",'
LOG = f".cuedeck/{RECALLS}"
_APPEND = """
import sys
from cuedeck.ledger.records.memory_files import memory_of
from cuedeck.engine.open_workspace import open_workspace
from cuedeck.model.recall_values import RecallHit
from cuedeck.ledger.records import recall_hits

recall_hits.PATIENCE_SECONDS = 60
memory = memory_of(open_workspace(sys.argv[1], {}))
for number in range(50):
    identity = f"record:r{number % 7}"
    hit = RecallHit(identity, "MEMORY.md", 1, "k", f"q{number % 3}", 1.0, "2026-11-22")
    recall_hits.append_hits(memory, [hit])
"""


@pytest.fixture
def memory(sandbox: Sandbox) -> MemoryFiles:
    return memory_of(sandbox.workspace())


def hit(name: str, query: str = "q", score: float = 0.75) -> RecallHit:
    return RecallHit(f"record:{name}", "MEMORY.md", 1, "k", query, score, "2026-11-22")


def test_list_marks_and_line_breaks_do_not_change_a_text() -> None:
    assert text_key("- The port\n  is 5433.") == text_key("The port is 5433")
    assert text_key("The port is 5433") != text_key("The port is 5434")


@given(st.binary(max_size=400))
def test_any_bytes_are_read(data: bytes) -> None:
    parse_recall_log(data)


def test_totals_count_the_strong_hits_of_each_query(memory: MemoryFiles) -> None:
    append_hits(memory, [hit("a", "q1"), hit("a", "q1"), hit("a", "q2")])
    append_hits(memory, [hit("a", "q3", score=0.1)])
    total = read_recalls(memory).totals["record:a"]
    assert len(total.hits) == 4
    assert [each.query_key for each in total.strong] == ["q1", "q1", "q2"]


def test_two_processes_lose_none_of_their_counts(
    sandbox: Sandbox, memory: MemoryFiles
) -> None:
    command = [sys.executable, "-c", _APPEND, str(sandbox.root)]
    processes = [subprocess.Popen(command, env=sandbox.environ) for _ in range(2)]
    assert [process.wait() for process in processes] == [0, 0]
    totals = read_recalls(memory).totals
    assert sum(len(total.hits) for total in totals.values()) == 100


def test_the_older_half_of_a_long_log_is_dropped(
    sandbox: Sandbox, memory: MemoryFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    append_hits(memory, [hit(f"r{number}") for number in range(50)])
    monkeypatch.setattr(module, "MAX_BYTES", 2_000)
    append_hits(memory, [hit("r0")])
    log = read_recalls(memory)
    assert list(log.totals)[-1] == "record:r0" and "record:r1" not in log.totals
    assert log.malformed == 0
    assert sandbox.place(LOG).stat().st_size <= 1_000


@pytest.mark.parametrize(
    "damage",
    [
        b'{"address":"record:r0","path"',
        b"\x00\xff\xfe",
        b"[1,2]",
        PLACE + b'"score":NaN,"date":"2026-11-22"}',
        PLACE + b'"score":1,"date":"2026-13-99"}',
        PLACE + b'"score":true,"date":"2026-11-22"}',
        PLACE + b'"score":1' + b"0" * 400 + b',"date":"2026-11-22"}',
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
    assert (len(found.totals["record:r0"].hits), found.malformed) == (2, 1)
    assert place.stat().st_mode & 0o077 == 0


def test_removing_nothing_writes_nothing(sandbox: Sandbox, memory: MemoryFiles) -> None:
    assert remove_recalls(memory, lambda total: False) == 0
    assert not sandbox.place(LOG).exists()
    append_hits(memory, [hit("r0"), hit("r1")])
    before = sandbox.place(LOG).read_bytes()
    assert remove_recalls(memory, lambda total: True) == 0
    assert sandbox.place(LOG).read_bytes() == before
    assert remove_recalls(memory, lambda total: total.record_id == "r1") == 1
    assert list(read_recalls(memory).totals) == ["record:r1"]
