"""Tables of a benchmark run."""

from __future__ import annotations

import pytest

from benchmarks.scenes.interval import interval
from benchmarks.scenes.result import Cost, Result, Row
from benchmarks.scenes.score import Missed, Score
from benchmarks.scenes.table import format_result, format_worst


def row(
    case: str, system: str, file: float, *missed: Missed, budget: int = 8_000
) -> Row:
    found = Score(file, None, file, 0.5, 0.0, 0.0, 1.0, None, None, 2, missed)
    return Row(case, "some+shop", system, budget, 100, found)


def test_interval_contains_its_mean_and_is_stable() -> None:
    found = interval([0.0, 1.0, None, 1.0, 0.0])
    assert found is not None
    assert found.mean == 0.5
    assert 0.0 <= found.low < 0.5 < found.high <= 1.0
    assert interval([0.0, 1.0, None, 1.0, 0.0]) == found


def test_equal_values_have_no_spread_and_missing_values_no_interval() -> None:
    assert interval([0.25] * 5) == pytest.approx((0.25, 0.25, 0.25))
    assert interval([None]) is None


def test_tables_are_markdown_with_costs_as_ratios() -> None:
    rows = [row("a", "cuedeck", 1.0), row("a", "imports", 0.0)]
    result = Result(
        rows,
        [Cost("a", "cuedeck", 0.4, 0.2, 0.05), Cost("b", "cuedeck", 0.4, 0.2, 0.05)],
        [],
    )
    text = format_result(result, ["cuedeck", "aider", "imports"], [8_000])
    assert (
        "| cuedeck | 8,000 | 1.000 [1.000, 1.000] | – | 1.000 [1.000, 1.000] | 0.500 [0.500, 0.500] |\n"
        in text
    )
    assert (
        "| aider | 8,000 | not installed | not installed | not installed | not installed |\n"
        in text
    )
    assert "| some/shop | 8,000 | 1.000 [1.000, 1.000] |" in text
    assert "| cuedeck | 8.0x | 4.0x | 0.400 | 0.200 | 0.050 |\n" in text
    widths = {line.count("|") for line in text.split("\n\n")[1].splitlines()}
    assert widths == {7}


def test_worst_cases_list_missed_files_and_their_ranks() -> None:
    rows = [
        row("good", "cuedeck", 1.0),
        row("bad", "cuedeck", 0.5, Missed("x.py", 7), Missed("y.py", None)),
    ]
    assert format_worst(rows, 1).splitlines() == [
        "- `bad` at 8,000: file 0.50, first target at rank 2",
        "  - missed `x.py`, headed at rank 7",
        "  - missed `y.py`, without a heading",
    ]


def test_row_is_serialisable() -> None:
    plain = row("a", "cuedeck", 0.5, Missed("x.py", 7)).as_json()
    assert plain["missed"] == [{"path": "x.py", "rank": 7}]
    assert (plain["id"], plain["system"], plain["budget"], plain["file"]) == (
        "a",
        "cuedeck",
        8_000,
        0.5,
    )
