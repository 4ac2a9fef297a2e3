"""Texts that repeat another one."""

from __future__ import annotations

from collections.abc import Iterable

_SAME = 0.8
"""Share of its stems with which a text repeats another one."""


class Repeats:
    """The stems of texts that were shown."""

    def __init__(self) -> None:
        self._seen: list[frozenset[str]] = []

    def is_repeated(self, stems: Iterable[str]) -> bool:
        """Return whether one text that was shown has nearly all stems of a text."""
        words = frozenset(stems)
        return any(len(words & other) >= _SAME * len(words) for other in self._seen)

    def add(self, stems: Iterable[str]) -> None:
        """Note a text as shown."""
        self._seen.append(frozenset(stems))
