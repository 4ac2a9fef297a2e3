"""Merge of a memory file of another program into a memory file of CueDeck.

Records are identified by their id, other lines by their text; a fenced block is one
line. Lines that the file contains already are left out, but a section with a new
heading is copied as a whole. Everything is appended in its order, so a repeated merge
adds nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from typing import Any, NamedTuple

from cuedeck.ledger.records.record_file import format_record, parse_records, value_of

_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t].*)?")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_MAX_HEAD_LINES = 20


class Merge(NamedTuple):
    """Result of a merge."""

    text: str
    records: int
    """Number of records added."""
    lines: int
    """Number of other lines added, without empty ones."""
    refused: tuple[tuple[int, str], ...]
    """Lines that are not taken over, with the reason."""


class ForeignText(NamedTuple):
    """A memory file of another program, masked."""

    parts: tuple[dict[str, Any] | str, ...]
    """Records and other lines."""
    numbers: tuple[int, ...]
    """Line number of each part."""
    refused: tuple[tuple[int, str], ...]


def parse_foreign_text(
    text: str, title: str, mask: Callable[[Any], Any]
) -> ForeignText:
    """Return the records and lines of a memory file.

    `title` is the first line that programs write into a new file; it is left out with
    the explanation that CursorClaw puts between it and `---`. `mask` returns a text or
    a JSON object with its secrets masked.
    """
    parts: list[dict[str, Any] | str] = []
    numbers: list[int] = []
    refused = []
    run: list[str] = []

    def end_run(line: int) -> None:
        # Lines are masked together, because a secret may have several lines.
        if run:
            masked: str = mask("\n".join(run))
            for each in masked.split("\n"):
                parts.append(each)
                numbers.append(line)
            run.clear()

    head = _length_of_head(text, title)
    number = 0
    for number, line in enumerate(parse_records(text).lines, 1):
        if number <= head:
            continue
        if line.record is not None:
            end_run(number)
            (read,) = parse_records(format_record(value_of(line.record))).records
            parts.append(mask(value_of(read)))
            numbers.append(number)
        elif line.fault:
            refused.append((number, line.fault))
        else:
            run.append(line.text)
    end_run(number)
    return ForeignText(tuple(parts), tuple(numbers), tuple(refused))


def merge_memory_text(
    known: str, header: str, foreign: ForeignText, gone: Collection[str]
) -> Merge:
    """Return the text of a memory file with the new records and lines appended.

    `header` begins a new file; `gone` are the ids of forgotten records.
    """
    is_new = not known.strip()
    file = parse_records(known)
    values = {each.id: value_of(each) for each in reversed(file.records)}
    others = [line.text for line in file.lines if line.record is None]
    prose = _Prose(others, is_new=is_new)
    records = 0
    refused = list(foreign.refused)
    for part, number in zip(foreign.parts, foreign.numbers, strict=True):
        if isinstance(part, str):
            prose.add(part)
            continue
        identity = str(part["id"])
        if identity in gone:
            refused.append((number, f"record {identity} was forgotten here"))
        elif identity not in values:
            values[identity] = part
            prose.out.append(format_record(part))
            records += 1
        elif values[identity] != part:
            refused.append((number, f"record {identity} has other content here"))
    prose.end()
    found = tuple(sorted(refused))
    if not records and not prose.lines:
        return Merge(known, 0, 0, found)
    before = header if is_new else known
    if before and not before.endswith("\n"):
        before += "\n"
    added = "\n".join(prose.out)
    if is_new:
        added = added.lstrip("\n")
    added = added.rstrip("\n")
    return Merge(f"{before}{added}\n", records, prose.lines, found)


class _Prose:
    """The lines to append, and those that the file has."""

    def __init__(self, known: Sequence[str], *, is_new: bool) -> None:
        self.out: list[str] = []
        self.lines = 0
        self._is_new = is_new
        self._text = "\n".join(("", *known, ""))
        self._known = set(map(_key, known))
        self._block: list[str] = []
        self._heading = ""
        """The known heading above the next line, until it is written."""
        self._copied_level = 0
        """Level of the new section that is being copied; 0 outside one."""

    def add(self, line: str) -> None:
        """Add a line; the lines of a fenced block together."""
        self._block.append(line)
        if not _is_open(self._block):
            self._add_unit("\n".join(self._block))
            self._block = []

    def end(self) -> None:
        """Add the lines of a block without an end."""
        for line in self._block:
            self._add_unit(line)

    def _add_unit(self, unit: str) -> None:
        level = _level(unit)
        if level and level <= self._copied_level:
            self._copied_level = 0
        if self._is_new or self._copied_level:
            self._append(unit)
        elif level and _key(unit) in self._known:
            self._heading = unit if level > 1 else ""
        elif level > 1:
            self._copied_level = level
            self.out.append("")
            self._append(unit)
        elif unit.strip() and not self._is_known(unit):
            if self._heading:
                self.out += ["", self._heading, ""]
                self._heading = ""
            self._append(unit)

    def _append(self, unit: str) -> None:
        self.out.append(unit)
        self._known.add(_key(unit))
        if unit.strip():
            self.lines += unit.count("\n") + 1

    def _is_known(self, unit: str) -> bool:
        return _key(unit) in self._known or f"\n{unit}\n" in self._text


def _is_open(lines: Sequence[str]) -> bool:
    """Return whether lines are the beginning of a fenced block without its end."""
    fence = _FENCE.match(lines[0])
    if fence is None:
        return False
    last = lines[-1].strip()
    is_end = last.startswith(fence[1]) and not last.strip(fence[1][0])
    return len(lines) == 1 or not is_end


def _length_of_head(text: str, title: str) -> int:
    """Return the number of lines at the top of a file that a program wrote."""
    lines = text.split("\n", _MAX_HEAD_LINES)[:_MAX_HEAD_LINES]
    if not title or lines[0].strip() != title.strip():
        return 0
    for number, line in enumerate(lines, 1):
        if line.startswith("- "):
            break
        if line.strip() == "---":
            return number
    return 1


def _level(unit: str) -> int:
    """Return the level of a heading; 0 for another line."""
    found = _HEADING.fullmatch(unit)
    return len(found[1]) if found else 0


def _key(text: str) -> str:
    return " ".join(text.split())
