"""tiktoken's encoder, made of our ranks, is the one tiktoken makes; very long texts are
split for it.
"""

from __future__ import annotations

import re

import pytest
from encodings_of_tiktoken import (
    CORPUS,
    NAMES,
    PACKAGE,
    WORDS,
    count,
    ranks,
    reference,
    texts,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from cuedeck.store.tokens import token_counter as module
from cuedeck.store.tokens.token_counter import chunks, load_encoding


@pytest.mark.parametrize("name", NAMES)
def test_it_encodes_as_the_one_of_tiktoken(name: str) -> None:
    made = load_encoding(name, ranks(name))
    assert made.name == name
    files = [
        file.read_text(encoding="utf-8") for file in sorted(PACKAGE.glob("scene/*.py"))
    ]

    @settings(max_examples=80, deadline=None)
    @given(text=texts)
    def check(text: str) -> None:
        assert made.encode_ordinary(text) == reference(name).encode_ordinary(text)

    check()
    for text in (*CORPUS, *files):
        assert made.encode_ordinary(text) == reference(name).encode_ordinary(text)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=50, deadline=None)
@given(
    text=st.lists(st.sampled_from((*WORDS, " ", "\n", "\r\n", "  ")), max_size=60).map(
        "".join
    ),
    seed=st.integers(0, 9),
)
def test_texts_counted_in_chunks_count_like_the_whole(
    name: str, text: str, seed: int
) -> None:
    """Very long texts are split where no token can span."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_CHUNK", 20 + seed)
        found = list(chunks(text))
    assert "".join(found) == text
    is_border = re.compile(module._BORDER).match
    for left, right in zip(found, found[1:], strict=False):
        if is_border(left + right, len(left)):
            assert count(name, left) + count(name, right) == count(name, left + right)


def test_no_chunk_is_so_long_that_blanks_overflow_the_tokenizer() -> None:
    """tiktoken's regular expressions do on a million of them."""
    assert [len(chunk) for chunk in chunks(" " * 1_000_000)] == [
        400_000,
        400_000,
        200_000,
    ]
