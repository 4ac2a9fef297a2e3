"""Division of memory files and Markdown into the units that recall finds.

A unit is a record line, a paragraph, a list item, a fenced block, or a heading without
a text below it. Headings above a unit are its title. Comments and empty fields are no
units. Of a comment that is not closed, only the first line is left out.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from cuedeck.ledger.records.record_file import Line, parse_line
from cuedeck.model.memory_record import Record
from cuedeck.model.recall_values import Unit
from cuedeck.text.timestamps import day_of, format_record_moment, moment_of

MOST_LINES = 40
"""Lines of the longest unit; a longer block of prose is divided."""
LONGEST_HEADING = 200
"""Characters of a heading in the title of the units below it."""
_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#*)?[ \t]*$")
_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+(\S.*)")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_COMMENT, _COMMENT_END = "<!--", "-->"
_WITHOUT_SPEAKERS = frozenset(("user", "card", "doc"))
"""Kinds of units that are no turns of a conversation: `Budget: 8000` is a field."""
_TEMPLATE_KIND = "user"
"""Kind of USER.md, which begins as a template: its headings alone are not units."""
_EMPTY_FIELD = re.compile(r"[ \t]*[-*+] [^:\n]{1,60}:\s*")
"""A field of a template without a value: `- Name:`."""
_RULE = re.compile(r"[\s\-*_=|:+]*|\([\w-]+\)=\s*")
"""A rule, or a label of MyST Markdown: `(installation)=`."""
_MARKED = re.compile(r"[ \t]*(?:[-*+>]|\d{1,9}[.)])[ \t]+")
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
    text: str,
    kind: str,
    *,
    day: str = "",
    has_records: bool = False,
) -> Divided:
    """Divide the text of a file.

    `day` is the date of units that have none of their own. With `has_records`, lines
    that are records become units of the kind `record`; broken and secret records become
    none.
    """
    splitter = _Splitter(kind, day, has_records)
    # Only "\n" ends a line, because record texts may contain other line separators.
    rows = text.split("\n")
    for number, row in enumerate(rows if _COMMENT in text else (), 1):
        if _COMMENT_END in row:
            splitter.last_comment_end = number
    for row in rows[splitter.take_front_matter(rows) :]:
        splitter.take(row)
    splitter.end_block()
    splitter.end_heading()
    return Divided(tuple(splitter.units), tuple(splitter.records))


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


def _is_front_matter(row: str) -> bool:
    """Return whether a line may be front matter of a log, where `---` may also be a
    rule between paragraphs or records.
    """
    if "{" in row:
        line = parse_line(row)
        if _is_record_line(line):
            return False
    match = _YAML.match(row)
    return match is not None


def _is_record_line(line: Line) -> bool:
    return line.record is not None or bool(line.fault)


class _Bare(NamedTuple):
    """A heading without a text below it so far; a heading below it has it as title."""

    level: int
    line: int
    text: str


@dataclass(slots=True)
class _Splitter:
    """The state of dividing one text."""

    kind: str
    day: str
    has_records: bool
    headings: list[tuple[int, str]] = field(default_factory=list)
    line: int = 0
    """Lines taken so far."""
    units: list[Unit] = field(default_factory=list)
    records: list[Record] = field(default_factory=list)
    block: list[str] = field(default_factory=list)
    """Lines of the open block."""
    first: int = 0
    """Line of the first line of the open block."""
    last_comment_end: int = 0
    """Last line with the end of a comment."""
    fence: str = ""
    """Characters that end the open fenced block or comment."""
    bare: _Bare | None = None
    """The last heading, while no text is below it."""

    def take(self, row: str) -> None:
        """Take the next line."""
        self.line += 1
        if self.has_records and "{" in row and self._take_record_line(row):
            return
        if self.fence:
            self._take_fenced(row)
        else:
            self._take_prose(row)

    def take_front_matter(self, rows: Sequence[str]) -> int:
        """Take the front matter at the start of a file; return its number of lines."""
        if not rows or rows[0].strip() != "---":
            return 0
        try:
            end = [row.rstrip() for row in rows].index("---", 1)
        except ValueError:
            return 0
        inside = rows[1:end]
        is_front_matter = True
        if self.has_records:
            is_front_matter = all(map(_is_front_matter, inside))
        if not is_front_matter:
            return 0
        fields = [row for row in inside if _FIELDS.match(row)]
        if fields:
            self._add(2, end, "\n".join(fields))
        self.line = end + 1
        return end + 1

    def end_block(self) -> None:
        """Make a unit of the open block."""
        if not self.block:
            return
        text = "\n".join(self.block)
        self.block = []
        if not _RULE.fullmatch(text) and not _EMPTY_FIELD.fullmatch(text):
            self.bare = None
            self._add(self.first, self.first + text.count("\n"), text)

    def end_heading(self) -> None:
        """Make a unit of the last heading if it has no text."""
        if self.bare is not None:
            level, line, text = self.bare
            self.bare = None
            if self.kind == _TEMPLATE_KIND:
                return
            above = [title for own, title in self.headings if own < level]
            self._add(
                line,
                line,
                text,
                above,
            )

    def _take_record_line(self, row: str) -> bool:
        """Take a line that is a record, or a broken one; return whether it is.

        Records count everywhere in a memory file, so such a line ends an open fence or
        comment. Otherwise a fence without an end would make secret records prose.
        """
        line = parse_line(row, self.line)
        if not _is_record_line(line):
            return False
        self.fence = ""
        self.end_block()
        if line.record is not None:
            self.bare = None
            self.records.append(line.record)
            if not line.record.is_secret:
                self.units.append(record_unit(line.record, self.day))
        return True

    def _take_fenced(self, row: str) -> None:
        if self.fence == _COMMENT_END:
            if _COMMENT_END in row:
                self.fence = ""
            return
        self._continue(row)
        line = row.strip()
        if line.startswith(self.fence) and not line.strip("`~"):
            self.fence = ""
            self.end_block()

    def _take_prose(self, row: str) -> None:
        if not row.strip():
            self.end_block()
            return
        if row.lstrip().startswith(_COMMENT):
            self.end_block()
            if _COMMENT_END not in row and self.line < self.last_comment_end:
                self.fence = _COMMENT_END
            return
        heading = _HEADING.match(row)
        if heading:
            self._take_heading(len(heading[1]), heading[2] or "")
            return
        fence = _FENCE.match(row)
        if fence or _ITEM.match(row):
            self.end_block()
        if fence:
            self.fence = fence[1]
        self._continue(row)

    def _take_heading(self, level: int, text: str) -> None:
        self.end_block()
        if self.bare is not None and self.bare.level >= level:
            self.end_heading()
        self.headings = [each for each in self.headings if each[0] < level]
        self.bare = None
        if text:
            self.headings.append((level, text[:LONGEST_HEADING]))
            self.bare = _Bare(level, self.line, text)

    def _continue(self, row: str) -> None:
        if len(self.block) >= MOST_LINES:
            self.end_block()
        if not self.block:
            self.first = self.line
        self.block.append(row)

    def _add(
        self,
        start: int,
        end: int,
        text: str,
        above: Sequence[str] | None = None,
    ) -> None:
        titles = [title for _, title in self.headings] if above is None else above
        body = _MARKED.sub("", text, count=1) if _MARKED.match(text) else text
        title = " > ".join(titles)
        speaker = "" if self.kind in _WITHOUT_SPEAKERS else speaker_of(body)
        unit = Unit(
            self.kind,
            start,
            end,
            body.strip(),
            title,
            date=day_of(title) or self.day,
            speaker=speaker,
        )
        self.units.append(unit)
