"""Keys and lines of the log of recall hits."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cuedeck.ledger.records.recall_hit_line import format_hits, text_key, text_keys
from cuedeck.ledger.records.recall_log import (
    MAX_DAYS,
    MAX_QUERIES,
    format_totals,
    parse_recall_log,
)
from cuedeck.model.recall_hit import RecallHit


def hits(numbers: list[int]) -> list[RecallHit]:
    return [
        RecallHit(
            address=f"record:r{number % 3}",
            path="MEMORY.md",
            line=number,
            text_key="k",
            query_key=f"q{number % 40}",
            score=(number % 11) / 10,
            date=f"2026-{number % 12 + 1:02}-{number % 28 + 1:02}",
        )
        for number in numbers
    ]


def test_list_marks_and_line_breaks_do_not_change_a_text() -> None:
    assert text_key("- The port\n  is 5433.") == text_key("The port is 5433")
    assert text_key("The port is 5433") != text_key("The port is 5434")


@given(st.lists(st.text(max_size=20).filter(lambda line: "\n" not in line)))
def test_the_keys_of_lines_are_those_of_the_text_so_far(lines: list[str]) -> None:
    texts = ["\n".join(lines[: number + 1]) for number in range(len(lines))]
    assert list(text_keys(lines)) == [text_key(text) for text in texts]


@given(st.lists(st.integers(0, 10_000), max_size=60), st.integers(0, 60))
def test_a_fold_at_any_point_gives_the_same_totals(
    numbers: list[int], cut: int
) -> None:
    whole = parse_recall_log(format_hits(hits(numbers)))
    front = parse_recall_log(format_hits(hits(numbers[:cut])))
    folded = format_totals(front.totals.values()) + format_hits(hits(numbers[cut:]))
    found = parse_recall_log(folded)
    assert list(found.totals) == list(whole.totals)
    for key, total in whole.totals.items():
        assert found.totals[key].count == total.count
        assert abs(found.totals[key].score_sum - total.score_sum) < 0.001
        assert found.totals[key].line == total.line
        assert len(total.days) <= MAX_DAYS and len(total.queries) <= MAX_QUERIES


@given(st.binary(max_size=400))
def test_any_bytes_are_read(data: bytes) -> None:
    parse_recall_log(data)


def test_totals_count_the_strong_hits_of_each_query() -> None:
    strong = [each._replace(address="record:r", score=1.0) for each in hits([1, 41, 2])]
    weak = [strong[0]._replace(score=0.1)]
    (total,) = parse_recall_log(format_hits(strong + weak)).totals.values()
    assert {query: count for query, _, count in total.queries} == {"q1": 2, "q2": 1}
    (again,) = parse_recall_log(format_totals([total]) * 2).totals.values()
    assert {query: count for query, _, count in again.queries} == {"q1": 4, "q2": 2}
