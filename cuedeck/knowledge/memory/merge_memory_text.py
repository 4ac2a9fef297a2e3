"""Merge of a memory file of another program into a memory file of CueDeck.

Records are identified by their id. Other lines are identified by their text and the
heading above them; a fenced block is compared as a whole. What the file contains
already is left out, everything else is appended in its order. So a repeated merge adds
nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from cuedeck.ledger.records.record_file import format_record, parse_records, value_of
from cuedeck.model.memory_record import Record

_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t].*)?")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_TOP_LEVEL = 1
"""Level of a heading that titles a file; its lines are compared in any case."""
_MAX_HEAD_LINES = 20


class ForeignPart(NamedTuple):
    """A record, or another line."""

    line: int
    """1-based line in the source."""
    value: Mapping[str, Any] | None
    """JSON object of a record, masked; None for another line."""
    text: str = ""
    """The other line, masked."""


class RefusedLine(NamedTuple):
    """A line that is not taken over."""

    line: int
    reason: str


class ForeignText(NamedTuple):
    """A parsed memory file of another program."""

    parts: tuple[ForeignPart, ...]
    refused: tuple[RefusedLine, ...]


class Merge(NamedTuple):
    """Result of a merge."""

    text: str
    records: int
    """Number of records added."""
    lines: int
    """Number of other lines added, without empty ones."""
    refused: tuple[RefusedLine, ...]


class _Unit(NamedTuple):
    """A line, or a fenced block."""

    text: str
    level: int = 0
    """Level of a heading; 0 for another line."""
    raw_scope: str = ""
    """Last line above that looks like a heading, also one in a fenced block."""
    is_block: bool = False

    @property
    def key(self) -> str:
        """Text for comparison."""
        return _key(self.text)


def parse_foreign_text(
    text: str, title: str, mask: Callable[[Any], Any]
) -> ForeignText:
    """Return the records and lines of a memory file.

    `title` is the first line that programs write into a new file; it is left out with
    the explanation that CursorClaw puts between it and `---`. `mask` returns a text or
    a JSON object with its secrets masked.
    """
    parts: list[ForeignPart] = []
    refused: list[RefusedLine] = []
    run: list[ForeignPart] = []
    head = _length_of_head(text, title)
    for number, line in enumerate(parse_records(text).lines, 1):
        if number <= head:
            continue
        if line.record is not None:
            parts += _masked_run(run, mask)
            run = []
            parts.append(ForeignPart(number, mask(_plain_value(line.record))))
        elif line.fault:
            refused.append(RefusedLine(number, line.fault))
        else:
            run.append(ForeignPart(number, None, line.text))
    parts += _masked_run(run, mask)
    return ForeignText(tuple(parts), tuple(refused))


def merge_memory_text(
    known: str, header: str, foreign: ForeignText, gone: Collection[str]
) -> Merge:
    """Return the text of a memory file with the new records and lines appended.

    `header` begins a new file; `gone` are the ids of forgotten records.
    """
    is_new = not known.strip()
    merger = _Merger(known, gone)
    for step in _steps(foreign.parts):
        if isinstance(step, ForeignPart):
            merger.add_record(step)
        elif is_new:
            merger.append(step)
        else:
            merger.add_unit(step)
    refused = tuple(sorted((*foreign.refused, *merger.refused)))
    if not merger.records and not merger.lines:
        return Merge(known, 0, 0, refused)
    before = header if is_new else known
    if before and not before.endswith("\n"):
        before += "\n"
    if not is_new and not merger.out[0]:
        before += "\n"
    added = "\n".join(merger.out).strip("\n")
    return Merge(f"{before}{added}\n", merger.records, merger.lines, refused)


class _Merger:
    """The lines to append, and the content of the file."""

    def __init__(self, known: str, gone: Collection[str]) -> None:
        self.out: list[str] = []
        self.records = 0
        self.lines = 0
        self.refused: list[RefusedLine] = []
        self._gone = gone
        self._values: dict[str, Mapping[str, Any]] = {}
        self._scopes: dict[str, set[str]] = {"": set()}
        """Keys of the lines below each heading; below "" those of all lines."""
        self._new_level = 0
        """Level of the new section that is being copied; 0 outside one."""
        self._heading = _Unit("")
        self._is_heading_written = True
        prose = []
        scope = ""
        for line in parse_records(known).lines:
            if line.record is not None:
                self._values.setdefault(line.record.id, value_of(line.record))
                continue
            prose.append(line.text)
            if _level(line.text):
                scope = _key(line.text)
            self._scopes.setdefault(scope, set()).add(_key(line.text))
            self._scopes[""].add(_key(line.text))
        self._prose = "\n".join(("", *prose, ""))

    def add_record(self, part: ForeignPart) -> None:
        """Add a record, unless its id is known."""
        value = part.value or {}
        identity = str(value["id"])
        known = self._values.get(identity)
        if identity in self._gone:
            self._refuse(part.line, f"record {identity} was forgotten here")
        elif known is None:
            self._values[identity] = value
            self.out.append(format_record(value))
            self.records += 1
        elif dict(known) != dict(value):
            self._refuse(part.line, f"record {identity} has other content here")

    def add_unit(self, unit: _Unit) -> None:
        """Add a line or a block if the file does not contain it below the heading."""
        if unit.level:
            self._enter(unit)
        elif self._new_level:
            self.append(unit)
        elif unit.key and not self._is_known(unit):
            self._write_heading()
            self.append(unit)
            self._scopes[self._heading.key].add(unit.key)

    def append(self, unit: _Unit) -> None:
        """Add a line or a block."""
        self.out.append(unit.text)
        if unit.key:
            self.lines += unit.text.count("\n") + 1

    def _is_known(self, unit: _Unit) -> bool:
        if unit.is_block:
            return f"\n{unit.text}\n" in self._prose
        scopes = (unit.raw_scope, self._heading.key)
        return any(unit.key in self._scopes.get(scope, ()) for scope in scopes)

    def _enter(self, heading: _Unit) -> None:
        """Begin the section of a heading. A new one is copied with all below it."""
        if self._new_level and heading.level > self._new_level:
            self._scopes.setdefault(heading.key, set())
            self.append(heading)
            return
        is_new = heading.key not in self._scopes
        self._scopes.setdefault(heading.key, set())
        self._heading = heading
        self._is_heading_written = False
        self._new_level = 0
        if is_new and heading.level > _TOP_LEVEL:
            self._new_level = heading.level
            self._write_heading()
            self.lines += 1

    def _write_heading(self) -> None:
        if not self._is_heading_written:
            self.out += ["", self._heading.text]
            if not self._new_level:
                self.out.append("")
        self._is_heading_written = True

    def _refuse(self, line: int, reason: str) -> None:
        self.refused.append(RefusedLine(line, reason))


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


def _masked_run(
    run: Sequence[ForeignPart], mask: Callable[[Any], Any]
) -> Iterator[ForeignPart]:
    """Yield lines masked together, because a secret may have several lines."""
    if not run:
        return
    text = "\n".join(part.text for part in run)
    masked: str = mask(text)
    if masked == text:
        yield from run
        return
    for line in masked.split("\n"):
        yield ForeignPart(run[0].line, None, line)


def _plain_value(record: Record) -> dict[str, Any]:
    """Return the JSON object of a record as it is read back from its line."""
    (line,) = parse_records(format_record(value_of(record))).lines
    assert line.record is not None
    return value_of(line.record)


def _steps(parts: Sequence[ForeignPart]) -> Iterator[ForeignPart | _Unit]:
    """Yield records, lines and blocks; a record inside a block follows it."""
    prose = [part.text for part in parts if part.value is None]
    ends = _block_ends(prose)
    records: list[ForeignPart] = []
    scope = ""
    block: list[str] = []
    block_end = -1
    at = -1
    for part in parts:
        if part.value is not None:
            if block:
                records.append(part)
            else:
                yield part
            continue
        at += 1
        if at in ends and not block:
            block_end = ends[at]
        level = _level(part.text)
        if at > block_end:
            yield _Unit(part.text, level, scope)
        else:
            block.append(part.text)
        if at == block_end:
            yield _Unit("\n".join(block), 0, scope, is_block=True)
            yield from records
            block, records = [], []
        if level:
            scope = _key(part.text)


def _block_ends(lines: Sequence[str]) -> dict[int, int]:
    """Return the last line of each closed fenced block by its first line."""
    ends = {}
    fence = ""
    start = 0
    for at, line in enumerate(lines):
        found = _FENCE.match(line)
        if found is None:
            continue
        mark = found[1]
        is_end = mark.startswith(fence) and not line.strip().strip(mark[0])
        if not fence:
            fence, start = mark, at
        elif is_end:
            ends[start] = at
            fence = ""
    return ends


def _level(line: str) -> int:
    """Return the level of a heading; 0 for another line."""
    found = _HEADING.fullmatch(line)
    return len(found[1]) if found else 0


def _key(text: str) -> str:
    return " ".join(text.split())
