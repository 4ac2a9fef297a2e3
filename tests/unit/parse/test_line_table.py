from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cuedeck.parse.line_table import LineTable


def test_offsets_count_bytes_not_characters() -> None:
    table = LineTable("ü\nx\n".encode(), 5)
    assert [table.line(offset) for offset in range(5)] == [5, 5, 5, 6, 6]
    assert table.offset(6) == 3
    assert table.last == 6


def test_the_last_line_of_a_range_leaves_blank_lines_out() -> None:
    assert LineTable(b"a\n\nb\n \n\n").last_line(0, 8) == 3


@given(st.binary(max_size=60), st.integers(0, 59))
def test_the_line_is_one_more_than_the_newlines_before(data: bytes, offset: int) -> None:
    offset = min(offset, len(data))
    assert LineTable(data).line(offset) == 1 + data.count(b"\n", 0, offset)
