"""Lines of a text by byte offset, and checksums of lines."""

from __future__ import annotations

import zlib

from hypothesis import given
from hypothesis import strategies as st

from cuedeck.parse.text_decoding import LineTable, line_sum, line_sums


def test_offsets_count_bytes_not_characters() -> None:
    table = LineTable("ü\nx\n".encode(), 5)
    assert [table.line(offset) for offset in range(5)] == [5, 5, 5, 6, 6]
    assert table.offset(6) == 3
    assert table.last == 6


def test_the_last_line_of_a_range_leaves_blank_lines_out() -> None:
    assert LineTable(b"a\n\nb\n \n\n").last_line(0, 8) == 3


@given(st.binary(max_size=60), st.integers(0, 59))
def test_the_line_is_one_more_than_the_newlines_before(
    data: bytes, offset: int
) -> None:
    offset = min(offset, len(data))
    assert LineTable(data).line(offset) == 1 + data.count(b"\n", 0, offset)


def test_a_sum_is_the_crc_of_the_line_without_blanks_around_it() -> None:
    assert line_sum("\t return é \r\n") == zlib.crc32("return é".encode())


def test_a_line_under_six_characters_has_no_sum() -> None:
    assert [
        line_sum(line) for line in ("", "    }", "end;", "äöüßé", "  ))})  \n")
    ] == [0] * 5
    assert line_sum("äöüßéà") != 0


def test_half_a_character_is_summed_as_a_question_mark() -> None:
    assert line_sum("broken \ud800") == line_sum("broken ?")


def test_each_line_of_a_text_has_a_sum() -> None:
    assert list(line_sums("first line\n\nlast line")) == [
        line_sum("first line"),
        0,
        line_sum("last line"),
    ]
    assert list(line_sums("one line\n")) == [line_sum("one line")]
    assert list(line_sums("")) == []


@given(st.text(st.sampled_from("abc (\t\r\x0b\x1c\n"), max_size=60))
def test_plain_text_has_the_sums_of_its_lines(text: str) -> None:
    """`line_sums` computes the sums of a whole text in another way than `line_sum`."""
    assert list(line_sums(text)) == list(
        map(line_sum, text.removesuffix("\n").split("\n") if text else ())
    )


@given(
    st.text(alphabet=st.characters(exclude_characters="\n", exclude_categories=["Cs"]))
)
def test_indentation_and_line_ends_do_not_count(line: str) -> None:
    assert line_sum(f" \t{line} \r\n") == line_sum(line)
