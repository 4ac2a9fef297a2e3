"""Trace of added lines to the present file, with real line counts."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cuedeck.context.ranking.precedents import PresentLines, merge_lines
from cuedeck.parse.text_decoding import line_sum, line_sums


def trace(added: str, present: str) -> tuple[int, ...]:
    """Return the lines of `present` at which the lines of `added` are."""
    return PresentLines(line_sums(present)).trace(
        [line_sum(line) for line in added.splitlines()]
    )


def test_moved_and_indented_lines_are_found() -> None:
    assert trace(
        "first = 1\nsecond = 2\n", "other = 0\n    second = 2\nthird = 3\nfirst = 1\n"
    ) == (2, 4)


def test_common_line_counts_only_next_to_an_unambiguous_one() -> None:
    present = "\n".join(
        [
            "return found",
            "first = 1",
            "return found",
            "other = 0",
            "return found",
            "second = 2",
        ]
    )
    assert trace("first = 1\nreturn found\n", present) == (2, 3)
    assert trace("return found\nsecond = 2\n", present) == (5, 6)
    assert trace("return found\n", present) == ()


def test_line_added_twice_is_ambiguous() -> None:
    assert (
        trace("return found\nfirst = 1\nreturn found\n", "return found\nlast = 9\n")
        == ()
    )


def test_equal_lines_are_found_if_the_commit_added_all_of_them() -> None:
    present = "partitioned = on\nfirst = 1\npartitioned = on\n"
    assert trace("partitioned = on\npartitioned = on\n", present) == (1, 3)
    assert trace("partitioned = on\n", present) == ()


@given(
    st.lists(
        st.sampled_from(
            ["alpha = 1", "beta = 2", "gamma = 3", "return found", "}", ""]
        ),
        max_size=12,
    )
)
def test_only_equal_lines_are_matched(rows: list[str]) -> None:
    added = ["alpha = 1", "return found", "beta = 2"]
    found = PresentLines(line_sums("\n".join(rows))).trace(
        [line_sum(row) for row in added]
    )
    assert found == tuple(sorted(set(found)))
    assert all(rows[line - 1] in added for line in found)


def test_close_lines_are_one_range() -> None:
    ranges = merge_lines([3, 4, 7, 20], {3: 1.0, 20: 2.0}, gap=3, widest=20)
    assert ranges == [(1.0, (3, 7)), (2.0, (20, 20))]


def test_wide_range_is_cut_to_its_best_window() -> None:
    lines = list(range(1, 101))
    assert merge_lines(lines, {60: 1.0, 70: 1.0}, gap=3, widest=20) == [(2.0, (51, 70))]
    assert merge_lines(lines, {}, gap=3, widest=20) == [(0.0, (1, 20))]


@given(st.sets(st.integers(1, 80)), st.integers(1, 25))
def test_no_range_exceeds_the_maximum(lines: set[int], widest: int) -> None:
    for _, (first, last) in merge_lines(sorted(lines), {}, gap=3, widest=widest):
        assert first <= last < first + widest
        assert first in lines
        assert last in lines
