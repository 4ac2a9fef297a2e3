"""Header and body of layer files, and input hashes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cuedeck.knowledge.layers.layer_file import (
    LayerFile,
    file_hash,
    folder_hash,
    format_layer_file,
    parse_layer_file,
    rules_id,
)

RULES = rules_id("o200k_base", "0")
LAYER = LayerFile("L0", "cortex://user/default", "ab" * 32, 5, "The body.\nMore.")


@given(st.text(st.characters(codec="utf-8", exclude_characters="\r")))
def test_a_layer_file_is_read_as_it_was_written(body: str) -> None:
    layer = LAYER._replace(body=body)
    assert parse_layer_file(format_layer_file(layer)) == layer


def test_the_header_has_no_time() -> None:
    assert format_layer_file(LAYER).decode() == (
        "---\nlayer: L0\nsource: cortex://user/default\n"
        f"input_hash: {'ab' * 32}\nalgorithm: ext6\ntokens: 5\n"
        "generated_by: extractive\nbody_hash: 7b7a7c7e\n---\n\nThe body.\nMore.\n"
    ).replace(
        "7b7a7c7e", format_layer_file(LAYER).decode().split("body_hash: ")[1][:32]
    )


def test_an_edited_body_is_recognised() -> None:
    data = format_layer_file(LAYER).replace(b"More.", b"Edited.")
    found = parse_layer_file(data)
    assert found is not None and found.is_edited
    assert found.body == "The body.\nEdited."


@pytest.mark.parametrize("kept", range(0, 260, 7))
def test_a_file_cut_anywhere_is_edited_or_foreign(kept: int) -> None:
    data = format_layer_file(LAYER)
    found = parse_layer_file(data[: min(kept, len(data) - 1)])
    assert found is None or found.is_edited


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"# Overview\n\ntext\n\n**Added**: 2026-01-01 10:00:00 UTC\n",
        b"text\n\n**Added**: 2026-01-01 10:00:00 UTC\n<!-- source-hash: ab12 -->\n",
        b"---\nlayer: L0\n---\n\ntext\n",
        b"\xff\xfe\x00",
        format_layer_file(LAYER).replace(b"layer: L0", b"layer: L9"),
        format_layer_file(LAYER).replace(b"tokens: 5", b"tokens: many"),
    ],
)
def test_another_file_is_foreign(data: bytes) -> None:
    assert parse_layer_file(data) is None


def test_the_hash_of_a_folder_ignores_the_order_of_its_children() -> None:
    pairs = [("a", "1"), ("b/", "2"), ("c", "3")]
    assert folder_hash(RULES, "x", pairs) == folder_hash(RULES, "x", pairs[::-1])


@given(st.binary(min_size=1), st.integers(0, 10**6))
def test_every_byte_of_a_file_counts(data: bytes, at: int) -> None:
    place = at % len(data)
    changed = bytearray(data)
    changed[place] ^= 1
    before = file_hash(RULES, "cortex://user/a/goals/b.md", data)
    assert before != file_hash(RULES, "cortex://user/a/goals/b.md", bytes(changed))


def test_rules_and_addresses_count() -> None:
    hashes = {
        file_hash(RULES, "a", b"x"),
        file_hash(RULES, "b", b"x"),
        file_hash(rules_id("cl100k_base", "0"), "a", b"x"),
        file_hash(rules_id("o200k_base", "1"), "a", b"x"),
    }
    assert len(hashes) == 4
