"""Scores of outputs."""

from __future__ import annotations

import pytest
from small_history import PRICE, TEST, History

from benchmarks.scenes.baselines.piece import piece
from benchmarks.scenes.prepare import Reference, Sight, prepare
from benchmarks.scenes.score import Missed, score


@pytest.fixture(scope="module")
def reference(history: History) -> Reference:
    return prepare(history.case, history.snapshot, Sight())


def test_shared_and_short_lines_are_ignored(reference: Reference) -> None:
    assert reference.changed["shop/price.py"] == [
        "total_of_all_rows = sum(basket)",
        "return total_of_all_rows",
    ]
    assert reference.changed["tests/test_main.py"] == ["assert checkout([]) == 0"]
    assert "return 0" not in reference.distinct["shop/price.py"]
    assert reference.alone["shop/price.py"] == [True]
    assert "logo.bin" in reference.paths


def test_complete_output_has_a_full_score(
    history: History, reference: Reference
) -> None:
    found = score(
        history.case,
        reference,
        piece("shop/price.py", PRICE) + piece("tests/test_main.py", TEST),
    )
    assert (found.file, found.symbol, found.line, found.mrr, found.full) == (
        1,
        1,
        1,
        1,
        1,
    )
    assert (found.rank, found.missed) == (1, ())
    assert (found.entry_symbol, found.entry_line) == (0, 0)


def test_empty_output_has_no_score(history: History, reference: Reference) -> None:
    found = score(history.case, reference, "")
    assert (found.file, found.symbol, found.line, found.mrr, found.rank) == (
        0,
        0,
        0,
        0,
        None,
    )
    assert found.missed == (
        Missed("shop/price.py", None),
        Missed("tests/test_main.py", None),
    )


def test_path_without_content_does_not_count(
    history: History, reference: Reference
) -> None:
    found = score(history.case, reference, "docs/guide.md\nshop/price.py\n")
    assert (found.file, found.named, found.first_five) == (0, 0.5, 0.5)
    assert (found.rank, found.mrr) == (2, 0.5)
    assert found.missed[0] == Missed("shop/price.py", 2)


def test_content_without_a_path_counts_as_lines_only(
    history: History, reference: Reference
) -> None:
    found = score(history.case, reference, PRICE)
    assert (found.file, found.symbol, found.line) == (0, 0.5, pytest.approx(2 / 3))


def test_entry_is_not_ranked(history: History, reference: Reference) -> None:
    found = score(
        history.case, reference, "shop/main.py\ndef checkout(basket):\nshop/price.py\n"
    )
    assert (found.rank, found.entry_symbol) == (1, 1)


def test_beginning_of_a_signature_is_enough_if_its_file_is_shown(
    history: History, reference: Reference
) -> None:
    assert (
        score(
            history.case, reference, "shop/price.py\n│def price_of_basket(bas…\n"
        ).symbol
        == 0.5
    )
    assert (
        score(
            history.case, reference, "docs/guide.md\n│def price_of_basket(bas…\n"
        ).symbol
        == 0
    )
