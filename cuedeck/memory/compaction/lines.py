"""Facts as lines: `- fact [f1df838f 11-03]`.

Further lines of a fact are indented by two blanks, so that nothing in it can be taken for a line of its own. In the
bracket stand the marks of its sources and its days: `11-03` or `11-03..11-20`, with the year where it is not the one
of the last day above, nothing where they are the day of the fact before it. `+12` counts sources that are not named.
Marks with `+` between them are of records that were put into own words together.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from cuedeck.memory.compaction.fact import Fact
from cuedeck.memory.compaction.marks import MARK
from cuedeck.model.sound import sound

Item = Fact | str
"""A fact, or a line that is none."""

_BULLET = "- "
_INDENT = "  "
_DAY = r"(?:\d{4}-)?\d\d-\d\d"
_END = re.compile(rf" \[({MARK}(?:[ +]{MARK})*)(?: \+(\d+))?(?: ({_DAY})(?:\.\.({_DAY}))?)?\]\Z")


def plain_text(text: str) -> str:
    """Return a text as facts have it: no blanks at the ends of lines, no empty lines, nothing that is no UTF-8."""
    if "\n" not in text and text.isascii():
        return text.strip()
    return "\n".join(kept for line in sound(text).split("\n") if (kept := line.rstrip())).lstrip()


def fact_lines(items: Iterable[Item], first: str, last: str) -> Iterator[str]:
    """Yield the lines of facts that stand under the days `first` to `last`."""
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
    """Read the lines under the days `first` to `last`."""
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
