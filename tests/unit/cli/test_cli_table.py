"""What of a text reaches the terminal."""

from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from cuedeck.cli.table import Column, printable, table


@given(st.text())
def test_no_control_character_is_left_but_those_that_lines_are_made_of(text: str) -> None:
    assert {each for each in printable(text) if unicodedata.category(each) == "Cc"} <= {"\n", "\t"}
    assert printable(text, lines=False).isprintable()
    assert len(printable(text)) == len(text)


def test_a_text_that_is_fit_to_be_shown_stays_as_it_is() -> None:
    for text in ("", "plain", "two\n\tlines\n", "日本\u3000語", "👩\u200d👧", "1\u00a0000 €"):
        assert printable(text) == text


def test_a_cell_is_one_line_without_control_characters() -> None:
    assert table([Column("a")], [["x\n\x1b[2Jy"]]) == "a\nx  [2Jy"
