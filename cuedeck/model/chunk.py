"""The words of a file: what full-text ranking knows of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Chunk(NamedTuple):
    """A window of a file, at most a screen of one definition or section."""

    start: int
    end: int
    head: int
    """Line of the signature or heading above it; 0 when there is none."""
    name: str
    """Of the innermost definition or section that holds it, or empty."""
    words: int
    """Number of its words."""


class Words(NamedTuple):
    """The chunks of a file and how often each term stands in them."""

    chunks: tuple[Chunk, ...]
    counts: Mapping[str, tuple[int, ...]]
    """By term: index of a chunk and count there, in turn."""

    @property
    def length(self) -> int:
        """Number of all words."""
        return sum(chunk.words for chunk in self.chunks)


NO_WORDS = Words((), {})
