"""Pieces of text into a budget."""

from __future__ import annotations

from collections.abc import Iterable

from benchmarks.scenes.vocabulary import LONGEST_TOKEN, Vocabulary

_MOST_MISFITS = 20
"""Pieces in a row that do not fit before a budget counts as full."""


def fill(pieces: Iterable[str], budget: int, vocabulary: Vocabulary) -> str:
    """Return the pieces that fit, in order; the first is taken in any case and may have
    to be cut.
    """
    taken: list[str] = []
    left, misfits = budget, 0
    for piece in pieces:
        tokens = vocabulary.count(piece[: (left + 1) * LONGEST_TOKEN])
        if tokens > left and taken:
            misfits += 1
        else:
            taken.append(piece)
            left, misfits = left - tokens, 0
        if left <= 0 or misfits > _MOST_MISFITS:
            break
    return "".join(taken)
