"""Passages of a daily log, found by the hash of their words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from cuedeck.parse.recall_hit_line import text_key
from cuedeck.parse.record_file import parse_records

_MAX_LINES = 12
"""Maximum number of lines of a passage."""


class Passage(NamedTuple):
    """Consecutive lines of prose."""

    first: int
    """1-based."""
    last: int
    text: str

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

    def __init__(self, text: str) -> None:
        self._by_key: dict[str, Passage] = {}
        for block in _blocks(text):
            for passage in _passages(block):
                key = text_key(passage.text)
                self._by_key.setdefault(key, passage)

    def find(self, key: str) -> Passage | None:
        """Return the first passage with these words; None if the log lacks them."""
        return self._by_key.get(key)


_Block = list[tuple[int, str]]


def _blocks(text: str) -> Iterator[_Block]:
    """Yield the runs of lines of prose, with their numbers."""
    block: _Block = []
    for number, line in enumerate(parse_records(text).lines, 1):
        is_prose = line.record is None and not line.fault
        if is_prose and line.text.strip():
            block.append((number, line.text))
        elif block:
            yield block
            block = []
    if block:
        yield block


def _passages(block: _Block) -> Iterator[Passage]:
    for start, (first, _) in enumerate(block):
        text = ""
        for number, line in block[start : start + _MAX_LINES]:
            if text:
                text += "\n"
            text += line
            yield Passage(first, number, text)
