from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cuedeck.parse.refs import is_url, item_target, path_target, wiki_target


@pytest.mark.parametrize(
    "text",
    [
        "http://a.b", "https://a", "mailto:a@b.c", "tel:1", "ftp://x", "file:///x", "data:text/plain,x", "//host/x",
    ],
)  # fmt: skip
def test_a_target_outside_the_workspace_is_not_a_ref(text: str) -> None:
    assert is_url(text)
    assert path_target(text) == wiki_target(text) == item_target(text) == ""


@pytest.mark.parametrize(
    "text",
    [
        "card:a1", "decision:x", "record:x", "experience:x", "session:x", "attempt:x", "Note: all", "A::b",
    ],
)  # fmt: skip
def test_ledger_addresses_and_names_with_a_colon_are_refs(text: str) -> None:
    assert item_target(text) == text


@pytest.mark.parametrize(
    ("inner", "ref"),
    [
        ("auth", "auth"), ("auth|the flow", "auth"), ("auth | the flow ", "auth"), ("auth#Login|flow", "auth#Login"),
        ("auth\\|flow", "auth"), ("#H1#H2", "#H1#H2"), ("a#^b", "a#^b"), (" -f x ", ""), ("x ", ""), (" x", ""),
        ("|x", ""), ("a\nb", ""),
    ],
)  # fmt: skip
def test_wiki_links_lose_their_alias(inner: str, ref: str) -> None:
    """`[[x|alias]]` and `[[x#Heading]]` never resolved in the first version."""
    assert wiki_target(inner) == ref


@pytest.mark.parametrize(
    ("destination", "ref"),
    [
        ("docs/a%20b.md#x", "docs/a b.md#x"), ("%C3%BC.md", "ü.md"), ("%FF.md", "%FF.md"), ("a%0Ab.md", "a%0Ab.md"),
        ("100%.md", "100%.md"), ("#frag", "#frag"), ("#", ""), ("?q", ""), ("", ""),
    ],
)  # fmt: skip
def test_percent_escapes_of_destinations_are_undone_unless_they_hide_control_characters(
    destination: str, ref: str
) -> None:
    assert path_target(destination) == ref


@pytest.mark.parametrize(
    ("item", "ref"),
    [
        ("docs/a b.md#H I", "docs/a b.md#H I"), ("[[auth#Login|x]]", "auth#Login"), ("![[auth]]", "auth"),
        ("@doc/api#Error Handling", "api#Error Handling"), ("@ref[docs/x.md#A B]", "docs/x.md#A B"),
        ("[t](docs/a%20b.md)", "docs/a b.md"), ('[t](<a b.md> "T")', "a b.md"), ("@doc/", ""),
        ("dead\n## y", "dead\\n## y"), ("a\x1b[31m\u2028b.md", "a\\x1b[31m\\u2028b.md"), ("x" * 1_001, ""),
    ],
)  # fmt: skip
def test_front_matter_items_take_every_link_syntax(item: str, ref: str) -> None:
    assert item_target(item) == ref


def test_long_text_is_refused_before_any_pattern_sees_it() -> None:
    begin = time.perf_counter()
    assert item_target("[t](" + " " * 90_000 + "x") == ""
    assert time.perf_counter() - begin < 0.5


@given(st.text('[]()@docref/#|<> "%0A\n:a'))
def test_no_ref_holds_a_line_break(text: str) -> None:
    for read in (item_target, wiki_target, path_target):
        assert "\n" not in read(text)
