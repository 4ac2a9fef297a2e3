"""Text of a visit at each size: full text, outline with linked parts, or outline."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import groupby, pairwise
from typing import NamedTuple

from cuedeck.model.file import File, Symbol
from cuedeck.model.formatting import counted, shorten
from cuedeck.model.ports import Lookup
from cuedeck.model.scene_values import TASK, Span, Visit
from cuedeck.parse.fence import NumberedLine, gap, gap_of, number_lines, numbered
from cuedeck.parse.secrets.mask import Mask

_HEAD_LINES = 20
"""Number of first lines that replace the outline of a text without headings and
definitions.
"""
_ROW = 160
"""Maximum characters of an outline row."""
_ROWS = (_ROW, 72)
"""Row widths to try."""
_SHORT_TITLE = 100
"""Maximum characters of a title that the heading of the scene shows whole."""
_LANDMARK_SHARE = 0.2
"""Share of the room of an outline for definitions without a passage, if passages are
shown.
"""
_MARK = len(gap_of(99, "definition")) + 1
"""Estimated characters of a mark for hidden entries, without their names."""

_NAMES_SHARE = 10
"""Maximum length of the names in all marks, as a multiple of the room of an outline:
half of the limit of a scene.
"""

Row = tuple[int, str]
"""Line number and text."""


class VisitTexts:
    """Builds the masked texts of visits. Every line of a file has its number, except in
    the text of the task.
    """

    def __init__(
        self,
        lookup: Lookup,
        mask: Mask,
        outline_characters: int,
    ) -> None:
        self._lookup = lookup
        self._mask = mask
        self._outline_characters = outline_characters

    def full(self, visit: Visit) -> str:
        """Return all lines of the visit."""
        if visit.text:
            return self._mask.plain(visit.text)
        if visit.depth == 0:
            return "\n".join([line.text for line in self.task_lines(visit)])
        return "\n".join(number_lines(self._mask.numbered(visit.path, visit.spans)))

    def task_lines(self, visit: Visit) -> Sequence[NumberedLine]:
        """Return the lines of the text of the task, from the first line after front
        matter and title on.

        A task without a card is shown as a whole, because its first line may be too
        long for the title of the scene.
        """
        file = self._file(visit)
        if file.body > visit.lines[1]:
            return ()
        lines = self._mask.numbered(visit.path, [(file.body, visit.lines[1])])[0]
        if visit.path == TASK:
            return lines
        for at, line in enumerate(lines):
            is_title = (
                len(file.title) <= _SHORT_TITLE
                and line.text.lstrip("#").strip() == file.title
            )
            if line.text.strip() and not is_title:
                return lines[at:]
        return ()

    def outline(self, visit: Visit) -> str:
        """Return headings or signatures with their line numbers."""
        if visit.overview:
            return self._mask.plain(visit.overview)
        if visit.kind == "folder":
            return self._listing(_entries(self._inside(visit)))
        kept, hidden = self._rows(visit)
        return "\n".join(self._marked(visit, kept, hidden) or self._first_lines(visit))

    def parts(self, visit: Visit) -> str:
        """Return the outline with the bodies of the parts in place."""
        parts = _union(visit.parts)
        bodies = self._mask.numbered(visit.path, parts)
        kept, hidden = self._rows(visit, parts)
        passages = [_stripped(body) for body in bodies]
        entries = [line for line, _ in kept] + [entry.number for entry in hidden]
        kept += _gaps(passages, entries)
        kept += [
            (line.number, numbered(line)) for passage in passages for line in passage
        ]
        return "\n".join(
            self._marked(visit, sorted(kept, key=lambda row: row[0]), hidden)
        )

    def _inside(self, visit: Visit) -> Sequence[str]:
        folder = visit.path.rstrip("/")
        known = self._lookup.folder(folder)
        return known if folder == "." else [path[len(folder) + 1 :] for path in known]

    def _listing(self, names: Iterable[str]) -> str:
        return self._mask.plain("".join(f"{name}\n" for name in names))

    def _rows(
        self, visit: Visit, parts: Sequence[Span] = ()
    ) -> tuple[list[Row], list[_Entry]]:
        """Return the outline rows outside of `parts`, and the hidden entries."""
        file = self._file(visit)
        entries = [
            _Entry(
                section.start,
                f"{'#' * section.level} {section.title}",
            )
            for section in file.sections
        ]
        for symbol in file.symbols:
            text = indented_signature(symbol, self._mask, visit.path)
            name = symbol.name.rpartition(".")[2]
            entries.append(_Entry(symbol.head, text, name))
        inside = [
            entry
            for entry in entries
            if _within(entry.number, visit.spans) and not _within(entry.number, parts)
        ]
        texts = self._masked([entry.text for entry in inside], visit.path)
        names = self._masked([entry.name for entry in inside], visit.path)
        kept = [
            _Entry(entry.number, text, name)
            for entry, text, name in zip(inside, texts, names, strict=True)
        ]
        last, characters = visit.lines[1], self._outline_characters
        if not parts:
            return _bounded(sorted(kept), last, characters)
        around = _heads_around(file, parts)
        return _rows_around(sorted(kept), around, last, characters)

    def _file(self, visit: Visit) -> File:
        file = self._lookup.file(visit.path)
        assert file is not None
        return file

    def _marked(
        self, visit: Visit, rows: Sequence[Row], hidden: Sequence[_Entry]
    ) -> list[str]:
        """Insert a mark wherever entries between two rows are hidden: their number, and
        the names of definitions.
        """
        kind = "definition" if self._file(visit).symbols else "heading"
        shown = [(line, 1, text) for line, text in rows]
        marked = [(entry.number, 0, entry.name) for entry in hidden]
        length = sum(len(entry.name) + 2 for entry in hidden)
        if length > _NAMES_SHARE * self._outline_characters:
            marked = [(entry.number, 0, "") for entry in hidden]
        both = sorted([*shown, *marked], key=lambda each: each[:2])
        found: list[str] = []
        for is_row, run in groupby(both, key=lambda each: each[1]):
            texts = [text for *_, text in run]
            if is_row:
                found += texts
                continue
            names = dict.fromkeys(filter(None, texts))
            found.append(gap_of(len(texts), kind, names))
        return found

    def _masked(self, rows: Sequence[str], path: str) -> Sequence[str]:
        # One search over all rows, because a search per row takes most of the time of
        # an outline. A secret may span several rows.
        text = "\n".join(rows)
        masked = self._mask.words(text, path).split("\n")
        if len(masked) == len(rows):
            return masked
        return [self._mask.words(row, path) for row in rows]

    def _first_lines(self, visit: Visit) -> list[str]:
        passages: list[Sequence[NumberedLine]] = []
        left = _HEAD_LINES
        for start, end in visit.spans:
            last = min(end, start + left - 1)
            if last >= start:
                passages += self._mask.numbered(visit.path, [(start, last)])
                left -= last - start + 1
        hidden = sum(end - start + 1 for start, end in visit.spans) - _HEAD_LINES
        return number_lines(passages, _ROW) + ([gap(hidden)] if hidden > 0 else [])


def indented_signature(symbol: Symbol, mask: Mask, path: str) -> str:
    """Return the signature of a definition on one line with its decorators, indented by
    its nesting; not masked yet.

    A signature that the parser cut is masked here, because a secret without its end
    would not be recognised.
    """
    text = symbol.signature
    if text.endswith("…"):
        text = " ".join(mask.lines(path, [(symbol.head, symbol.end)])[0].split())
    if symbol.start < symbol.head:
        above = mask.lines(path, [(symbol.start, symbol.head - 1)])[0]
        text = " ".join([*_decorators(above), text])
    return "    " * symbol.name.count(".") + text


def _decorators(text: str) -> list[str]:
    """Return the decorators, attributes and annotations above a definition, without
    comments, on one line.
    """
    rows = [row.strip() for row in text.split("\n")]
    comments = ("///", "//", "/*", "*", "# ")
    return [row for row in rows if row and not row.startswith(comments)]


def _stripped(lines: Sequence[NumberedLine]) -> Sequence[NumberedLine]:
    """Return the lines without blank ones at the end."""
    end = len(lines)
    while end and not lines[end - 1].text.strip():
        end -= 1
    return lines[:end]


def _gaps(
    passages: Iterable[Sequence[NumberedLine]], between: Sequence[int]
) -> list[Row]:
    """Return a mark for each gap between two passages without an entry of the outline,
    whose lines are `between`.
    """
    shown = [passage for passage in passages if passage]
    marks: list[Row] = []
    for before, after in pairwise(shown):
        first, last = before[-1].number + before[-1].covered + 1, after[0].number - 1
        if first <= last and not any(first <= line <= last for line in between):
            marks.append((first, gap(last - first + 1)))
    return marks


def _entries(paths: Iterable[str]) -> list[str]:
    """Return the direct entries of a folder; subfolders with their number of files."""
    counts: dict[str, int] = {}
    for path in paths:
        name, slash, _ = path.partition("/")
        counts[name + slash] = counts.get(name + slash, 0) + 1
    entries = []
    for name, count in counts.items():
        is_folder = name.endswith("/")
        files = f" ({counted(count, 'file')})" if is_folder else ""
        entries.append(f"{name}{files}")
    return entries


def _union(parts: Sequence[Span]) -> list[Span]:
    """Merge parts that overlap or touch, so that no line is repeated."""
    joined: list[Span] = []
    for start, end in sorted(parts):
        if joined and start <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


def _within(line: int, spans: Sequence[Span]) -> bool:
    return any(start <= line <= end for start, end in spans)


class _Entry(NamedTuple):
    """A heading or definition of an outline, masked."""

    number: int
    text: str
    name: str = ""
    """The own name of a definition."""

    def row(self, width: int) -> Row:
        """Return the row of the entry, its text cut to `width` characters but not
        before the end of the name.
        """
        text = shorten(self.text, width)
        if self.name not in text and self.name in self.text:
            text = shorten(f"…{self.text[self.text.index(self.name) :]}", width)
        return self.number, numbered(NumberedLine(self.number, text))


def _bounded(
    entries: Sequence[_Entry], last: int, characters: int
) -> tuple[list[Row], list[_Entry]]:
    """Shorten an outline that exceeds its share: first its rows, then nested entries,
    then short sections.

    `last` is the line at which the last entry ends. Also returns the entries without a
    row.
    """
    for width in _ROWS:
        short = [entry.row(width) for entry in entries]
        if _length(short) <= characters:
            return short, []
    outer: list[_Entry] = []
    nested: list[list[_Entry]] = []
    for entry in entries:
        if outer and entry.text.startswith("    "):
            nested[-1].append(entry)
        else:
            outer.append(entry)
            nested.append([])
    rows = [entry.row(width) for entry in outer]
    marks = _MARK * sum(map(bool, nested))
    if _length(rows) + marks > characters:
        rows = _landmarks(rows, last, characters)
    kept = {line for line, _ in rows}
    hidden = [entry for entry in outer if entry.number not in kept]
    hidden += [entry for entries in nested for entry in entries]
    return rows, sorted(hidden)


def _heads_around(file: File, parts: Sequence[Span]) -> set[int]:
    """Return the lines of the headings and signatures whose text overlaps one of the
    parts.
    """
    heads: set[int] = set()
    for first, last in parts:
        for section in file.sections:
            if section.start <= last and first <= section.end:
                heads.add(section.start)
        for symbol in file.symbols:
            if symbol.start <= last and first <= symbol.end:
                heads.add(symbol.head)
    return heads


def _rows_around(
    entries: Sequence[_Entry], around: Collection[int], last: int, characters: int
) -> tuple[list[Row], list[_Entry]]:
    """Shorten the outline of a file of which passages are shown: the rows at the lines
    `around` contain a passage and come first, the others get a share of the room.
    """
    containing = [entry for entry in entries if entry.number in around]
    others = [entry for entry in entries if entry.number not in around]
    shown, hidden = _bounded(containing, last, characters)
    room = int(characters * _LANDMARK_SHARE)
    landmarks: list[Row] = []
    omitted = others
    if room >= _ROWS[-1] or not shown:
        landmarks, omitted = _bounded(others, last, room)
    shown += landmarks
    hidden += omitted
    return sorted(shown), sorted(hidden)


def _landmarks(rows: Sequence[Row], last: int, characters: int) -> list[Row]:
    """Return the rows that represent the most lines."""
    starts = [*(line for line, _ in rows), last + 1]
    free, kept = characters, set[int]()
    for at in sorted(
        range(len(rows)), key=lambda at: (starts[at] - starts[at + 1], at)
    ):
        free -= len(rows[at][1]) + 1 + _MARK
        if free < 0 and kept:
            break
        kept.add(at)
    return [rows[at] for at in sorted(kept)]


def _length(rows: Sequence[Row]) -> int:
    return sum(len(text) + 1 for _, text in rows)
