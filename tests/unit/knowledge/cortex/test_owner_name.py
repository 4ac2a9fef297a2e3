"""Any id names a folder of its own inside the tree."""

from __future__ import annotations

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cuedeck.knowledge.cortex.cortex_sessions import owner_address, owner_name
from cuedeck.model.cortex_address import parse_cortex_address

UUID = "7F1C2D3E-0000-4000-8000-123456789ABC"


@pytest.mark.parametrize("identity", ["default", "my-project", "Ana Ruiz", "日本語"])
def test_a_safe_id_is_its_own_name(identity: str) -> None:
    assert owner_name(identity) == (identity, "")


def test_a_uuid_is_written_in_lower_case() -> None:
    assert owner_name(UUID) == (UUID.lower(), "")


@pytest.mark.parametrize(
    "identity",
    ["", ".", "..", "../../x", "a/b", "a\\b", ".git", "con", "a:b", "x" * 300, "a\0b"],
)
def test_an_unsafe_id_is_hashed(identity: str) -> None:
    name, original = owner_name(identity)
    assert len(name) == 64
    assert original == identity
    assert owner_name(identity) == (name, original)


def test_a_hash_is_that_of_the_id() -> None:
    assert owner_name("../../x").name == sha256(b"../../x").hexdigest()


@given(st.text())
def test_every_id_has_an_address(identity: str) -> None:
    address = owner_address("session", identity)
    assert parse_cortex_address(address.text) == address
    assert len(address.parts) == 2
