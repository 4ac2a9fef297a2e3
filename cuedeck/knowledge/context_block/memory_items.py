"""Entries of record files that the memory block may show: no hidden records, and each
record once.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from cuedeck.ledger.records.merged_text import newest_facts
from cuedeck.ledger.records.record_file import Line, RecordFile
from cuedeck.model.memory_record import CHECKPOINT_TEXT, Record
from cuedeck.model.record_categories import COMPACTION, category_of
from cuedeck.text.plain_text import fold_case

_RULE = "---"
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


def visible_items(
    files: Sequence[RecordFile],
    replaced: Collection[str],
    *,
    allow_secret: bool,
    without_turns: bool = False,
) -> list[RecordText]:
    """Return the visible entries, ordered by file and line.

    Of records with the same id or text, the last one in the first file that contains
    any is used; if that one is hidden, none is.
    """
    items: list[RecordText] = []
    ids = set(replaced)
    keys: set[str] = set()
    for section, file in enumerate(files):
        entries = list(_entries(file))
        last_id: dict[str, int] = {}
        last_key: dict[str, int] = {}
        for at, source in enumerate(entries):
            if isinstance(source, Record):
                last_id[source.id] = last_key[fold_case(source.text)] = at
        for at, source in enumerate(entries):
            if isinstance(source, Record):
                key = fold_case(source.text)
                is_last = last_id[source.id] == last_key[key] == at
                if not is_last or source.id in ids or key in keys:
                    continue
                if _is_hidden(source, allow_secret, without_turns):
                    continue
            text = at_most(source, LONGEST)
            items.append(RecordText(section, len(items), text, source))
        ids.update(last_id)
        keys.update(last_key)
    return items


def _entries(file: RecordFile) -> Iterator[Record | str]:
    """Yield the records of a file, and its lines that are neither blank nor malformed
    records, after the header.
    """
    for line in file.lines[_header_length(file.lines) :]:
        if line.record is not None:
            yield line.record
        elif line.text.strip() and not line.fault:
            yield line.text


def _header_length(lines: Sequence[Line]) -> int:
    """Return the number of lines of a header. It ends with a rule before the first
    record; without one it is at most the first line.
    """
    for at, line in enumerate(lines):
        if line.record is not None:
            break
        if line.text.strip() == _RULE:
            return at + 1
    return int(bool(lines) and lines[0].text.startswith("# "))


def _is_hidden(record: Record, allow_secret: bool, without_turns: bool) -> bool:
    if record.is_secret and not allow_secret:
        return True
    if without_turns and category_of(record.category).is_turn_report:
        return True
    return not fold_case(record.text) or record.text == CHECKPOINT_TEXT


_COMMENT = re.compile(r"<!--(?:(?!<!--).)*?-->|<!--[^\n]*", re.DOTALL)
"""A comment, or the rest of the line if the comment is not closed."""
_FIELD = re.compile(r"(\s*)[-*+] [^:\n]{1,60}:\s*")
_BLANK_LINES = re.compile(r"\n{3,}")
_HEADING = re.compile(r"(#{1,6})\s")
_REMOVED = "\0"
"""A removed comment or field."""


def filled_part(text: str) -> str:
    """Return a Markdown text without comments, empty fields such as `- Name:`, and
    headings with nothing else below them.

    A field with indented lines below it is not empty.
    """
    text = text.replace(_REMOVED, "")
    text = _COMMENT.sub(_REMOVED, text)
    lines = text.split("\n")
    for at in range(len(lines)):
        if _is_empty_field(lines, at):
            lines[at] = _REMOVED
    kept = [
        line
        for at, line in enumerate(lines)
        if not _is_empty_section(lines, at)  # the lines below decide
    ]
    filled = "\n".join(kept)
    filled = filled.replace(_REMOVED, "")
    filled = _BLANK_LINES.sub("\n\n", filled)
    return filled.strip()


def _is_empty_field(lines: Sequence[str], at: int) -> bool:
    field = _FIELD.fullmatch(lines[at])
    if field is None:
        return False
    indent = len(field[1])
    for line in lines[at + 1 :]:
        if line.strip():
            next_indent = len(line) - len(line.lstrip())
            return next_indent <= indent
    return True


def _is_empty_section(lines: Sequence[str], at: int) -> bool:
    """Return whether a line is a heading with only removed parts below it. A heading
    that was empty before counts as text.
    """
    heading = _HEADING.match(lines[at])
    if heading is None:
        return False
    level = len(heading[1])
    has_removed = False
    for number in range(at + 1, len(lines)):
        line = lines[number]
        below = _HEADING.match(line)
        if below is not None and len(below[1]) <= level:
            break
        if below is not None and _is_empty_section(lines, number):
            continue
        left = line.replace(_REMOVED, "")
        if left.strip():
            return False
        has_removed = has_removed or _REMOVED in line
    return has_removed
