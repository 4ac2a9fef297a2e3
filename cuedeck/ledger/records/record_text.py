"""Memory entries as text, truncated to a length: records, and handwritten lines between
them.
"""

from __future__ import annotations

from typing import NamedTuple

from cuedeck.ledger.records.merged_text import newest_facts
from cuedeck.model.memory_record import Record
from cuedeck.model.record_categories import COMPACTION

LONGEST = 1_000
"""Maximum characters of one entry while space is short; `cuedeck memory show` prints
more.
"""


_OLDER = "[... {:,} older facts left out]\n"
_FACT = "- "


class RecordText(NamedTuple):
    """An entry of the memory block, rendered as text."""

    section: int
    order: int
    """Index among all entries."""
    text: str
    source: Record | str
    """The record, or the handwritten line."""

    @property
    def is_high(self) -> bool:
        """Whether the entry is of high value."""
        return isinstance(self.source, str) or self.source.is_protected

    @property
    def is_cut(self) -> bool:
        """True if the text is truncated."""
        return self.text != self.whole().text

    def whole(self) -> RecordText:
        """Return the entry with its whole text."""
        text = at_most(self.source, len(_text_of(self.source)))
        return self._replace(text=text)


def at_most(source: Record | str, chars: int) -> str:
    """Return an entry as text, truncated to `chars` characters; a record has its day
    and category as prefix.

    The prefix and the indentation of further lines do not count.
    """
    text = _text_of(source)
    if isinstance(source, str):
        return cut(text, chars)
    day = ""
    if len(source.timestamp) >= 10:
        day = f"{source.timestamp[:10]} "
    category = " ".join(source.category.split())
    if source.category == COMPACTION and len(text) > chars:
        text = _with_newest_facts(text, chars)
    lines = [line.rstrip() for line in cut(text, chars).split("\n")]
    return f"- {day}[{category}] " + "\n  ".join(lines)


def _with_newest_facts(text: str, chars: int) -> str:
    facts = _count_facts(text)
    newest = newest_facts(text, chars - len(_OLDER.format(facts)))
    if not newest:
        return text
    return _OLDER.format(facts - _count_facts(newest)) + newest


def cut(text: str, room: int) -> str:
    """Return a text truncated to `room` characters, ending in an ellipsis if
    shortened.
    """
    if len(text) <= room:
        return text
    if room > 1:
        return text[: room - 1].rstrip() + "…"
    return ""


def _text_of(source: Record | str) -> str:
    if isinstance(source, str):
        return source.rstrip()
    return source.text.strip()


def _count_facts(text: str) -> int:
    return sum(line.startswith(_FACT) for line in text.split("\n"))
