"""The encodings of tiktoken, built by tiktoken itself, for the tests of token
counting.
"""

from __future__ import annotations

import hashlib
import lzma
import tempfile
from functools import cache
from pathlib import Path

import pytest
import tiktoken
from hypothesis import strategies as st

import cuedeck
from cuedeck.store.tokens.bpe_ranks import Ranks, open_ranks
from cuedeck.store.tokens.pretokenizer import SETTLED

NAMES = ("o200k_base", "cl100k_base")
PACKAGE = Path(cuedeck.__file__).parent
CORPUS = (
    "",
    "plain words",
    "<|endoftext|><|fim_prefix|><|endofprompt|>",
    "# Title\n\n- a\n- b\n\n```python\ndef f(x):\n    return x\n```\n",
    "Zażółć gęślą jaźń · 日本語のテキスト · العربية · 👩‍👩‍👧‍👦",
    "a" * 5_000,
    " " * 3_000 + "x",
    "\r\n\r\n  \n\t",
    "e\u0301\u0302 \x00\x01 \ud7ff\ue000",
    "0123456789" * 50,
    "half a pair \ud83c and the other \udf89 half",
    "ʕ•ᴥ•ʔ 🫩",
    "a  \x1cx  \x1f  y",
    "a  \x85 \n\x0b\x85b \u2028\u2029 c\u3000\u3000",
    "words and blanks  \n \n",
    "It'ſ IT'S it'Ll 'RE 'd'D'm",
    "ǅa Aǅ ʰa Aʰ a\u0301B A\u0301b \u0301a \u0301",
    "12345 ٣٣٣٣² a1b2",
    "//\n//// .\r\n/",
)
WORDS = (
    "word",
    "Straße",
    "日本語",
    "👩‍👩‍👧",
    "<|endoftext|>",
    "don't",
    "1234567",
    "x_y",
    "\t",
    "...",
    "{}",
    "e\u0301",
    "\u200b",
)
ODD = (
    *"aAsStTeEdDmlLrRvV'/.-_#019 \t\n\r\x0b\x0c\x1c\x1f\x7f\x85\xa0",
    *"éÉſªǅʰ٣²日ー。\u0300\u200d\u2028\u3000",
    "\r\n",
    "'LL",
)
settled = st.sampled_from(
    [chr(code) for first, last in SETTLED for code in range(first, last + 1)]
)
texts = st.one_of(
    st.lists(st.sampled_from(ODD), max_size=40).map("".join),
    st.lists(
        st.one_of(st.sampled_from(ODD), st.sampled_from(WORDS), settled), max_size=30
    ).map("".join),
    st.text(st.characters(), max_size=20),
)
"""Texts of characters at borders of pieces, of settled characters, and of any
characters, halves of surrogate pairs included.
"""


@cache
def rank_file(name: str) -> bytes:
    """Return the rank file, unpacked."""
    return lzma.decompress(
        (PACKAGE / f"store/tokens/vocabulary/{name}.tiktoken.xz").read_bytes()
    )


@cache
def reference(name: str) -> tiktoken.Encoding:
    """Return the encoding as tiktoken makes it: its own expression, its own reading of
    the rank file.
    """
    address = f"https://openaipublic.blob.core.windows.net/encodings/{name}.tiktoken"
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        place = (
            Path(folder)
            / hashlib.sha1(address.encode(), usedforsecurity=False).hexdigest()
        )
        place.write_bytes(rank_file(name))
        patch.setenv("TIKTOKEN_CACHE_DIR", folder)
        return tiktoken.get_encoding(name)


@cache
def ranks(name: str) -> Ranks:
    """Return the ranks, as the product keeps them."""
    return open_ranks(name, tempfile.gettempdir())


def count(name: str, text: str) -> int:
    """Return the number of tokens that tiktoken counts."""
    return len(reference(name).encode_ordinary(text))
