"""Byte pair encoding in pure Python for short texts.

Loading tiktoken costs more than the rest of a command. The counts equal those of tiktoken; a text that this counter
cannot handle gives None, and the caller uses tiktoken.
"""

from __future__ import annotations

from collections.abc import Sequence

from cuedeck.store.tokens.pretokenizer import Splitter
from cuedeck.store.tokens.ranks import Ranks

LONGEST = 256
"""Longest piece in characters; merge time is quadratic in the length."""


class Pieces:
    """Token counter for one encoding. It caches the tokens of every piece without limit, for a single command."""

    def __init__(self, encoding: str, ranks: Ranks) -> None:
        self._splitter = Splitter(encoding)
        self._tokens = _Merged(ranks)

    def count(self, text: str) -> int | None:
        """Return the number of tokens of `text`, or None if tiktoken is needed."""
        pieces = self._split(text)
        return None if pieces is None else sum(map(len, map(self._tokens.__getitem__, pieces)))

    def tokens(self, text: str, most: int) -> list[bytes] | None:
        """Return the first `most` tokens of `text`, or None if tiktoken is needed."""
        pieces = self._split(text)
        if pieces is None:
            return None
        found: list[bytes] = []
        for piece in pieces:
            if len(found) >= most:
                break
            found += self._tokens[piece]
        return found[:most]

    def _split(self, text: str) -> list[str] | None:
        pieces = self._splitter.split(text)
        return None if pieces is None or max(map(len, pieces), default=0) > LONGEST else pieces


class _Merged(dict[str, Sequence[bytes]]):
    """Cache of the tokens of each piece."""

    def __init__(self, ranks: Ranks) -> None:
        super().__init__()
        self._ranks = ranks

    def __missing__(self, piece: str) -> Sequence[bytes]:
        self[piece] = found = merge(piece.encode(), self._ranks)
        return found


def merge(piece: bytes, ranks: Ranks) -> Sequence[bytes]:
    """Return the tokens of a piece: merge the adjacent pair of lowest rank until no pair is a token (BPE)."""
    rank, none = ranks.rank, len(ranks)
    if rank(piece) != none:
        return (piece,)
    parts = [piece[at : at + 1] for at in range(len(piece))]
    pairs = [rank(piece[at : at + 2]) for at in range(len(piece) - 1)]
    while pairs and (lowest := min(pairs)) != none:
        at = pairs.index(lowest)
        parts[at : at + 2] = [parts[at] + parts[at + 1]]
        del pairs[at]
        if at > 0:
            pairs[at - 1] = rank(parts[at - 1] + parts[at])
        if at < len(pairs):
            pairs[at] = rank(parts[at] + parts[at + 1])
    return parts
