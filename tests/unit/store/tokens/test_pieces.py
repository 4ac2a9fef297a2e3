"""Both ways to count tokens agree: `Pieces` equals tiktoken, and unsupported texts are
delegated.
"""

from __future__ import annotations

import pytest
from encodings_of_tiktoken import NAMES, ODD, WORDS, ranks, reference, settled, texts
from hypothesis import given, settings
from hypothesis import strategies as st

from cuedeck.store.tokens.token_counter import LONGEST, Pieces


@pytest.fixture(params=NAMES)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def same(name: str, pieces: Pieces, text: str, *, surely: bool = False) -> None:
    """Check one text; `surely` when it must not be left to tiktoken."""
    ids = reference(name).encode_ordinary(text)
    answer = pieces.count(text)
    assert answer == len(ids) or (answer is None and not surely)
    first = pieces.tokens(text, 7)
    assert (first is None) == (answer is None)
    assert first is None or first == reference(name).decode_tokens_bytes(ids)[:7]
    if answer is not None:
        assert pieces.tokens(text, answer + 1) == reference(name).decode_tokens_bytes(
            ids
        )


@pytest.mark.slow
@pytest.mark.parametrize("encoding", NAMES)
@settings(max_examples=80, deadline=None)
@given(text=texts)
def test_any_text(encoding: str, text: str) -> None:
    same(encoding, Pieces(encoding, ranks(encoding)), text)


@pytest.mark.slow
@pytest.mark.parametrize("encoding", NAMES)
@settings(max_examples=80, deadline=None)
@given(
    text=st.lists(
        st.one_of(st.sampled_from(ODD), st.sampled_from(WORDS), settled), max_size=40
    ).map("".join)
)
def test_a_text_of_settled_characters_is_never_left_to_tiktoken(
    encoding: str, text: str
) -> None:
    same(encoding, Pieces(encoding, ranks(encoding)), text, surely=True)


def test_a_piece_too_long_to_be_merged_in_good_time_is_left_to_tiktoken(
    name: str,
) -> None:
    pieces = Pieces(name, ranks(name))
    same(name, pieces, "a" * LONGEST, surely=True)
    for text in (
        "a" * (LONGEST + 1),
        "a" * 100_000,
        "x" + " " * 100_000,
        "日" * 100_000,
    ):
        assert pieces.count(text) is None
        assert pieces.tokens(text, 1) is None
