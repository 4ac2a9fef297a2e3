"""tiktoken's own encoder, made of our ranks: quick for any text, slow to load."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from cuedeck.store.tokens.pretokenizer import PATTERNS
from cuedeck.store.tokens.ranks import Ranks

if TYPE_CHECKING:
    from tiktoken import Encoding

_CHUNK = 400_000
"""Characters encoded at once: above a million blanks in a row tiktoken's regular expressions overflow."""
# Where no token of either encoding can span: behind a newline before a letter, between what is no blank and a
# blank before a letter, between a letter and a digit.
_BORDER = re.compile(r"(?<=\n)(?=[^\W\d_])|(?<=\S)(?= [^\W\d_])|(?<=[a-zA-Z])(?=[0-9])")


def load_encoding(name: str, ranks: Ranks) -> Encoding:
    """Load tiktoken's encoder; costs a few tenths of a second. It knows no special tokens."""
    import tiktoken

    tokens = ranks.tokens()
    ranks_by_token = dict(zip(tokens, range(len(tokens)), strict=True))
    return tiktoken.Encoding(name, pat_str=PATTERNS[name], mergeable_ranks=ranks_by_token, special_tokens={})


def chunks(text: str) -> Iterator[str]:
    """Split a very long text where no token can span; without such a place, somewhere."""
    start = 0
    while len(text) - start > _CHUNK:
        end = start + _CHUNK
        for reach in (1_000, _CHUNK - 1):
            borders = [found.start() for found in _BORDER.finditer(text, max(start + 1, end - reach), end)]
            if borders:
                end = borders[-1]
                break
        yield text[start:end]
        start = end
    yield text[start:]
