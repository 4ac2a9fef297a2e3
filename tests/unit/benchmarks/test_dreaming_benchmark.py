"""The benchmark of dreaming: its planted sets are the same in every run."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.dreaming import DECOYS, FACTS, PRECISION, RECALL, measure
from cuedeck.store.files.background_process import FORBIDDEN

pytestmark = pytest.mark.slow


def test_a_small_planted_set_reaches_the_bars(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(FORBIDDEN, "1")
    found = measure(str(tmp_path), 0, records=200, misses=0.0)
    assert len(found.planted.facts) == FACTS
    decoys = (found.planted.headers, found.planted.stale, found.planted.one_query)
    assert [len(each) for each in decoys] == [DECOYS] * 3
    assert len(set(found.promoted)) == len(found.promoted)
    assert found.precision >= PRECISION
    assert found.recall >= RECALL


def test_chance_hits_of_other_queries_promote_few_decoys(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(FORBIDDEN, "1")
    found = measure(str(tmp_path), 4, misses=0.05)
    assert found.precision >= PRECISION
    assert found.recall >= RECALL
