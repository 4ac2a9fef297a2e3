from __future__ import annotations

import zlib

from hypothesis import given
from hypothesis import strategies as st

from cuedeck.parse.line_table import line_sum, line_sums


def test_a_sum_is_the_crc_of_the_line_without_blanks_around_it() -> None:
    assert line_sum("\t return é \r\n") == zlib.crc32("return é".encode())


def test_a_line_under_six_characters_says_nothing() -> None:
    assert [line_sum(line) for line in ("", "    }", "end;", "äöüßé", "  ))})  \n")] == [0] * 5
    assert line_sum("äöüßéà") != 0


def test_half_a_character_is_summed_as_a_question_mark() -> None:
    assert line_sum("broken \ud800") == line_sum("broken ?")


def test_each_line_of_a_text_has_a_sum() -> None:
    assert list(line_sums("first line\n\nlast line")) == [line_sum("first line"), 0, line_sum("last line")]
    assert list(line_sums("one line\n")) == [line_sum("one line")]
    assert list(line_sums("")) == []


@given(st.text(st.sampled_from("abc (\t\r\x0b\x1c\n"), max_size=60))
def test_plain_text_has_the_sums_of_its_lines(text: str) -> None:
    """It is summed in another way."""
    assert list(line_sums(text)) == list(map(line_sum, text.removesuffix("\n").split("\n") if text else ()))


@given(st.text(alphabet=st.characters(exclude_characters="\n", exclude_categories=["Cs"])))
def test_indentation_and_line_ends_do_not_count(line: str) -> None:
    assert line_sum(f" \t{line} \r\n") == line_sum(line)
