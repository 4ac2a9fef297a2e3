"""Texts are split with substitute characters of classes that are equal in all Unicode
versions.
"""

from __future__ import annotations

import pytest
import tiktoken
from encodings_of_tiktoken import NAMES

from cuedeck.store.tokens.pretokenizer import SETTLED, Splitter, _stand_in

CLASSES = {
    r"[\p{Lu}\p{Lt}]": "A",
    r"\p{Ll}": "a",
    r"[\p{Lm}\p{Lo}]": "ª",
    r"\p{M}": "\u0300",
    r"\p{N}": "0",
    r"\s": "\t",
    r"[^\p{L}\p{M}\p{N}\s]": ".",
}
CHARACTERS = "".join(
    chr(code) for first, last in SETTLED for code in range(first, last + 1)
)


@pytest.mark.slow
@pytest.mark.parametrize("expression", CLASSES)
def test_every_settled_character_is_of_the_class_tiktoken_takes_it_for(
    expression: str,
) -> None:
    """An encoding of single bytes keeps the text that its expression matches, and drops
    the rest.
    """
    by_bytes = {bytes([byte]): byte for byte in range(256)}
    encoding = tiktoken.Encoding(
        "bytes", pat_str=expression, mergeable_ranks=by_bytes, special_tokens={}
    )
    members = encoding.decode(encoding.encode_ordinary(CHARACTERS))
    assert members.replace("ſ", "") == "".join(
        each for each in CHARACTERS if _stand_in(ord(each)) == CLASSES[expression]
    )


def test_a_long_s_is_an_s_where_case_does_not_matter() -> None:
    assert _stand_in(ord("ſ")) == "s"
    for name in NAMES:
        assert Splitter(name).split("it'ſ") == Splitter(name).split(
            "it's".replace("s", "ſ")
        )


@pytest.mark.parametrize(
    "text", ["\ud83c", "\u0295", "\u0378", "\U0001fae9", "\U0010ffff"], ids=ascii
)
def test_a_text_with_another_character_is_not_split(text: str) -> None:
    """Half a pair, a letter that changed its class, a free place, a new picture, no
    character at all.
    """
    for name in NAMES:
        assert Splitter(name).split(f"words {text}") is None
