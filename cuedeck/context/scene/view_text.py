"""Text of a visit at each size: full text, or outline with linked parts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import chain, dropwhile, groupby, pairwise
from typing import NamedTuple

from cuedeck.context.scene.visit_heading import VisitRenderer
from cuedeck.model.file import File, Symbol
from cuedeck.model.formatting import counted, shorten
from cuedeck.model.scene_values import TASK, Span, Visit
from cuedeck.parse.fence import NumberedLine, gap, gap_of, number_lines, numbered

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


class Entry(NamedTuple):
    """A heading or definition of an outline, masked."""

    number: int
    text: str
    name: str
    """The own name of a definition."""
    span: Span

    def row(self, width: int) -> Row:
        """Return the row of the entry, its text cut to `width` characters but not
        before the end of the name.
        """
        text = shorten(self.text, width)
        if self.name not in text and self.name in self.text:
            start = self.text.index(self.name)
            text = shorten(f"…{self.text[start:]}", width)
        return self.number, numbered(NumberedLine(self.number, text))


class VisitTexts:
    """Builds the masked texts of visits. Every line of a file has its number, except in
    the text of the task.
    """

    def __init__(self, renderer: VisitRenderer, room: int) -> None:
        self._lookup = renderer.lookup
        self._mask = renderer.mask
        self._room = room
        """Characters of an outline."""

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
        body = (file.body, visit.lines[1])
        lines = self._mask.numbered(visit.path, [body])[0]
        if visit.path == TASK:
            return lines
        title = file.title if len(file.title) <= _SHORT_TITLE else ""

        def is_above(line: NumberedLine) -> bool:
            text = line.text.strip()
            return not text or text.lstrip("#").strip() == title

        return list(dropwhile(is_above, lines))

    def outline(self, visit: Visit) -> str:
        """Return headings or signatures with their line numbers, and the bodies of the
        parts in place.
        """
        if visit.overview:
            return self._mask.plain(visit.overview)
        if visit.kind == "folder":
            return self._listing(visit)
        parts = union(visit.parts)
        passages = [_stripped(each) for each in self._mask.numbered(visit.path, parts)]
        entries = self._entries(visit, parts)
        last = visit.lines[1]
        if parts:
            rows, hidden = _rows_around(entries, parts, last, self._room)
        else:
            rows, hidden = _bounded(entries, last, self._room)
        rows += _gaps(passages, entries)
        rows += [(line.number, numbered(line)) for line in chain(*passages)]
        kind = "definition" if self._file(visit).symbols else "heading"
        marked = _marked(rows, hidden, kind, _NAMES_SHARE * self._room)
        return "\n".join(marked or self._first_lines(visit))

    def _entries(self, visit: Visit, parts: Sequence[Span]) -> Sequence[Entry]:
        """Return the entries of the outline outside of `parts`, in order."""
        file = self._file(visit)
        path = visit.path
        entries: list[Entry] = []
        for each in file.sections:
            text = f"{'#' * each.level} {each.title}"
            entries.append(Entry(each.start, text, "", (each.start, each.end)))
        for symbol in file.symbols:
            text = indented_signature(symbol, partial(self._mask.lines, path))
            name = symbol.name.rpartition(".")[2]
            span = (symbol.start, symbol.end)
            entries.append(Entry(symbol.head, text, name, span))
        inside = []
        for entry in entries:
            is_shown = _within(entry.number, parts)
            if _within(entry.number, visit.spans) and not is_shown:
                inside.append(entry)
        texts = [entry.text for entry in inside]
        names = [entry.name for entry in inside]
        masked = self._masked([*texts, *names], path)
        shown = []
        for at, entry in enumerate(inside):
            name = masked[at + len(inside)]
            shown.append(entry._replace(text=masked[at], name=name))
        return sorted(shown)

    def _listing(self, visit: Visit) -> str:
        """Return the direct entries of a folder; subfolders with their number of
        files.
        """
        folder = visit.path.rstrip("/")
        inside = "" if folder == "." else f"{folder}/"
        counts: dict[str, int] = {}
        for path in self._lookup.folder(folder):
            name, slash, _ = path.removeprefix(inside).partition("/")
            counts[name + slash] = counts.get(name + slash, 0) + 1
        rows = []
        for name, number in counts.items():
            files = f" ({counted(number, 'file')})" if name.endswith("/") else ""
            rows.append(f"{name}{files}\n")
        return self._mask.plain("".join(rows))

    def _file(self, visit: Visit) -> File:
        file = self._lookup.file(visit.path)
        assert file is not None
        return file

    def _masked(self, rows: Sequence[str], path: str) -> Sequence[str]:
        # One search over all rows, because a search per row takes most of the time of
        # an outline. A secret may span several rows.
        text = "\n".join(rows)
        masked = self._mask.words(text, path).split("\n")
        if len(masked) == len(rows):
            return masked
        return [self._mask.words(row, path) for row in rows]

    def _first_lines(self, visit: Visit) -> list[str]:
        ranges = [range(first, last + 1) for first, last in visit.spans]
        lines = list(chain(*ranges))
        spans = union([(line, line) for line in lines[:_HEAD_LINES]])
        rows = number_lines(self._mask.numbered(visit.path, spans), _ROW)
        hidden = len(lines) - _HEAD_LINES
        return [*rows, gap(hidden)] if hidden > 0 else rows


def indented_signature(
    symbol: Symbol, lines: Callable[[Sequence[Span]], list[str]]
) -> str:
    """Return the signature of a definition on one line with its decorators, indented by
    its nesting; not masked yet.

    `lines` returns the masked text of lines: a signature that the parser cut is read
    again, because a secret without its end would not be recognised.
    """
    text = symbol.signature
    if text.endswith("…"):
        whole = lines([(symbol.head, symbol.end)])
        text = " ".join(whole[0].split())
    if symbol.start < symbol.head:
        above = lines([(symbol.start, symbol.head - 1)])[0]
        rows = [row.strip() for row in above.split("\n")]
        comments = ("///", "//", "/*", "*", "# ")
        parts = [row for row in rows if row and not row.startswith(comments)]
        text = " ".join([*parts, text])
    return "    " * symbol.name.count(".") + text


def _stripped(lines: Sequence[NumberedLine]) -> Sequence[NumberedLine]:
    """Return the lines without blank ones at the end."""
    end = len(lines)
    while end and not lines[end - 1].text.strip():
        end -= 1
    return lines[:end]


def _gaps(
    passages: Iterable[Sequence[NumberedLine]], entries: Sequence[Entry]
) -> list[Row]:
    """Return a mark for each gap between two passages without an entry of the
    outline.
    """
    marks: list[Row] = []
    for before, after in pairwise(filter(None, passages)):
        end = before[-1]
        first = end.number + end.covered + 1
        last = after[0].number - 1
        if first <= last and not any(first <= each.number <= last for each in entries):
            marks.append((first, gap(last - first + 1)))
    return marks


def _marked(
    rows: Iterable[Row], hidden: Sequence[Entry], kind: str, most: int
) -> list[str]:
    """Return the rows in order, with a mark wherever entries between two rows are
    hidden: their number, and the names of definitions with their first lines, if the
    names have at most `most` characters together. The lines of the names raise the
    share of the changed places of the development cases from .69 to .71.
    """
    items = [(line, True, text) for line, text in rows]
    has_names = sum(len(entry.name) + 2 for entry in hidden) <= most
    for entry in hidden:
        name = f"{entry.name} L{entry.number}" if has_names and entry.name else ""
        items.append((entry.number, False, name))
    items.sort(key=lambda item: item[:2])
    found: list[str] = []
    for is_row, run in groupby(items, key=lambda item: item[1]):
        texts = [text for *_, text in run]
        if not is_row:
            texts = [gap_of(len(texts), kind, list(filter(None, texts)))]
        found += texts
    return found


def union(parts: Sequence[Span]) -> list[Span]:
    """Merge parts that overlap or touch, so that no line is repeated."""
    joined: list[Span] = []
    for start, end in sorted(parts):
        if joined and start <= joined[-1][1] + 1:
            first, last = joined[-1]
            joined[-1] = (first, max(end, last))
        else:
            joined.append((start, end))
    return joined


def _within(line: int, spans: Sequence[Span]) -> bool:
    return any(start <= line <= end for start, end in spans)


def _bounded(
    entries: Sequence[Entry], last: int, characters: int
) -> tuple[list[Row], list[Entry]]:
    """Shorten an outline that exceeds its share: first its rows, then nested entries,
    then short sections.

    `last` is the line at which the last entry ends. Also returns the entries without a
    row.
    """
    for width in _ROWS:
        rows = [entry.row(width) for entry in entries]
        if _length(rows) <= characters:
            return rows, []
    outer: list[Row] = []
    hidden: list[Entry] = []
    for entry, row in zip(entries, rows, strict=True):
        if outer and entry.text.startswith("    "):
            hidden.append(entry)
        else:
            outer.append(row)
    if _length(outer) <= characters:
        return outer, hidden
    landmarks = _landmarks(outer, last, characters)
    shown = {line for line, _ in landmarks}
    hidden += [
        entry for entry in entries if entry.number not in shown and entry not in hidden
    ]
    return landmarks, hidden


def _rows_around(
    entries: Sequence[Entry], parts: Sequence[Span], last: int, characters: int
) -> tuple[list[Row], list[Entry]]:
    """Shorten the outline of a file of which passages are shown: the rows of entries
    that contain a passage come first, the others get a share of the room.
    """
    containing: list[Entry] = []
    others: list[Entry] = []
    for entry in entries:
        start, end = entry.span
        is_around = any(start <= below and above <= end for above, below in parts)
        (containing if is_around else others).append(entry)
    rows, hidden = _bounded(containing, last, characters)
    room = int(characters * _LANDMARK_SHARE)
    if rows and room < _ROWS[-1]:
        return rows, [*hidden, *others]
    landmarks, omitted = _bounded(others, last, room)
    return [*rows, *landmarks], [*hidden, *omitted]


def _landmarks(rows: Sequence[Row], last: int, characters: int) -> list[Row]:
    """Return the rows that represent the most lines."""
    starts = [*(line for line, _ in rows), last + 1]
    free = characters
    chosen = set[int]()
    for at in sorted(range(len(rows)), key=lambda at: starts[at] - starts[at + 1]):
        free -= len(rows[at][1]) + 1 + _MARK
        if free < 0 and chosen:
            break
        chosen.add(at)
    return [rows[at] for at in sorted(chosen)]


def _length(rows: Sequence[Row]) -> int:
    return sum(len(text) + 1 for _, text in rows)
