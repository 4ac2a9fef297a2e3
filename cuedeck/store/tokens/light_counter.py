"""Counts a few short texts without tiktoken, whose loading costs more than all the rest of a command.

What it tells is what tiktoken would; what it cannot tell at once it leaves to tiktoken.
"""

from __future__ import annotations

from collections.abc import Sequence

from cuedeck.store.tokens.pretokenizer import Splitter
from cuedeck.store.tokens.ranks import Ranks

LONGEST = 256
"""Characters of a piece; the time to merge one grows with the square of its length."""


class Pieces:
    """Counts in one encoding. Each piece is merged once, and kept: for as many texts as one command counts."""

    def __init__(self, encoding: str, ranks: Ranks) -> None:
        self._splitter = Splitter(encoding)
        self._tokens = _Merged(ranks)

    def count(self, text: str) -> int | None:
        """Return the number of tokens of `text`, or None."""
        pieces = self._split(text)
        return None if pieces is None else sum(map(len, map(self._tokens.__getitem__, pieces)))

    def tokens(self, text: str, most: int) -> list[bytes] | None:
        """Return the first tokens of `text`, `most` of them, or None."""
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
    """The tokens of each piece met so far."""

    def __init__(self, ranks: Ranks) -> None:
        super().__init__()
        self._ranks = ranks

    def __missing__(self, piece: str) -> Sequence[bytes]:
        self[piece] = found = merge(piece.encode(), self._ranks)
        return found


def merge(piece: bytes, ranks: Ranks) -> Sequence[bytes]:
    """Return the tokens of a piece: of two neighbours that are a token together the lowest rank goes first."""
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
