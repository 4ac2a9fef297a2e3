from __future__ import annotations

from typing import Any

import pytest
import yaml
from card_samples import values
from hypothesis import given, settings
from hypothesis import strategies as st

from cuedeck.parse.frontmatter_edit import set_key
from cuedeck.parse.yaml_quoting import quote, render_card


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
        "yes", "NO", "null", "~", "true", "1.0", "1_000", "0x1f", "0o17", "1e3", ".5", "12:30:45", "=", "<<", "y",
    ],
)  # fmt: skip
def test_words_other_readers_take_for_something_else_are_quoted_in_titles(
    value: str,
) -> None:
    assert yaml.safe_load(set_key(b"", "title", value).split(b"---\n")[1]) == {
        "title": value
    }
    assert quote(value, strict=True) == f'"{value}"'


def test_a_new_card_is_written_with_safe_quotes() -> None:
    fields: list[tuple[str, str | tuple[str, ...]]] = [
        ("id", "2a9f1x"),
        ("title", "1e3"),
        ("assignee", "@x"),
        ("created", "2026-05-03T10:00:00Z"),
        ("tags", ()),
        ("refs", ("docs/a.md#Login Flow", "[[b]]", "x: y")),
    ]
    assert render_card(fields, "Body\r\n\n") == (
        '---\nid: 2a9f1x\ntitle: "1e3"\nassignee: "@x"\ncreated: 2026-05-03T10:00:00Z\ntags: []\n'
        'refs:\n  - docs/a.md#Login Flow\n  - "[[b]]"\n  - "x: y"\n---\n\nBody\r\n\n'
    )
