"""Division of memory files and Markdown into the units that recall finds.

A unit is a record line, a paragraph, a list item, a fenced block, or a heading without
a text below it. Headings above a unit are its title. Comments and empty fields are no
units. Of a comment that is not closed, only the first line is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from cuedeck.ledger.records.record_file import Line, parse_line
from cuedeck.model.memory_record import Record
from cuedeck.model.recall_values import Unit
from cuedeck.text.timestamps import day_of, format_record_moment, moment_of

MOST_LINES = 40
"""Lines of the longest unit; a longer block of prose is divided."""
LONGEST_HEADING = 200
"""Characters of a heading in the title of the units below it."""
_START = re.compile(
    r"""(?x)(?P<blank>\s*\Z)
    | (?P<comment>\s*<!--)
    | (?P<heading>[ ]{0,3}(?P<marks>\#{1,6})(?:[ \t]+(?P<title>.*?))?(?:[ \t]+\#*)?[ \t]*\Z)
    | (?P<fence>[ ]{0,3}(?P<open>`{3,}|~{3,}))
    | (?P<item>[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+\S)"""
)
"""The beginning of a block, by its kind."""
_COMMENT_END = "-->"
_WITHOUT_SPEAKERS = frozenset(("user", "card", "doc"))
"""Kinds of units that are no turns of a conversation: `Budget: 8000` is a field."""
_TEMPLATE_KIND = "user"
"""Kind of USER.md, which begins as a template: its headings alone are not units."""
_EMPTY_FIELD = re.compile(r"[ \t]*[-*+] [^:\n]{1,60}:\s*")
"""A field of a template without a value: `- Name:`."""
_RULE = re.compile(r"[\s\-*_=|:+]*|\([\w-]+\)=\s*")
"""A rule, or a label of MyST Markdown: `(installation)=`."""
_MARKED = re.compile(r"\A[ \t]*(?:[-*+>]|\d{1,9}[.)])[ \t]+")
_SPEAKER = re.compile(
    r"(?:\[[^\]\n]{1,40}\][ \t]*)?(?:\*\*)?"
    r"([^\W\d_a-z][\w'’.-]{0,30}(?: [^\W\d_a-z][\w'’.-]{0,30}){0,2})(?:\*\*)?:(?:\*\*)?\s"
)
_WRITTEN = re.compile(
    r"[1-9]\d{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])"
    r"T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z",
    re.ASCII,
)
"""A timestamp as CueDeck writes it; others, and the last days of a month, are parsed.
"""
_FIELDS = re.compile(r"(?:title|aliases|description|tags):[ \t]*\S")
"""Lines of front matter that state what a file is about."""
_YAML = re.compile(r"[\w-]+:(?:\s|$)|[ \t]+\S|-[ \t]|#|[ \t]*$")
"""A line of simple YAML: a key, a part of its value, an item, a comment."""


class Divided(NamedTuple):
    """The units of a text, in line order, and its records."""

    units: tuple[Unit, ...]
    records: tuple[Record, ...]
    """Every record, also those without a unit because they are secret."""


def divide(
    text: str, kind: str, *, day: str = "", has_records: bool = False
) -> Divided:
    """Divide the text of a file.

    `day` is the date of units that have none of their own. With `has_records`, lines
    that are records become units of the kind `record`; broken and secret records become
    none.
    """
    # Only "\n" ends a line, because record texts may contain other line separators.
    rows = text.split("\n")
    begin = _end_of_front_matter(rows, has_records)
    units: list[Unit] = []
    records: list[Record] = []
    headings: list[_Block] = []
    bare: _Block | None = None
    """The last heading, while no text is below it."""

    def add(block: _Block, end: int) -> None:
        above = [
            each for each in headings if not block.level or each.level < block.level
        ]
        title = " > ".join(each.text[:LONGEST_HEADING] for each in above)
        units.append(_unit(block, end, kind, title, day))

    fields = [row for row in rows[1 : max(begin - 1, 1)] if _FIELDS.match(row)]
    if fields:
        add(_Block(2, "\n".join(fields)), begin - 1)
    last = _Block(0, "", level=1)
    for block in chain(_blocks(rows, begin, has_records), [last]):
        if block.level:
            is_over = bare is not None and bare.level >= block.level
            if bare is not None and is_over and kind != _TEMPLATE_KIND:
                add(bare, bare.line)
            headings = [each for each in headings if each.level < block.level]
            bare = block if block.text else None
            headings += [block] if block.text else []
        elif block.record is not None:
            bare = None
            records.append(block.record)
            if not block.record.is_secret:
                units.append(record_unit(block.record, day))
        elif not _RULE.fullmatch(block.text) and not _EMPTY_FIELD.fullmatch(block.text):
            bare = None
            add(block, block.line + block.text.count("\n"))
    return Divided(tuple(units), tuple(records))


def record_unit(record: Record, day: str) -> Unit:
    """Return the unit of a record; `day` is its date if it has no timestamp."""
    text = record.text
    return Unit(
        "record",
        record.line,
        record.line,
        text,
        id=record.id,
        date=utc_text(record.timestamp) or day,
        speaker=speaker_of(text),
        session=record.session,
        category=record.category,
        is_evergreen=record.is_protected,
    )


def utc_text(timestamp: str) -> str:
    """Return a timestamp in UTC with milliseconds and `Z`; empty if it is invalid."""
    if _WRITTEN.fullmatch(timestamp):
        return timestamp
    moment = moment_of(timestamp) if timestamp else None
    return "" if moment is None else format_record_moment(moment)


def speaker_of(text: str) -> str:
    """Return the name before a colon at the start of a text; empty if there is none."""
    found = _SPEAKER.match(text)
    return found[1] if found else ""


class _Block(NamedTuple):
    """A heading, a record, or lines of prose."""

    line: int
    """First line, 1-based."""
    text: str = ""
    level: int = 0
    """Level of a heading; 0 for others."""
    record: Record | None = None


def _unit(block: _Block, end: int, kind: str, title: str, day: str) -> Unit:
    body = _MARKED.sub("", block.text, count=1)
    speaker = "" if kind in _WITHOUT_SPEAKERS else speaker_of(body)
    date = day_of(title) or day
    text = body.strip()
    return Unit(kind, block.line, end, text, title, date=date, speaker=speaker)


def _end_of_front_matter(rows: Sequence[str], has_records: bool) -> int:
    """Return the number of lines of the front matter at the start of a file."""
    if rows[0].strip() != "---":
        return 0
    try:
        end = [row.rstrip() for row in rows].index("---", 1)
    except ValueError:
        return 0
    # In a log, `---` may also be a rule between paragraphs or records.
    if has_records and not all(map(_is_front_matter, rows[1:end])):
        return 0
    return end + 1


def _is_front_matter(row: str) -> bool:
    is_record = "{" in row and _record_at(row, 0) is not None
    return not is_record and _YAML.match(row) is not None


def _record_at(row: str, number: int) -> Line | None:
    """Return a line that is a record or a broken one."""
    line = parse_line(row, number)
    return line if line.record is not None or line.fault else None


def _blocks(rows: Sequence[str], begin: int, has_records: bool) -> Iterator[_Block]:
    """Yield the blocks after some lines, in order."""
    ends = (number for number, row in enumerate(rows, 1) if _COMMENT_END in row)
    last_end = max(ends, default=0)
    block: list[str] = []
    fence = ""
    """Characters that end the open fenced block or comment."""
    is_over = False
    for number, row in enumerate(rows[begin:], begin + 1):
        line = _record_at(row, number) if has_records and "{" in row else None
        start = None if fence else _START.match(row)
        kind = start.lastgroup if start is not None else ""
        if line is not None:
            # Records count everywhere in a memory file, so such a line ends an open
            # fence or comment. Otherwise a fence without an end would make secret
            # records prose.
            kind, fence = "record", ""
        elif fence == _COMMENT_END:
            kind = "comment"
        if block and (kind or is_over or len(block) >= MOST_LINES):
            yield _Block(number - len(block), "\n".join(block))
            block, is_over = [], False
        if line is not None and line.record is not None:
            yield _Block(number, record=line.record)
        elif kind == "heading" and start is not None:
            yield _Block(number, start["title"] or "", len(start["marks"]))
        elif kind == "comment":
            is_open = _COMMENT_END not in row and number < last_end
            fence = _COMMENT_END if is_open else ""
        elif kind not in ("blank", "record"):
            block.append(row)
            is_over = bool(fence) and _ends_fence(row, fence)
            if is_over:
                fence = ""
            elif kind == "fence" and start is not None:
                fence = start["open"]
    if block:
        yield _Block(len(rows) - len(block) + 1, "\n".join(block))


def _ends_fence(row: str, fence: str) -> bool:
    line = row.strip()
    return line.startswith(fence) and not line.strip("`~")
