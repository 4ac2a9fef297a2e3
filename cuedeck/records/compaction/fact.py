"""Facts: single statements with the records they come from, and their line format."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from cuedeck.model.display import replace_surrogates
from cuedeck.model.memory_record import category_of
from cuedeck.records.compaction.short_ids import MARK

OTHER = "other"
"""Label of facts without a category."""
MOST_SOURCES = 6
"""Maximum number of sources that a fact names, newest first; further ones are only counted."""
_STRICTNESS = ("public", "operational", "private-user", "secret")
_MORE = "+"


@dataclass(frozen=True, slots=True)
class Fact:
    """One statement with its sources."""

    text: str
    sources: tuple[str, ...]
    """Marks of the source records; the first one provides the wording. At most `MOST_SOURCES`."""
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
    """True for a summary of several records: it becomes invalid when any of them is removed."""

    @property
    def value(self) -> int:
        """Value for choosing which facts stay in MEMORY.md."""
        return category_of(self.category).value


def by_time(fact: Fact) -> tuple[str, str, str]:
    """Return the key that sorts facts chronologically, newest last."""
    return fact.last, fact.first, fact.text


def strictest(labels: Iterable[str]) -> str:
    """Return the most restrictive sensitivity; unknown ones count as stricter than all known ones."""
    return max(labels, key=lambda label: _STRICTNESS.index(label) if label in _STRICTNESS else len(_STRICTNESS))


def joined_sessions(groups: Iterable[tuple[str, ...]], room: int) -> tuple[str, ...]:
    """Return the distinct names of several groups, as many as fit in `room` characters, then `+N` for the rest."""
    names: dict[str, None] = {}
    more = 0
    for group in dict.fromkeys(groups):
        for name in group:
            if name.startswith(_MORE) and name[1:].isdecimal():
                more += int(name[1:])
            else:
                names[name] = None
    kept: list[str] = []
    for name in names:
        room -= len(name) + 1
        if room < 0:
            break
        kept.append(name)
    more += len(names) - len(kept)
    return (*kept, *([f"{_MORE}{more}"] if more else []))


Item = Fact | str
"""A fact, or any other line."""

_BULLET = "- "
_INDENT = "  "
_DAY = r"(?:\d{4}-)?\d\d-\d\d"
_END = re.compile(rf" \[({MARK}(?:[ +]{MARK})*)(?: \+(\d+))?(?: ({_DAY})(?:\.\.({_DAY}))?)?\]\Z")


def plain_text(text: str) -> str:
    """Return a text normalised for facts: without trailing blanks, empty lines and surrogates."""
    if "\n" not in text and text.isascii():
        return text.strip()
    return "\n".join(kept for line in replace_surrogates(text).split("\n") if (kept := line.rstrip())).lstrip()


def fact_lines(items: Iterable[Item], first: str, last: str) -> Iterator[str]:
    """Yield the lines of facts under a heading with the days `first` to `last`."""
    before, year = first, last[:4]
    for item in items:
        if isinstance(item, str):
            yield item
            continue
        days = "" if item.first == item.last == before else f" {_days(item, year)}"
        before = item.last
        marks = ("+" if item.is_joint else " ").join(item.sources) + (f" +{item.more}" if item.more else "")
        yield f"{_BULLET}{item.text} [{marks}{days}]".replace("\n", f"\n{_INDENT}")


def parse_items(lines: Sequence[str], first: str, last: str) -> list[Item]:
    """Parse the lines under a heading with the days `first` to `last`."""
    items: list[Item] = []
    before, at = first, 0
    while at < len(lines):
        end = at + 1
        while end < len(lines) and lines[at].startswith(_BULLET) and lines[end].startswith(_INDENT):
            end += 1
        fact = _parse("\n".join([lines[at], *(line[2:] for line in lines[at + 1 : end])]), before, last[:4])
        items += lines[at:end] if fact is None else [fact]
        before, at = before if fact is None else fact.last, end
    return items


def _parse(text: str, before: str, year: str) -> Fact | None:
    end = _END.search(text.rstrip("\r")) if text.startswith(_BULLET) else None
    if end is None:
        return None
    marks, more, first, last = end.groups()
    first = _whole(first, year) if first else before
    return Fact(
        text[len(_BULLET) : end.start()],
        tuple(re.split("[ +]", marks)),
        first,
        _whole(last, year) if last else first,
        more=int(more or 0),
        is_joint="+" in marks,
    )


def _days(fact: Fact, year: str) -> str:
    first, last = (day[5:] if day[:4] == year else day for day in (fact.first, fact.last))
    return first if first == last else f"{first}..{last}"


def _whole(day: str, year: str) -> str:
    return day if len(day) > len("11-03") else f"{year}-{day}"
