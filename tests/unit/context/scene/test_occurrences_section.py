"""The occurrences section keeps to its room."""

from __future__ import annotations

import re

import pytest
from memory import Memory, tokens

from cuedeck.context.ranking.occurrences import Identifier, Line
from cuedeck.context.scene.occurrences_section import (
    LONGEST_ROW,
    MOST_TOKENS,
    fit_occurrences,
)
from cuedeck.context.scene.visit_heading import VisitRenderer
from cuedeck.parse.secrets import find_secrets
from cuedeck.parse.secrets.mask import Mask

COUNT = tokens()
TEXTS = {
    "src/a.py": "".join(f"verify_token({at})\n" for at in range(1, 61)),
    "src/b.py": "x = 1\nverify_token(0)\n",
    "src/min.js": f"var {'a' * 900};verify_token();{'b' * 900}\n",
}


def identifier(
    *places: tuple[str, int], name: str = "verify_token", relevance: float = 0.5
) -> Identifier:
    lines = tuple(Line(path, line, relevance) for path, line in places)
    return Identifier(name, lines, False)


def section(
    *found: Identifier,
    covered: dict[str, set[int]] | None = None,
    room: int = MOST_TOKENS,
    **texts: str,
) -> str:
    memory = Memory({**TEXTS, **texts})
    renderer = VisitRenderer(memory, Mask(memory, find_secrets), COUNT, 8_000)
    fitted = fit_occurrences(found, covered or {}, room, renderer)
    assert fitted.tokens == COUNT.count(fitted.text) <= max(room, 0)
    return fitted.text


def rows(text: str) -> list[str]:
    return [row for row in text.split("\n") if re.match(r"\S+:\d+: ", row)]


def test_row_has_path_line_and_text_below_the_identifier() -> None:
    text = section(identifier(("src/b.py", 2), ("src/a.py", 7)))
    assert (
        "```\nverify_token (all 2):\nsrc/b.py:2: verify_token(0)\nsrc/a.py:7: verify_token(7)\n```\n"
        in text
    )


def test_lines_already_shown_are_neither_listed_nor_counted() -> None:
    text = section(
        identifier(("src/b.py", 2), ("src/a.py", 7)), covered={"src/a.py": {7}}
    )
    assert rows(text) == ["src/b.py:2: verify_token(0)"]
    assert "verify_token (all 1):\n" in text


def test_section_is_omitted_without_a_new_line() -> None:
    assert section(identifier(("src/b.py", 2)), covered={"src/b.py": {2}}) == ""


def test_rows_of_a_file_are_grouped_in_line_order() -> None:
    places = (("src/a.py", 40), ("src/b.py", 2), ("src/a.py", 10))
    assert [row.split(": ")[0] for row in rows(section(identifier(*places)))] == [
        "src/a.py:10",
        "src/a.py:40",
        "src/b.py:2",
    ]


def test_nearby_lines_share_one_row_with_text() -> None:
    text = section(identifier(*(("src/a.py", line) for line in range(1, 11))))
    assert [row.split(": ")[0] for row in rows(text)] == [
        "src/a.py:1",
        "src/a.py:5",
        "src/a.py:9",
    ]
    assert "`cuedeck find NAME`" in text


def test_further_lines_are_listed_by_number() -> None:
    places = [("src/a.py", line) for line in range(1, 50, 7)]
    text = section(identifier(*places, ("src/b.py", 2)))
    assert len(rows(text)) == 4
    assert "verify_token (all 8, 4 by number):\n" in text
    assert "\nsrc/a.py L29, L36, L43\nsrc/b.py L2\n" in text


@pytest.mark.parametrize(("lines", "room"), [(60, MOST_TOKENS), (24, 150)])
def test_many_further_lines_are_only_counted(lines: int, room: int) -> None:
    places = [("src/a.py", line) for line in range(1, lines)]
    text = section(identifier(*places), room=room)
    assert len(rows(text)) == 4
    assert f"verify_token (4 of {lines - 1}):\n" in text
    assert not re.search(r"^\S+ L\d+", text, re.MULTILINE)


def test_unlikely_lines_are_listed_by_number_after_a_likely_one() -> None:
    lines = (Line("src/b.py", 2, 0.5), Line("src/a.py", 9, 0.01))
    text = section(Identifier("verify_token", lines, False))
    assert rows(text) == ["src/b.py:2: verify_token(0)"]
    assert "\nsrc/a.py L9\n" in text


def test_line_with_two_identifiers_is_listed_once() -> None:
    found = (
        identifier(("src/b.py", 2)),
        identifier(("src/b.py", 2), ("src/a.py", 9), name="token"),
    )
    assert len(rows(section(*found))) == 2


def test_lines_of_low_relevance_are_omitted() -> None:
    assert section(identifier(("src/b.py", 2), relevance=0.01)) == ""


def test_identifier_that_occurs_everywhere_has_a_line_of_its_own() -> None:
    assert "\nname (too frequent, not listed)\n" in section(
        Identifier("name", (), True), identifier(("src/b.py", 2))
    )


def test_minified_line_is_cut_around_the_identifier() -> None:
    (row,) = rows(section(identifier(("src/min.js", 1))))
    assert len(row) <= LONGEST_ROW
    assert "…" in row and "verify_token()" in row


def test_fence_in_a_line_does_not_end_the_quotation() -> None:
    text = section(
        identifier(("docs/a.md", 1)), **{"docs/a.md": "````` verify_token\n"}
    )
    assert "\n``````\n" in text
