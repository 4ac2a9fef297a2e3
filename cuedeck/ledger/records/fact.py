"""Facts: single statements with the records they come from, and their line format."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from cuedeck.ledger.records.short_ids import MARK
from cuedeck.model.formatting import replace_surrogates
from cuedeck.model.record_categories import category_of

OTHER = "other"
"""Label of facts without a category."""
MOST_SOURCES = 6
"""Maximum number of sources that a fact names, newest first; further ones are only
counted.
"""
_STRICTNESS = ("public", "operational", "private-user", "secret")
_MORE = "+"


@dataclass(frozen=True, slots=True)
class Fact:
    """One statement with its sources."""

    text: str
    sources: tuple[str, ...]
    """Marks of the source records; the first one provides the wording. At most
    `MOST_SOURCES`.
    """
    first: str
    """First and last day (`2026-11-21`, UTC) of its sources."""
    last: str
    sensitivity: str = ""
    """Empty for facts of the long memory, which has no sensitivities."""
    category: str = ""
    """Category of its sources, or the topic under which an earlier version wrote it."""
    sessions: tuple[str, ...] = ()
    """Sessions of the fact or its section; `+3` counts sessions that are not named."""
    more: int = 0
    """Number of further sources that are not named."""
    is_joint: bool = False
    """True for a summary of several records: it becomes invalid when any of them is
    removed.
    """

    @property
    def value(self) -> int:
        """Value for choosing which facts stay in MEMORY.md."""
        return category_of(self.category).value

    @property
    def day_number(self) -> int:
        """Its last day as a number that grows with time."""
        return int(self.last.replace("-", ""))


def by_time(fact: Fact) -> tuple[str, str, str]:
    """Return the key that sorts facts chronologically, newest last."""
    return fact.last, fact.first, fact.text


def strictest(labels: Iterable[str]) -> str:
    """Return the most restrictive sensitivity; unknown ones count as stricter than all
    known ones.
    """
    return max(labels, key=_strictness)


def _strictness(label: str) -> int:
    if label in _STRICTNESS:
        return _STRICTNESS.index(label)
    return len(_STRICTNESS)


def joined_sessions(groups: Iterable[tuple[str, ...]], room: int) -> tuple[str, ...]:
    """Return the distinct names of several groups, as many as fit in `room` characters,
    then `+N` for the rest.
    """
    names: dict[str, None] = {}
    more = 0
    for name in chain.from_iterable(dict.fromkeys(groups)):
        count = name[1:]
        if name.startswith(_MORE) and count.isdecimal():
            more += int(count)
        else:
            names[name] = None
    kept: list[str] = []
    for name in names:
        room -= len(name) + 1
        if room < 0:
            break
        kept.append(name)
    more += len(names) - len(kept)
    if more:
        kept.append(f"{_MORE}{more}")
    return tuple(kept)


Item = Fact | str
"""A fact, or any other line."""

_BULLET = "- "
_INDENT = "  "
_DAY = r"(?:\d{4}-)?\d\d-\d\d"
_END = re.compile(
    rf" \[({MARK}(?:[ +]{MARK})*)(?: \+(\d+))?(?: ({_DAY})(?:\.\.({_DAY}))?)?\]\Z"
)


def plain_text(text: str) -> str:
    """Return a text normalised for facts: without trailing blanks, empty lines and
    surrogates.
    """
    if "\n" not in text and text.isascii():
        return text.strip()
    lines = [line.rstrip() for line in replace_surrogates(text).split("\n")]
    return "\n".join(filter(None, lines)).lstrip()


def without_mark(text: str) -> str:
    """Return the text of a fact without the marks of its sources at the end."""
    return _END.sub("", text.rstrip())


def fact_lines(items: Iterable[Item], first: str, last: str) -> Iterator[str]:
    """Yield the lines of facts under a heading with the days `first` to `last`."""
    before, year = first, last[:4]
    for item in items:
        if isinstance(item, str):
            yield item
            continue
        separator = "+" if item.is_joint else " "
        source = separator.join(item.sources)
        if item.more:
            source += f" +{item.more}"
        if not item.first == item.last == before:
            source += f" {_days(item, year)}"
        before = item.last
        yield f"{_BULLET}{item.text} [{source}]".replace("\n", f"\n{_INDENT}")


def parse_items(lines: Sequence[str], first: str, last: str) -> list[Item]:
    """Parse the lines under a heading with the days `first` to `last`."""
    items: list[Item] = []
    previous_day, year = first, last[:4]
    start = 0
    while start < len(lines):
        end = _item_end(lines, start)
        unindented = []
        for line in lines[start + 1 : end]:
            unindented.append(line.removeprefix(_INDENT))
        fact = _parse("\n".join([lines[start], *unindented]), previous_day, year)
        if fact is None:
            items += lines[start:end]
        else:
            items.append(fact)
            previous_day = fact.last
        start = end
    return items


def _item_end(lines: Sequence[str], start: int) -> int:
    """Return the index after the last line of the item that begins at `start`."""
    end = start + 1
    if lines[start].startswith(_BULLET):
        while end < len(lines) and lines[end].startswith(_INDENT):
            end += 1
    return end


def _parse(text: str, previous_day: str, year: str) -> Fact | None:
    if not text.startswith(_BULLET):
        return None
    source = _END.search(text.rstrip("\r"))
    if source is None:
        return None
    marks, more, first, last = source.groups()
    first = _full_day(first, year) if first else previous_day
    last = _full_day(last, year) if last else first
    return Fact(
        text[len(_BULLET) : source.start()],
        tuple(re.split("[ +]", marks)),
        first,
        last,
        more=int(more or 0),
        is_joint="+" in marks,
    )


def _days(fact: Fact, year: str) -> str:
    first = fact.first.removeprefix(f"{year}-")
    last = fact.last.removeprefix(f"{year}-")
    if first == last:
        return first
    return f"{first}..{last}"


def _full_day(day: str, year: str) -> str:
    if len(day) > len("11-03"):
        return day
    return f"{year}-{day}"
