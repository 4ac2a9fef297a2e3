"""tiktoken's encoder, built from the local ranks without a download: fast for any text,
slow to load.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from cuedeck.store.tokens.bpe_ranks import Ranks
from cuedeck.store.tokens.pretokenizer import PATTERNS

if TYPE_CHECKING:
    from tiktoken import Encoding

_CHUNK = 400_000
"""Characters encoded at once: tiktoken's regular expressions overflow on more than a
million consecutive blanks.
"""
# Positions that no token of either encoding spans: between a newline and a letter,
# between a non-blank and a blank before a letter, between a letter and a digit.
_BORDER = r"(?<=\n)(?=[^\W\d_])|(?<=\S)(?= [^\W\d_])|(?<=[a-zA-Z])(?=[0-9])"


_ENCODERS: dict[str, Encoding] = {}
"""Loaded encoders by encoding. An encoder never changes, so that all workspaces of a
process share it.
"""


def loaded_encoding(name: str) -> Encoding | None:
    """Return an encoder that this process has loaded, or None."""
    return _ENCODERS.get(name)


def load_encoding(name: str, ranks: Ranks) -> Encoding:
    """Load tiktoken's encoder without special tokens; the first time takes a few tenths
    of a second.
    """
    if name not in _ENCODERS:
        import tiktoken

        tokens = ranks.tokens()
        ranks_by_token = dict(zip(tokens, range(len(tokens)), strict=True))
        _ENCODERS[name] = tiktoken.Encoding(
            name,
            pat_str=PATTERNS[name],
            mergeable_ranks=ranks_by_token,
            special_tokens={},
        )
    return _ENCODERS[name]


def encode(encoding: Encoding, text: str) -> list[int]:
    """Return the tokens of a text of any length; special tokens are plain text."""
    return [id_ for chunk in chunks(text) for id_ in encoding.encode_ordinary(chunk)]


def chunks(text: str) -> Iterator[str]:
    """Split a very long text at positions that no token spans; if there is none, at the
    size limit.
    """
    start = 0
    if len(text) <= _CHUNK:
        yield text
        return
    border = re.compile(_BORDER)
    while len(text) - start > _CHUNK:
        end = start + _CHUNK
        for reach in (1_000, _CHUNK - 1):
            borders = [
                found.start()
                for found in border.finditer(text, max(start + 1, end - reach), end)
            ]
            if borders:
                end = borders[-1]
                break
        yield text[start:end]
        start = end
    yield text[start:]
