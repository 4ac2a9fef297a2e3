"""Text on the terminal: control characters, tables and wrapped prose."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cuedeck.shells.text_table import Column, lay_out, printable, table


@given(st.text())
def test_no_control_character_is_left_but_those_that_lines_are_made_of(
    text: str,
) -> None:
    assert {each for each in printable(text) if unicodedata.category(each) == "Cc"} <= {
        "\n",
        "\t",
    }
    assert printable(text, lines=False).isprintable()
    assert len(printable(text)) == len(text)


def test_a_text_that_is_fit_to_be_shown_stays_as_it_is() -> None:
    for text in (
        "",
        "plain",
        "two\n\tlines\n",
        "日本\u3000語",
        "👩\u200d👧",
        "1\u00a0000 €",
    ):
        assert printable(text) == text


def test_a_cell_is_one_line_without_control_characters() -> None:
    assert table("a", [["x\n\x1b[2Jy"]]) == "a\nx  [2Jy"


PATHS = (
    "src/flask/sansio/scaffold.py#Scaffold.teardown_request",
    "tests/test_basic.py#test_werkzeug_passthrough",
)
WHY = Column("why", wraps=True)
REASON = "lines of related commits; has together `callbacks`, `errors`"


@pytest.mark.parametrize("width", [0, 40, 60, 100, 120])
def test_an_address_is_whole_at_every_width(width: int) -> None:
    rows = [(str(at), path, REASON) for at, path in enumerate(PATHS)]
    lines = lay_out([Column("rank", right=True), Column("address"), WHY], rows, width)
    assert all(any(path in line.split() for line in lines) for path in PATHS)
    assert [word for line in lines for word in line.split()].count("`callbacks`,") == 2


def test_long_text_wraps_next_to_the_other_cells() -> None:
    assert lay_out([Column("address"), WHY], [("docs/api.rst", REASON)], 50) == [
        "address       why",
        "docs/api.rst  lines of related commits; has",
        "              together `callbacks`, `errors`",
    ]


def test_without_a_limit_every_row_is_one_line() -> None:
    assert (
        len(lay_out([Column("address"), WHY], [(path, REASON) for path in PATHS], 0))
        == 3
    )
