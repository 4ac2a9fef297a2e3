"""The memo returns a result as long as its inputs are equal."""

from __future__ import annotations

import pytest

from cuedeck.context.ranking import memo as memo_module
from cuedeck.context.ranking.memo import Memo


def test_result_is_reused_while_its_inputs_are_equal() -> None:
    memo = Memo()
    first = memo.get("words", "a", ("hash", 1), list)
    assert memo.get("words", "a", ("hash", 1), list) is first
    second = memo.get("words", "a", ("hash", 2), list)
    assert second is not first
    assert memo.get("words", "a", ("hash", 1), list) is not first


def test_kinds_do_not_share_names() -> None:
    memo = Memo()
    assert memo.get("words", "a", 1, lambda: "words") == "words"
    assert memo.get("lines", "a", 1, lambda: "lines") == "lines"


def test_least_recently_used_result_of_a_kind_is_dropped_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(memo_module, "_MOST", 2)
    memo = Memo()
    kept = memo.get("words", "a", 0, list)
    dropped = memo.get("words", "b", 0, list)
    other = memo.get("lines", "b", 0, list)
    assert memo.get("words", "a", 0, list) is kept
    memo.get("words", "c", 0, list)
    assert memo.get("words", "a", 0, list) is kept
    assert memo.get("words", "b", 0, list) is not dropped
    assert memo.get("lines", "b", 0, list) is other


def test_dropped_result_is_computed_again() -> None:
    memo = Memo()
    first = memo.get("words", "a", 0, list)
    memo.forget("words", "a")
    memo.forget("words", "unknown")
    assert memo.get("words", "a", 0, list) is not first
