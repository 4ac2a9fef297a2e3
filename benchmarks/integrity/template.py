"""The content of a half: sentences with slots, and the words that fill them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Planted(NamedTuple):
    """Two sentences that contradict each other."""

    category: str
    older: str
    newer: str


class Half(NamedTuple):
    """The templates of one half. Both halves have different sentences."""

    name: str
    fillers: Mapping[str, tuple[str, ...]]
    """Words for a slot such as `{file}`; `{file2}` and `{file3}` in the same record or
    pair get other words.
    """
    ordinary: tuple[str, ...]
    """Sentences of turn summaries."""
    planted: tuple[Planted, ...]
    compatible: tuple[tuple[str, str], ...]
    """Category and text of similar claims; no two of them contradict each other."""
