"""Texts of answers are templates that are filled with the fields of the answer."""

from __future__ import annotations

import pytest

from cuedeck.shells.call import Note
from cuedeck.shells.text_template import write_lines

VALUES = {
    "id": "k3f", "none": None, "count": 1_234, "one": 1, "names": ["a b", "c"], "rows": [{"id": "x", "n": 2}],
    "card": {"id": "2a9", "title": "", "tags": ["ui"]}, "kinds": {"card": 2},
}  # fmt: skip


@pytest.mark.parametrize(("template", "lines"), [
    ("{id}: {none}{names} {card[id]} {card[none][id]}", ["k3f: a b, c 2a9 "]),
    ("{count:,} {count:+file} {one:+file}", ["1,234 1,234 files 1 file"]),
    ("{id:? (by {count:,})}{none:? no}{none:! yes}", [" (by 1,234) yes"]),
    ("{id:=k3f?same}{id:~k3f?other}", ["same"]),
    ("{id:?{one:?{names:?{count:,}}}}", ["1,234"]),
    ("?none no\n!none yes\n?id {id}\n?id {none}", ["yes", "k3f"]),
    ("*names {number} {it!q}", ["1 'a b'", "2 c"]),
    ("*rows {id} of {answer[id]}, {count}", ["x of k3f, 1234"]),
    ("*kinds {value} {key}", ["2 card"]),
    ("=card id title tags", ["id     2a9", "tags   ui"]),
    ("|rows id | >number={n:,}", ["id  number\nx        2"]),
    ("|none id\n{names!n} {kinds!c}", ["2 2 card"]),
])  # fmt: skip
def test_a_template_is_filled(template: str, lines: list[str]) -> None:
    assert list(write_lines(template, VALUES)) == lines


def test_a_note_is_no_part_of_the_text_and_braces_of_a_value_stay() -> None:
    note, line = write_lines("#?id {id}\n{id}", {"id": "{names}"})
    assert isinstance(note, Note)
    assert (note, line) == ("{names}", "{names}")
