"""The scanner of JSON, and slots put in and taken out."""

from __future__ import annotations

from typing import Any

import pytest

from cuedeck.agents.edits.json_document import read_json
from cuedeck.agents.edits.json_edit import add, take_out
from cuedeck.model.errors import Invalid
from cuedeck.parse.text_decoding import decode_exactly


def test_a_file_reads_as_json_reads_it() -> None:
    text = '\ufeff// a\r\n{"a": [1, -2.5e3, true, null, "\\u00e9\\n"], /* b */ "c": {},\r\n}\r\n// d'
    document = read_json(text)
    assert document.value == {"a": [1, -2500.0, True, None, "é\n"], "c": {}}
    assert document.comment_texts() == ["// a", "/* b */", "// d"]
    assert [path for path in document.slots if len(path) == 1] == [("a",), ("c",)]


@pytest.mark.parametrize("text", ["", "  \n", "// only words\n", "\ufeff"])
def test_a_file_may_hold_nothing(text: str) -> None:
    assert not read_json(text).slots
    assert read_json(text).value is None


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('{\n"a": 1\n"b": 2}', 3),
        ("{a: 1}", 1),
        ('{\r\n\r\n"a" 1}', 3),
        ('{"a": }', 1),
        ('{"a": truely}', 1),
        ('{"a": 01}', 1),
        ('{"a": "x}', 1),
        ('{"a": "x\ty"}', 1),
        ("{} {}", 1),
        ("[1,,2]", 1),
        ("[1,,]", 1),
        ("[,]", 1),
        ("{ /* c */ , }", 1),
        ('{"a": 1', 1),
        ("[\n/* open\n", 2),
        ("[" * 150 + "]" * 150, 1),
        ("[" * 9_000, 1),
    ],
)
def test_invalid_json_is_refused_with_its_line(text: str, line: int) -> None:
    with pytest.raises(Invalid, match=f"line {line}: not valid JSON: ") as error:
        read_json(text)
    assert error.value.hint.endswith("nothing was changed")


def test_a_file_that_is_no_text_is_refused_with_its_line() -> None:
    with pytest.raises(Invalid, match="line 2: the file is not UTF-8"):
        decode_exactly(b"{\n\xff}")


PUT = [
    ("", '{\n  "k": 1\n}\n'),
    ("// c", '// c\n{\n  "k": 1\n}\n'),
    ("\ufeff", '\ufeff{\n  "k": 1\n}\n'),
    ("{}", '{\n  "k": 1\n}'),
    ("{\r\n}\r\n", '{\r\n  "k": 1\r\n}\r\n'),
    ("{ // c\n}", '{ // c\n  "k": 1\n}'),
    ('{"a":1}', '{"a":1, "k": 1}'),
    ('{"a":1,}', '{"a":1, "k": 1,}'),
    ('{\n    "a": 1\n}', '{\n    "a": 1,\n    "k": 1\n}'),
    ('{\n\t"a": 1, // c\n\t// d\n}', '{\n\t"a": 1, // c\n\t// d\n\t"k": 1,\n}'),
    ('{\n\t"a": 1 // c\n}', '{\n\t"a": 1, // c\n\t"k": 1\n}'),
    ('{"a": 1 // c\n}', '{"a": 1, // c\n  "k": 1\n}'),
    ('{\r\n "a": 1,\r\n}', '{\r\n "a": 1,\r\n "k": 1,\r\n}'),
    ('{ "a": 1 /* c */ }', '{ "a": 1, /* c */ "k": 1 }'),
]


@pytest.mark.parametrize(("before", "after"), PUT)
def test_an_insertion_follows_the_style_and_keeps_comments(
    before: str, after: str
) -> None:
    text = add(before, ("k",), 1)
    assert text == after
    assert read_json(text).comment_texts() == read_json(before).comment_texts()


@pytest.mark.parametrize(
    ("before", "keys", "after"),
    [
        (
            '{\n  "h": {}\n}',
            ("h", "e"),
            '{\n  "h": {\n    "e": [\n      1\n    ]\n  }\n}',
        ),
        (
            '{\n  "h": {\n    "e": [0]\n  }\n}',
            ("h", "e"),
            '{\n  "h": {\n    "e": [0, 1]\n  }\n}',
        ),
        ('{"h":{"e":[]}}', ("h", "e"), '{"h":{"e":[1]}}'),
        ('{"h":[]}', ("h",), '{"h":[1]}'),
    ],
)
def test_an_element_is_added_after_the_last_one(
    before: str, keys: tuple[str, ...], after: str
) -> None:
    assert add(before, keys, 1, is_item=True) == after


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[]", "line 1: the file is not an object"),
        ('{\n"h": []}', "line 2: `h` is not an object"),
        ('{"h": {"e": {}}}', "line 1: `e` is not an array"),
        ('{"h": {},\n"h": {}}', "line 2: `h` occurs twice"),
        ('{"h": null}', "line 1: `h` is not an object"),
    ],
)
def test_a_value_of_another_type_is_not_replaced(text: str, message: str) -> None:
    with pytest.raises(Invalid) as error:
        add(text, ("h", "e"), 1, is_item=True)
    assert error.value.message == message


TAKEN: list[tuple[str, int, str]] = [
    ("[1, 2, 3]", 0, "[2, 3]"),
    ("[1, 2, 3]", 1, "[1, 3]"),
    ("[1, 2, 3]", 2, "[1, 2]"),
    ("[1, 2, 3,]", 2, "[1, 2,]"),
    ("[1]", 0, "[]"),
    ("[\n  1\n]", 0, "[]"),
    ("[\n  1,\n]", 0, "[]"),
    ("[\n  1,\n  2\n]", 1, "[\n  1\n]"),
    ("[\n  1,\n  2\n]", 0, "[\n  2\n]"),
    ("[\r\n  1,\r\n  2,\r\n]", 1, "[\r\n  1,\r\n]"),
    ("[\n  1, // c\n  2\n]", 1, "[\n  1 // c\n]"),
    ("[\n  // c\n  1\n]", 0, "[\n  // c\n]"),
    ("[\n  1, // c\n  2\n]", 0, "[\n  // c\n  2\n]"),
    ("[\n  1, // c\n  2, 3\n]", 1, "[\n  1, // c\n  3\n]"),
    ("[ // c\n 1]", 0, "[ // c\n ]"),
    ("[1 /* c */, 2]", 0, "[/* c */ 2]"),
    ("[0,\n 1 // c\n ,2]", 2, "[0,\n 1 // c\n ]"),
    ("[0, 1 // c\n]", 1, "[0 // c\n]"),
]


@pytest.mark.parametrize(("before", "index", "after"), TAKEN)
def test_a_slot_goes_with_one_comma_and_no_comment(
    before: str, index: int, after: str
) -> None:
    document = read_json(before)
    text = take_out(document, (index,))
    left: Any = list(document.value)
    del left[index]
    assert (text, read_json(text).value, read_json(text).comment_texts()) == (
        after,
        left,
        document.comment_texts(),
    )


def test_blanks_after_a_removed_value_do_not_join_a_comment() -> None:
    document = read_json('{"a": 1, // mine\n "b": 2 \n}')
    after = take_out(document, ("b",))
    assert after == '{"a": 1 // mine\n}'
    assert read_json(after).comment_texts() == document.comment_texts()
