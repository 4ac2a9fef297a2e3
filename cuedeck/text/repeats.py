"""Texts that repeat another one."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING

from cuedeck.text.words import read_stems

if TYPE_CHECKING:
    from cuedeck.model.recall_values import Unit

DECISIONS_HEAD = "## Decisions and attempts\n\n"
"""Heading of the part of a scene with decisions."""
_SAME = 0.8
"""A text with more than this share of its stems in another one repeats it."""


class Repeats:
    """The stems of texts that were shown."""

    def __init__(self) -> None:
        self._seen: list[frozenset[str]] = []

    def is_repeated(self, stems: Iterable[str]) -> bool:
        """Return whether a text has no stems or one that was shown has nearly all."""
        words = frozenset(stems)
        if not words:
            return True
        return any(len(words & other) > _SAME * len(words) for other in self._seen)

    def add(self, stems: Iterable[str]) -> None:
        """Note a text as shown."""
        self._seen.append(frozenset(stems))

    def add_known(self, units: Iterable[Unit], known: Collection[str]) -> None:
        """Note the units whose ids are in `known` as shown."""
        for unit in units:
            if unit.id in known:
                self.add(read_stems(unit.text))

    def add_decisions(self, scene: str) -> None:
        """Note the decisions and attempts in a scene as shown, a line each."""
        section = scene.partition(DECISIONS_HEAD)[2].partition("\n## ")[0]
        for line in section.splitlines():
            if line.strip():
                self.add(read_stems(line))

    def take_new(self, units: Iterable[Unit]) -> Iterator[Unit]:
        """Yield the units that repeat nothing shown, and note them as shown."""
        for unit in units:
            stems = read_stems(unit.text)
            if not self.is_repeated(stems):
                self.add(stems)
                yield unit
