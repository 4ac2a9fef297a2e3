"""Term counts of a file, split into chunks: the input of full-text ranking."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Chunk(NamedTuple):
    """A window of lines of a file, at most one screen of one definition or section."""

    start: int
    end: int
    head: int
    """Line of the enclosing signature or heading above the chunk; 0 if there is none."""
    name: str
    """Name of the innermost definition or section that contains it; empty if there is none."""
    words: int
    """Number of words in the chunk."""


class Words(NamedTuple):
    """The chunks of a file and the term counts of each."""

    chunks: tuple[Chunk, ...]
    counts: Mapping[str, tuple[int, ...]]
    """By term: alternating chunk index and count in that chunk."""

    @property
    def length(self) -> int:
        """Total number of words."""
        return sum(chunk.words for chunk in self.chunks)


NO_WORDS = Words((), {})
