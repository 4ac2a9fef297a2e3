"""Every spelling of a cortex address is canonical or refused with a reason."""

from __future__ import annotations

import os
import posixpath
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cuedeck.model.cortex_address import (
    CATEGORIES,
    DIMENSIONS,
    CortexAddress,
    CortexAddressError,
    is_cortex_address,
    parse_cortex_address,
    parse_layer_address,
)

DAY = "session/s1/timeline/2026-11/22"
MESSAGE = f"{DAY}/09_15_00_1a2b3c4d.md"

ACCEPTED = [
    ("cortex://resources", "resources"), ("cortex://user", "user"), ("cortex://user/", "user"),
    ("cortex://user/default", "user/default"), ("cortex://user/default/", "user/default"),
    ("cortex://user/default/preferences", "user/default/preferences"),
    ("cortex://user/default/preferences/editor.md", "user/default/preferences/editor.md"),
    ("cortex://user/default/goals/2026/q1.md", "user/default/goals/2026/q1.md"),
    ("cortex://user/Ana%20Ruiz/preferences", "user/Ana Ruiz/preferences"),
    ("cortex://user/Ana Ruiz/preferences", "user/Ana Ruiz/preferences"),
    ("cortex://resources/100%25.md", "resources/100%.md"), ("cortex://resources/a%2523.md", "resources/a%23.md"),
    ("cortex://resources/c%23/notes.md", "resources/c#/notes.md"),
    ("cortex://resources/caf%C3%A9/a.md", "resources/café/a.md"),
    ("cortex://resources/cafe\u0301/a.md", "resources/café/a.md"),
    ("cortex://resources/cafe%CC%81/a.md", "resources/café/a.md"),
    ("cortex://resources/日本語/メモ.md", "resources/日本語/メモ.md"), ("cortex://resources/%75ser", "resources/user"),
    ("cortex://%75ser/default", "user/default"), ("cortex://resources/x/any-category/deep/deeper.md", None),
    ("cortex://resources/console.md", None), ("cortex://resources/a..b.md", None), (f"cortex://{MESSAGE}", MESSAGE),
    (f"cortex://{DAY}/", DAY), ("cortex://session/s1/timeline", "session/s1/timeline"),
    (".cuedeck/cortex/user/default", "user/default"), (".cuedeck/cortex/user/default/", "user/default"),
    ("user/default", "user/default"), (MESSAGE, MESSAGE), ("resources/100%25.md", "resources/100%25.md"),
    ("resources/c#/notes.md", "resources/c#/notes.md"), ("resources/%2e%2e/a.md", "resources/%2e%2e/a.md"),
]  # fmt: skip
REFUSED = [
    ("", "bad_dimension"), ("cortex://", "bad_dimension"), (".cuedeck/cortex", "bad_dimension"),
    (".cuedeck/cortex/", "bad_dimension"), ("cortex://users/x", "bad_dimension"),
    ("cortex://test.md", "bad_dimension"), ("cortex://User/x", "bad_dimension"), ("cortex:///", "bad_segment"),
    ("cortex:///etc/hostname", "bad_segment"), ("cortex://user//default", "bad_segment"),
    ("cortex://user/default//", "bad_segment"), ("/etc/passwd", "bad_segment"), ("/user/default", "bad_segment"),
    ("Cortex://user/x", "bad_scheme"), ("CORTEX://user/x", "bad_scheme"), ("cortex:/user/x", "bad_scheme"),
    ("cortex:user/x", "bad_scheme"), ("http://user/x", "bad_scheme"), ("file:///etc/passwd", "bad_scheme"),
    ("C:/user/x", "bad_scheme"), ("C:\\user\\x", "bad_scheme"), ("cortex://user/../../../../etc/passwd", "traversal"),
    ("cortex://session/../../x/.session.json", "traversal"), ("cortex://../user/x", "traversal"),
    ("cortex://user/./x", "traversal"), ("cortex://user/%2e%2e/x", "traversal"),
    ("cortex://user/.%2E/x", "traversal"), ("cortex://user/%2e/x", "traversal"),
    ("user/../../cards/a.md", "traversal"), (".cuedeck/cortex/../cards/a.md", "traversal"),
    ("cortex://user/..%2F..%2Fetc", "reserved_name"), ("cortex://user/a%2Fb", "bad_segment"),
    ("cortex://user/a%5Cb", "bad_segment"), ("cortex://user/a\\b", "bad_segment"),
    ("cortex://user/..\\..\\x", "reserved_name"), (".cuedeck\\cortex\\user", "reserved_name"),
    ("cortex://user/a\0b", "bad_segment"), ("cortex://user/a%00b", "bad_segment"),
    ("cortex://user/a\nb", "bad_segment"), ("cortex://user/a%0d%0ab", "bad_segment"),
    ("cortex://user/a\x7fb", "bad_segment"), ("cortex://user/a\x85b", "bad_segment"),
    ("cortex://user/a\u202eb", "bad_segment"), ("cortex://user/a\u200bb", "bad_segment"),
    ("cortex://user/\ufeffa", "bad_segment"), ("cortex://user/a\u2028b", "bad_segment"),
    ("cortex://user/a\ud800b", "bad_segment"), ("cortex://user/%ff", "bad_segment"),
    ("cortex://user/%C3", "bad_segment"), ("cortex://user/%ED%A0%80", "bad_segment"),
    ("cortex://user/%", "bad_segment"), ("cortex://user/%4", "bad_segment"), ("cortex://user/%zz", "bad_segment"),
    ("cortex://user/a<b", "bad_segment"), ("cortex://user/a>b", "bad_segment"), ("cortex://user/a:b", "bad_segment"),
    ("user/a:b", "bad_segment"), ('cortex://user/a"b', "bad_segment"), ("cortex://user/a|b", "bad_segment"),
    ("cortex://user/a*b", "bad_segment"), ("cortex://user/a%3Fb", "bad_segment"),
    ("cortex://user/a#b", "bad_segment"), ("cortex://user/a.", "bad_segment"), ("cortex://user/a%20", "bad_segment"),
    ("cortex://user/ ", "bad_segment"), ("cortex://user/a\u00a0", "bad_segment"),
    ("cortex://user/" + "a" * 241, "bad_segment"), ("cortex://user/" + "é" * 121, "bad_segment"),
    ("cortex://user/.git", "reserved_name"), ("cortex://session/s1/.session.json", "reserved_name"),
    ("cortex://user/default/.abstract.md", "reserved_name"), ("cortex://user/...", "reserved_name"),
    ("cortex://user/CON", "reserved_name"), ("cortex://user/con", "reserved_name"),
    ("cortex://user/nul.md", "reserved_name"), ("cortex://user/Aux.tar.gz", "reserved_name"),
    ("cortex://user/com1", "reserved_name"), ("cortex://user/LPT9.md", "reserved_name"),
    ("cortex://user/com¹.md", "reserved_name"), ("cortex://user/nul .md", "reserved_name"),
    ("cortex://user/default/memories", "bad_category"), ("cortex://user/default/profile.md", "bad_category"),
    ("cortex://agent/default/preferences", "bad_category"), ("cortex://session/s1/notes.md", "bad_category"),
    ("cortex://session/s1/timeline/2026/11/22", "bad_segment"),
    ("cortex://session/s1/timeline/2026-13", "bad_segment"), ("cortex://session/s1/timeline/2026-1", "bad_segment"),
    ("cortex://session/s1/timeline/٢٠٢٦-11", "bad_segment"),
    ("cortex://session/s1/timeline/2026-11/32", "bad_segment"),
    ("cortex://session/s1/timeline/2026-11/00", "bad_segment"), (f"cortex://{DAY}/notes.md", "bad_segment"),
    (f"cortex://{DAY}/24_00_00_1a2b3c4d.md", "bad_segment"), (f"cortex://{DAY}/09_15_00_.md", "bad_segment"),
    (f"cortex://{MESSAGE}/x.md", "bad_segment"), ("cortex://user/default?layer=L0", "bad_query"),
    ("cortex://user?x=1", "bad_query"),
]  # fmt: skip
BAD_QUERIES = [
    "?", "?layer", "?layer=", "?layer=L3", "?layer=l0", "?Layer=L0", "?layer=L0&layer=L0", "?layer=L0&x=1",
    "?x=1&layer=L0", "?layer=L0?", "?layer=L0#L3", "?layer=%4C0",
]  # fmt: skip


@pytest.mark.parametrize(("text", "path"), ACCEPTED)
def test_an_accepted_spelling_has_one_path(text: str, path: str | None) -> None:
    wanted = text.removeprefix("cortex://") if path is None else path
    address = parse_cortex_address(text)
    assert address.path == f".cuedeck/cortex/{wanted}"
    assert parse_cortex_address(address.text) == address
    assert parse_cortex_address(address.path) == address


@pytest.mark.parametrize(("text", "reason"), REFUSED)
def test_a_refused_spelling_names_the_rule(text: str, reason: str) -> None:
    with pytest.raises(CortexAddressError) as caught:
        parse_cortex_address(text)
    assert caught.value.reason == reason
    assert caught.value.hint
    assert caught.value.message.isprintable()
    assert len(caught.value.message) < 250


@pytest.mark.parametrize("layer", ["L0", "L1", "L2"])
@pytest.mark.parametrize("text", ["cortex://user/default", "user/default"])
def test_a_query_names_a_layer(text: str, layer: str) -> None:
    found = parse_layer_address(f"{text}?layer={layer}")
    assert found.layer == layer
    assert found.address == parse_cortex_address(text)


@pytest.mark.parametrize("query", BAD_QUERIES)
def test_another_query_is_refused(query: str) -> None:
    with pytest.raises(CortexAddressError) as caught:
        parse_layer_address(f"cortex://user/default{query}")
    assert caught.value.reason == "bad_query"


def test_the_parts_of_an_address_have_names() -> None:
    address = parse_cortex_address("cortex://user/ana/preferences/editor.md")
    assert (address.dimension, address.owner, address.category, address.name) == (
        "user",
        "ana",
        "preferences",
        "editor.md",
    )
    assert str(address) == "cortex://user/ana/preferences/editor.md"
    top = parse_cortex_address("cortex://agent")
    assert (top.dimension, top.owner, top.category, top.parent) == (
        "agent",
        "",
        "",
        None,
    )


def test_a_child_obeys_the_grammar() -> None:
    folder = parse_cortex_address("cortex://user/default/preferences")
    child = folder.child("cafe\u0301 #1.md")
    assert child.text == "cortex://user/default/preferences/café %231.md"
    assert child.parent == folder
    for name in ("..", "a/b", "", ".abstract.md", "a\0"):
        with pytest.raises(CortexAddressError):
            folder.child(name)
    with pytest.raises(CortexAddressError):
        parse_cortex_address("cortex://user/default").child("memories")


@pytest.mark.parametrize(
    ("text", "is_named"),
    [
        ("cortex://user/x", True), ("CORTEX://..", True), (".cuedeck/cortex", True), (".cuedeck/cortex/a", True),
        (".cuedeck/cortexes/a", False), ("docs/cortex.md", False), ("user/default", False),
    ],
)  # fmt: skip
def test_scheme_or_path_names_the_tree(text: str, is_named: bool) -> None:
    assert is_cortex_address(text) == is_named


_TEXTS = st.text(
    st.one_of(st.characters(), st.sampled_from("/.%#?\\: 2eEfF\u0301")), max_size=40
)
_SPELLINGS = st.one_of(
    _TEXTS,
    st.builds(
        "{}{}/{}".format,
        st.sampled_from(["cortex://", ".cuedeck/cortex/", ""]),
        st.sampled_from(["resources", "user/x/goals", "agent/x/cases"]),
        _TEXTS,
    ),
)


@given(_SPELLINGS)
def test_no_accepted_spelling_leaves_the_tree(text: str) -> None:
    try:
        address = parse_cortex_address(text)
    except CortexAddressError:
        return
    root = ".cuedeck/cortex/"
    assert address.path.startswith(root)
    assert posixpath.normpath(address.path) == address.path
    assert not os.path.isabs(address.path)
    assert len(address.path.split("/")) == 2 + len(address.parts)
    assert all(not part.startswith(".") for part in address.parts)
    assert unicodedata.normalize("NFC", address.path) == address.path
    assert parse_cortex_address(address.text) == address
    assert parse_cortex_address(address.path) == address
    assert parse_cortex_address(address.text).text == address.text


_NAMES = st.text(st.characters(codec="utf-8"), min_size=1, max_size=20)


@given(st.sampled_from(DIMENSIONS), _NAMES, st.lists(_NAMES, max_size=3), st.data())
def test_parsing_the_text_of_an_address_is_the_identity(
    dimension: str, owner: str, names: list[str], data: st.DataObject
) -> None:
    try:
        address = CortexAddress((dimension,)).child(owner)
        categories = CATEGORIES.get(address.dimension)
        if categories:
            address = address.child(data.draw(st.sampled_from(categories)))
        for name in names:
            address = address.child(name)
    except CortexAddressError:
        return
    assert parse_cortex_address(address.text) == address
    assert parse_cortex_address(f"{address.text}/") == address
