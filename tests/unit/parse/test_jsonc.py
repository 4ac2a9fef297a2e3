from __future__ import annotations

import json

import pytest

from cuedeck.parse.jsonc import plain_json


def test_comments_and_commas_too_many_go_and_lines_stay() -> None:
    text = '{\n  // one\n  "a": "// no comment, }", /* two\n  lines */\n  "b": [1, 2,],\n}\n'
    plain = plain_json(text)
    assert json.loads(plain) == {"a": "// no comment, }", "b": [1, 2]}
    assert plain.count("\n") == text.count("\n")


@pytest.mark.parametrize("unit", ['\\"', '"\\', "/* ", '"a', "//*", ", ", "a"])
def test_a_text_without_an_end_is_read_once(unit: str) -> None:
    """A search from each mark to the end of the text would take hours."""
    with pytest.raises(ValueError, match="line 1"):
        json.loads(plain_json(unit * 300_000))


def test_a_string_without_an_end_hides_no_later_line() -> None:
    assert plain_json('"a // no comment\n1, // one\n]') == '"a // no comment\n1  \n]'
