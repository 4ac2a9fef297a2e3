"""Checks as the file and the command line spell them."""

from __future__ import annotations

from typing import Any

import pytest

from cuedeck.ledger.assumptions_toml import read_check, spelled_check
from cuedeck.model.assumption import SHAPES, Check
from cuedeck.model.errors import Invalid
from cuedeck.parse.linear_patterns import compile_pattern


@pytest.mark.parametrize(
    ("value", "kind", "values"),
    [
        ({"file_exists": "a.py"}, "file_exists", {"path": "a.py"}),
        ({"file_exists": {"path": "a.py"}}, "file_exists", {"path": "a.py"}),
        (
            {"contains": {"path": "a", "text": "x"}},
            "contains",
            {"path": "a", "text": "x"},
        ),
        (
            {"contains": {"regex": "x+", "path": "a"}},
            "contains",
            {"path": "a", "regex": "x+"},
        ),
        ({"dependency": "react"}, "dependency", {"name": "react"}),
        (
            {"config": {"path": "c", "key": "k", "equals": 1}},
            "config",
            {"path": "c", "key": "k", "equals": 1},
        ),
        (
            {"doc_says": {"address": "a#b", "text": "x"}},
            "doc_says",
            {"address": "a#b", "text": "x"},
        ),
    ],
)
def test_a_check_is_read_in_either_spelling(
    value: Any, kind: str, values: dict[str, Any]
) -> None:
    assert read_check(value) == Check(kind, values)


@pytest.mark.parametrize(
    ("value", "message", "hint"),
    [
        (["x"], "a check must be a table", ""),
        ({}, "a check needs one kind", ""),
        ({"path": "a", "text": "b"}, "a check needs one kind", ""),
        (
            {"file_exist": "a"},
            "unknown check `file_exist`",
            "use one of file_exists, file_absent",
        ),
        ({"kind": 3}, "unknown check `kind`", "use one of file_exists"),
        ({"file_exists": "a", "file_absent": "b"}, "a check needs one kind", "each"),
        (
            {"contains": {"path": "a", "txt": "x"}},
            "contains has no key `txt`",
            "its keys: path, text, regex",
        ),
        ({"contains": {"text": "x"}}, "contains needs `path`", ""),
        ({"contains": "a"}, "contains needs one of `text` and `regex`", ""),
        (
            {"contains": {"path": "a", "text": "x", "regex": "y"}},
            "needs one of `text` and `regex`",
            "",
        ),
        (
            {"contains": {"path": "a", "text": ""}},
            "`text` must be a string that is not empty",
            "",
        ),
        ({"contains": {"path": 3, "text": "x"}}, "`path` must be a string", ""),
        ({"file_exists": "a\0b"}, "contains a control character", ""),
        ({"file_exists": 3}, "must be a table or a string", ""),
        (
            {"config": {"path": "a", "key": "b", "equals": 16**9_000}},
            "`equals` must be a text, a number, true or false",
            "quotes",
        ),
        (
            {"config": {"path": "a", "key": "b", "equals": [1]}},
            "`equals` must be a text, a number, true or false",
            "quotes",
        ),
        (
            {"contains": {"path": "a", "regex": "(x"}},
            "cannot be used as a regular expression",
            "RE2",
        ),
        (
            {"contains": {"path": "a", "regex": "a(?=b)"}},
            "invalid perl operator: (?=",
            "",
        ),
    ],
)
def test_an_invalid_check_is_an_error(value: Any, message: str, hint: str) -> None:
    with pytest.raises(Invalid) as caught:
        read_check(value)
    assert message in caught.value.message
    assert hint in caught.value.hint


@pytest.mark.parametrize(
    ("text", "kind", "values"),
    [
        ("file_exists=src/app.py", "file_exists", {"path": "src/app.py"}),
        ("file_absent=a=b", "file_absent", {"path": "a=b"}),
        (
            "contains=src/a.py:x: int = 3",
            "contains",
            {"path": "src/a.py", "text": "x: int = 3"},
        ),
        ("not_contains=a:b", "not_contains", {"path": "a", "text": "b"}),
        ("dependency=@types/node", "dependency", {"name": "@types/node"}),
        (
            "config=a.toml:b.c=d=e",
            "config",
            {"path": "a.toml", "key": "b.c", "equals": "d=e"},
        ),
        (
            "config=a.toml:b=5432",
            "config",
            {"path": "a.toml", "key": "b", "equals": 5432},
        ),
        (
            "config=a.toml:b=true",
            "config",
            {"path": "a.toml", "key": "b", "equals": True},
        ),
        (
            "config=a.toml:b=007",
            "config",
            {"path": "a.toml", "key": "b", "equals": "007"},
        ),
        ("config=.env:DATABASE_URL", "config", {"path": ".env", "key": "DATABASE_URL"}),
        (
            "doc_says=docs/api.md#Style:uses REST",
            "doc_says",
            {"address": "docs/api.md#Style", "text": "uses REST"},
        ),
        ("doc_says=card:abc:x", "doc_says", {"address": "card:abc", "text": "x"}),
    ],
)
def test_the_command_line_spells_each_kind(
    text: str, kind: str, values: dict[str, Any]
) -> None:
    assert spelled_check(text) == Check(kind, values)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "file_exists",
        "file_exists=",
        "file_exits=a",
        "contains=a",
        "config=a.toml",
        "x=y",
    ],
)
def test_a_misspelt_kind_or_key_is_an_error(text: str) -> None:
    with pytest.raises(Invalid) as caught:
        spelled_check(text)
    assert caught.value.hint


def test_the_example_of_each_kind_is_one() -> None:
    for kind, shape in SHAPES.items():
        assert spelled_check(f"{kind}={shape.example}").kind == kind


def test_a_suspicious_expression_causes_no_warning() -> None:
    assert compile_pattern("[[a]").search("[")
