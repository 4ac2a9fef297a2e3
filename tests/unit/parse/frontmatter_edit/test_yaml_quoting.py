from __future__ import annotations

from typing import Any

import pytest
import yaml
from card_samples import values
from hypothesis import given, settings
from hypothesis import strategies as st

from cuedeck.parse.frontmatter_edit import quote, set_key


@settings(deadline=None)
@given(values, st.booleans(), st.booleans(), st.sampled_from(["", "'", '"']))
def test_a_quoted_text_reads_as_itself(
    value: str, flow: bool, strict: bool, like: str
) -> None:
    written = quote(value, flow=flow, strict=strict, like=like)
    assert not {"\n", "\r"} & set(written)
    text = (
        f"k: [{written}, {written}]\n"
        if flow
        else f"k: {written}\nl:\n  - {written} # c\n"
    )
    expected = {"k": [value, value]} if flow else {"k": value, "l": [value]}
    loaders: list[Any] = [
        yaml.BaseLoader,
        yaml.CBaseLoader,
        *([yaml.SafeLoader] if strict else []),
    ]
    for loader in loaders:
        assert yaml.load(text, Loader=loader) == expected


@pytest.mark.parametrize(
    "value",
    [
        "yes",
        "NO",
        "null",
        "~",
        "true",
        "1.0",
        "1_000",
        "0x1f",
        "0o17",
        "1e3",
        ".5",
        "12:30:45",
        "=",
        "<<",
        "y",
    ],
)
def test_words_other_readers_take_for_something_else_are_quoted_in_titles(
    value: str,
) -> None:
    assert yaml.safe_load(set_key(b"", "title", value).split(b"---\n")[1]) == {
        "title": value
    }
    assert quote(value, strict=True) == f'"{value}"'
