"""Passages of a daily log, found by the hash of their words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from cuedeck.knowledge.recall.memory_units import MOST_LINES, divide
from cuedeck.ledger.records.recall_hit_line import text_keys
from cuedeck.ledger.records.record_file import parse_records


class Passage(NamedTuple):
    """Lines of prose that a search can find as one text."""

    first: int
    """1-based."""
    last: int
    text: str
    has_secret: bool
    """Whether a secret of the log is in these lines, as a whole or in part."""

    @property
    def lines(self) -> str:
        """The lines as an anchor: `L3` or `L3-L5`."""
        if self.first == self.last:
            return f"L{self.first}"
        return f"L{self.first}-L{self.last}"


class DailyPassages:
    """All passages of one log. Line numbers in the counts go stale with every edit, so
    a passage is found by its words.
    """

    def __init__(self, text: str, masked: str) -> None:
        """`masked` is the text with its secrets replaced, line by line."""
        self._lines = text.split("\n")
        self._masked = masked.split("\n")
        self._places: dict[str, tuple[int, int]] = {}
        """First and last line by key."""
        for first, block in _blocks(text):
            for start in range(len(block)):
                keys = text_keys(block[start : start + MOST_LINES])
                for last, key in enumerate(keys, first + start):
                    self._places.setdefault(key, (first + start, last))

    def find(self, key: str) -> Passage | None:
        """Return the first passage with these words; None if the log lacks them."""
        place = self._places.get(key)
        if place is None:
            return None
        first, last = place
        lines = self._lines[first - 1 : last]
        has_secret = lines != self._masked[first - 1 : last]
        return Passage(first, last, "\n".join(lines), has_secret)


def _blocks(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the runs of lines of prose, each with the number of its first line.

    A blank line ends a run unless it is part of a fenced block.
    """
    in_units: set[int] = set()
    for unit in divide(text, "log", has_records=True).units:
        in_units.update(range(unit.start, unit.end + 1))
    block: list[str] = []
    number = 0
    for number, line in enumerate(parse_records(text).lines, 1):
        is_prose = line.record is None and not line.fault
        if is_prose and (line.text.strip() or number in in_units):
            block.append(line.text)
        elif block:
            yield number - len(block), block
            block = []
    if block:
        yield number + 1 - len(block), block
