"""Addresses of resources."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cuedeck.shells.mcp.resources import (
    ResourceName,
    card_uri,
    doc_uri,
    parse_uri,
    uris_of,
)

SOUND = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0"),
    min_size=1,
    max_size=60,
)


@pytest.mark.parametrize(("uri", "named"), [("cuedeck://scene", ResourceName("scene")),
    ("cuedeck://session/current", ResourceName("session")),
    ("cuedeck://card/2a9f1x", ResourceName("card", "2a9f1x")),
    ("cuedeck://doc/docs/auth.md", ResourceName("doc", "docs/auth.md")),
    ("cuedeck://doc/docs/auth.md%23LoginFlow", ResourceName("doc", "docs/auth.md#LoginFlow")),
    ("cuedeck://doc/docs/auth.md#LoginFlow", ResourceName("doc", "docs/auth.md#LoginFlow")),
    ("cuedeck://doc/%252e%252e/secret", ResourceName("doc", "%2e%2e/secret"))])  # fmt: skip
def test_an_address_names_a_resource(uri: str, named: ResourceName) -> None:
    assert parse_uri(uri) == named


@pytest.mark.parametrize(
    "uri",
    ["", "cuedeck://", "cuedeck://card/", "cuedeck://doc/", "cuedeck://doc/%00", "cuedeck://doc/a%00b", "cuedeck://x/y",
     "file:///etc/passwd", "CUEDECK://scene", "cuedeck://session/other", "cuedeck://doc/%ff", "cuedeck://doc/%20",
     "cuedeck://doc/" + "a" * 5_000],
)  # fmt: skip
def test_an_invalid_address_matches_nothing(uri: str) -> None:
    assert parse_uri(uri) is None


@given(SOUND.filter(str.strip).map(str.strip))
def test_an_address_is_read_as_it_was_made(name: str) -> None:
    assert parse_uri(doc_uri(name)) == ResourceName("doc", name)
    assert parse_uri(card_uri(name)) == ResourceName("card", name)


def test_a_card_is_known_by_its_id_and_by_its_path() -> None:
    assert list(uris_of(".cuedeck/cards/2a9.md")) == [
        "cuedeck://card/2a9",
        "cuedeck://doc/.cuedeck/cards/2a9.md",
    ]
    assert list(uris_of("docs/a b.md")) == ["cuedeck://doc/docs/a%20b.md"]
    assert list(uris_of("docs/\udcff.md")) == []
