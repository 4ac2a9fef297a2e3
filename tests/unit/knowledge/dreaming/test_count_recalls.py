"""Counting the hits of answers."""

from __future__ import annotations

from typing import Any

import pytest
from planted_recalls import DAY, FACT, LOG, TODAY, dream, opened
from sandbox import Sandbox

from cuedeck.knowledge.dreaming.count_recalls import count_answer, query_key
from cuedeck.ledger.records import recall_hits
from cuedeck.ledger.records.memory_files import RECALLS
from cuedeck.ledger.records.recall_hits import read_recalls
from cuedeck.model.recall_values import STRONG_SCORE
from cuedeck.store.files.file_lock import locked


def hit(address: str, path: str, lines: list[int], score: float) -> dict[str, Any]:
    return {"address": address, "path": path, "lines": lines, "score": score}


def test_every_hit_is_counted_and_only_the_best_are_strong(sandbox: Sandbox) -> None:
    workspace, memory = opened(sandbox)
    hits = [
        hit("record:a", ".cuedeck/MEMORY.md", [9, 9], 8.0),
        hit("record:b", ".cuedeck/MEMORY.md", [4, 4], 7.9),
        hit("docs/auth.md#Login", "docs/auth.md", [3, 7], 7.8),
        hit("record:c", ".cuedeck/MEMORY.md", [2, 2], 1.0),
    ]
    count_answer(workspace, "where is staging?", hits, DAY)
    totals = read_recalls(memory).totals
    scores = [total.last.score for total in totals.values()]
    assert len(scores) == 4 and scores == sorted(scores, reverse=True)
    assert scores[0] == 1 and scores[2] < STRONG_SCORE
    assert [bool(total.strong) for total in totals.values()] == [
        True,
        True,
        False,
        False,
    ]


def test_word_order_endings_and_stop_words_do_not_change_a_query() -> None:
    assert query_key("Where is the staging port?") == query_key("ports of staging")
    assert query_key("release 2025") != query_key("release 2026")
    assert query_key("who are we") != query_key("who are they")


def test_a_passage_is_counted_by_its_lines_in_the_log(sandbox: Sandbox) -> None:
    sandbox.write(LOG, f"# Day\n\nBefore.\n\n- {FACT}\n  with TLS.\n")
    workspace, _ = opened(sandbox)
    for number in range(3):
        day = DAY.replace(day=DAY.day - number)
        answer = [hit(f"{LOG}#L5-L6", LOG, [5, 6], 3.0)]
        count_answer(workspace, f"question {number}", answer, day)
    (promotion,) = dream(sandbox).promotions
    assert promotion.record.text == f"{FACT} with TLS."
    assert promotion.source == f"{LOG}#L5-L6"


def test_a_held_lock_or_an_unwritable_log_fails_no_answer(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace, memory = opened(sandbox)
    monkeypatch.setattr(recall_hits, "PATIENCE_SECONDS", 0)
    hits = [hit("record:a", ".cuedeck/MEMORY.md", [1, 1], 1.0)]
    with locked(memory.workspace, memory.lock):
        count_answer(workspace, "staging", hits, TODAY.date())
    assert read_recalls(memory).totals == {}
    sandbox.place(f".cuedeck/{RECALLS}").mkdir(parents=True)
    count_answer(workspace, "staging", hits, TODAY.date())


def test_workspace_that_counts_no_recalls_writes_nothing(sandbox: Sandbox) -> None:
    workspace, memory = opened(sandbox)
    workspace.counts_recalls = False
    hits = [hit("record:a", ".cuedeck/MEMORY.md", [1, 1], 1.0)]
    count_answer(workspace, "staging", hits, DAY)
    assert read_recalls(memory).totals == {}
    assert not sandbox.place(f".cuedeck/{RECALLS}").exists()
