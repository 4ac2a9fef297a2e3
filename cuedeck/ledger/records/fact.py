"""Facts: single statements with the records they come from, as list items.

    - The server listens on port 80 [f1df838f 0a1b2c3d +4 11-03]

The item ends with the marks of its source records, the number of further sources, and
the day of the newest one. A mark is the beginning of a UUID, `=` and another id, or `~`
and a hash of an id that is long or contains a blank or a bracket. Marks joined by `+`
belong to a summary of several records. Earlier versions left out the day of the item
above, and wrote two days (`11-01..11-03`).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass

from cuedeck.model.formatting import replace_surrogates

MOST_SOURCES = 6
"""Maximum number of sources that a fact names, newest first; further ones are only
counted.
"""
_SHORTEST = 8
BULLET = "- "
INDENT = "  "
_MARK = r"(?:[0-9a-f]{8}[0-9a-f-]*|=[^\s\[\]+]{1,40}|~[0-9a-f]{12})"
_DAY = r"(?:\d{4}-)?\d\d-\d\d"
_END = re.compile(
    rf" \[({_MARK}(?:[ +]{_MARK})*)(?: \+(\d+))?(?: (?:{_DAY}\.\.)?({_DAY}))?\]\r?\Z"
)
_UUID = re.compile(r"[0-9a-f]{8}[0-9a-f-]*")
_PLAIN = re.compile(r"[^\s\[\]+]{1,40}")


@dataclass(frozen=True, slots=True)
class Fact:
    """One statement with its sources."""

    text: str
    sources: tuple[str, ...]
    """Marks of the source records, newest first; at most `MOST_SOURCES`."""
    day: str
    """Day of the newest source (`2026-11-21`, UTC)."""
    sensitivity: str = ""
    """Empty for facts of the long memory, which has no sensitivities."""
    category: str = ""
    more: int = 0
    """Number of further sources that are not named."""
    is_joint: bool = False
    """True for a summary of several records: it becomes invalid when any of them is
    removed.
    """


def by_time(fact: Fact) -> tuple[str, str]:
    """Return the key that sorts facts chronologically, newest last."""
    return fact.day, fact.text


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


def format_fact(fact: Fact, known: str) -> str:
    """Return the item of a fact without the part of its day that is known: `2026-` or
    `2026-11-03`.
    """
    marks = ("+" if fact.is_joint else " ").join(fact.sources)
    more = ""
    if fact.more:
        more = f" +{fact.more}"
    day = fact.day.removeprefix(known)
    if day:
        day = f" {day}"
    return f"{BULLET}{fact.text} [{marks}{more}{day}]".replace("\n", f"\n{INDENT}")


def parse_fact(item: str, day: str, year: str) -> Fact | None:
    """Return the fact of an item, None if it is not one. An item without a day has the
    given one, a day without a year the given year.
    """
    if not item.startswith(BULLET):
        return None
    end = _END.search(item)
    if end is None:
        return None
    marks, more, written = end.groups()
    if written is not None:
        is_whole = len(written) > len("11-03")
        day = written if is_whole else f"{year}-{written}"
    text = item[len(BULLET) : end.start()]
    return Fact(
        text=text.replace(f"\n{INDENT}", "\n"),
        sources=tuple(re.split("[ +]", marks)),
        day=day,
        more=int(more or 0),
        is_joint="+" in marks,
    )


def without_sources(item: str, gone: Marked) -> str | None:
    """Return an item without some of its sources, None if it must be removed. Any text
    that is not the item of a fact stays as it is.
    """
    end = _END.search(item)
    if end is None or not item.startswith(BULLET):
        return item
    written = end[1]
    marks = re.split("[ +]", written)
    left = [mark for mark in marks if mark not in gone]
    if len(left) == len(marks):
        return item
    if "+" in written or not left:
        return None
    return item[: end.start(1)] + " ".join(left) + item[end.end(1) :]


def mark_of(identity: str) -> str:
    """Return the mark of an id."""
    if _UUID.fullmatch(identity):
        return identity[:_SHORTEST]
    if _PLAIN.fullmatch(identity):
        return f"={identity}"
    return f"~{_hash(identity)}"


class Marked:
    """Ids of records, which contain the marks of these records."""

    def __init__(self, ids: Iterable[str]) -> None:
        self._by_start: dict[str, list[str]] = {}
        for identity in ids:
            whole = (f"={identity}", f"~{_hash(identity)}")
            for start in (*whole, identity[:_SHORTEST]):
                self._by_start.setdefault(start, []).append(identity)

    def __contains__(self, mark: str) -> bool:
        return bool(self._named(mark))

    def named_by(self, marks: Iterable[str]) -> dict[str, None]:
        """Return the ids that the marks name; a mark of several ids is ignored."""
        named = map(self._named, marks)
        return {found[0]: None for found in named if len(found) == 1}

    def _named(self, mark: str) -> list[str]:
        if mark[:1] in ("=", "~"):
            return self._by_start.get(mark, [])
        near = self._by_start.get(mark[:_SHORTEST], ())
        return [identity for identity in near if identity.startswith(mark)]


def _hash(identity: str) -> str:
    return hashlib.sha256(identity.encode("utf-8", "surrogatepass")).hexdigest()[:12]
