"""Text of a visit at each size: full text, outline with linked parts, or outline."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from cuedeck.model.display import shorten
from cuedeck.model.file import Symbol
from cuedeck.model.ports import Lookup
from cuedeck.model.scene_values import Span, Visit
from cuedeck.scene.mask import Mask

_HEAD_LINES = 20
"""Number of first lines that replace the outline of a text without headings and definitions."""
_ROW = 160
"""Maximum characters of an outline row."""
_ROWS = (_ROW, 72)
"""Row widths to try; the narrower one applies if the whole outline would be too long."""

_MORE = "⋮ {} more"

Row = tuple[int, str]
"""Line number and text."""
Hidden = tuple[int, int]
"""Line number of a definition or heading without a row, and the number of entries hidden with it, itself included."""


class VisitTexts:
    """Builds the masked texts of visits."""

    def __init__(self, lookup: Lookup, mask: Mask, outline_characters: int) -> None:
        self._lookup = lookup
        self._mask = mask
        self._outline_characters = outline_characters

    def full(self, visit: Visit) -> str:
        """Return all lines of the visit; a mark replaces lines that another visit shows."""
        if visit.kind == "folder":
            return self._listing(self._inside(visit))
        pieces = self._mask.lines(visit.path, visit.spans)
        text = pieces[0]
        for before, after, piece in zip(visit.spans, visit.spans[1:], pieces[1:], strict=False):
            text += f"⋮ {_range(before[1] + 1, after[0] - 1)}: under a heading of its own\n{piece}"
        return text

    def outline(self, visit: Visit) -> str:
        """Return headings or signatures with their line numbers; the first lines if there are none."""
        if visit.kind == "folder":
            return self._listing(_entries(self._inside(visit)))
        kept, hidden = self._rows(visit)
        return _joined(_marked(kept, hidden) or self._first_lines(visit))

    def parts(self, visit: Visit) -> str:
        """Return the outline with the bodies of the linked parts in place."""
        parts = _union(visit.parts)
        bodies = self._mask.lines(visit.path, parts)
        kept, hidden = self._rows(visit, parts)
        kept += [(part[0], _part(part, body)) for part, body in zip(parts, bodies, strict=True)]
        return _joined(_marked(sorted(kept, key=lambda row: row[0]), hidden))

    def _inside(self, visit: Visit) -> Sequence[str]:
        folder = visit.path.rstrip("/")
        known = self._lookup.folder(folder)
        return known if folder == "." else [path[len(folder) + 1 :] for path in known]

    def _listing(self, names: Iterable[str]) -> str:
        return self._mask.plain("".join(f"{name}\n" for name in names))

    def _rows(self, visit: Visit, parts: Sequence[Span] = ()) -> tuple[list[Row], list[Hidden]]:
        """Return the outline rows outside of `parts`, and the hidden entries."""
        file = self._lookup.file(visit.path)
        assert file is not None
        rows = [(section.start, f"{'#' * section.level} {section.title}") for section in file.sections]
        rows += [(symbol.start, self._signature(visit.path, symbol)) for symbol in file.symbols]
        inside = [row for row in rows if _within(row[0], visit.spans) and not _within(row[0], parts)]
        masked = self._masked([text for _, text in inside], visit.path)
        numbered = [(line, f"L{line} {text}") for (line, _), text in zip(inside, masked, strict=True)]
        return _bounded(numbered, visit.lines[1], self._outline_characters)

    def _masked(self, rows: Sequence[str], path: str) -> Sequence[str]:
        # One search over all rows, because a search per row takes most of the time of an outline. A secret may span
        # several rows.
        masked = self._mask.words("\n".join(rows), path).split("\n")
        return masked if len(masked) == len(rows) else [self._mask.words(row, path) for row in rows]

    def _signature(self, path: str, symbol: Symbol) -> str:
        text = symbol.signature
        if text.endswith("…"):
            # The parser truncated the signature; a secret without its end would not be recognised.
            text = " ".join(self._mask.lines(path, [(symbol.start, symbol.end)])[0].split())
        return "    " * symbol.name.count(".") + text

    def _first_lines(self, visit: Visit) -> list[Row]:
        rows: list[Row] = []
        for start, end in visit.spans:
            last = min(end, start + _HEAD_LINES - len(rows) - 1)
            if last >= start:
                text = self._mask.lines(visit.path, [(start, last)])[0].removesuffix("\n")
                rows += [(start, shorten(row, _ROW)) for row in text.split("\n")]
        hidden = sum(end - start + 1 for start, end in visit.spans) - _HEAD_LINES
        return rows + ([(visit.lines[1], f"⋮ {hidden} more lines")] if hidden > 0 else [])


def _entries(paths: Iterable[str]) -> list[str]:
    """Return the direct entries of a folder; subfolders with their number of files."""
    counts: dict[str, int] = {}
    for path in paths:
        name, slash, _ = path.partition("/")
        counts[name + slash] = counts.get(name + slash, 0) + 1
    return [f"{name} ({count} files)" if name.endswith("/") else name for name, count in counts.items()]


def _union(parts: Sequence[Span]) -> list[Span]:
    """Merge parts that overlap or touch, so that no line is repeated."""
    joined: list[Span] = []
    for start, end in sorted(parts):
        if joined and start <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


def _part(lines: Span, body: str) -> str:
    """Return a part under a mark with its line numbers, without trailing blank lines."""
    shown = body.rstrip("\n")
    # The masked body may have fewer lines than the part, because a secret may span several lines.
    blank = max(0, len(body) - len(shown) - 1)
    return f"⋮ {_range(lines[0], lines[1] - blank)}\n{shown}"


def _range(start: int, end: int) -> str:
    return f"line {start}" if start == end else f"lines {start}-{end}"


def _joined(rows: Sequence[Row]) -> str:
    return "\n".join(text for _, text in rows)


def _within(line: int, spans: Sequence[Span]) -> bool:
    return any(start <= line <= end for start, end in spans)


def _bounded(rows: Sequence[Row], last: int, characters: int) -> tuple[list[Row], list[Hidden]]:
    """Shorten an outline that exceeds its share: first its rows, then nested entries, then short sections.

    `last` is the line at which the last entry ends. Also returns the entries without a row.
    """
    for width in _ROWS:
        short = [(line, shorten(text, width)) for line, text in rows]
        if _length(short) <= characters:
            return short, []
    outer: list[Row] = []
    inside: list[int] = []
    for line, text in short:
        if outer and text.removeprefix(f"L{line} ").startswith("    "):
            inside[-1] += 1
        else:
            outer.append((line, text))
            inside.append(0)
    counted = zip(outer, inside, strict=True)
    marked = [(line, f"{text} ⋮ {count} inside" if count else text) for (line, text), count in counted]
    return (marked, []) if _length(marked) <= characters else _landmarks(marked, inside, last, characters)


def _landmarks(
    rows: Sequence[Row], inside: Sequence[int], last: int, characters: int
) -> tuple[list[Row], list[Hidden]]:
    """Keep the rows that represent the most lines."""
    starts = [*(line for line, _ in rows), last + 1]
    free, kept = characters, set[int]()
    for at in sorted(range(len(rows)), key=lambda at: (starts[at] - starts[at + 1], at)):
        free -= len(rows[at][1]) + len(_MORE) + 2
        if free < 0 and kept:
            break
        kept.add(at)
    hidden = [(rows[at][0], 1 + inside[at]) for at in range(len(rows)) if at not in kept]
    return [rows[at] for at in sorted(kept)], hidden


def _marked(rows: Sequence[Row], hidden: Sequence[Hidden]) -> list[Row]:
    """Insert a mark with the number of hidden entries wherever entries between two rows are hidden."""
    both: list[tuple[int, str, int]] = [*((line, text, 0) for line, text in rows), *((at, "", n) for at, n in hidden)]
    found: list[Row] = []
    for counts, run in groupby(sorted(both, key=lambda each: each[0]), key=lambda each: each[2] > 0):
        here = list(run)
        if counts:
            found.append((here[0][0], _MORE.format(sum(count for *_, count in here))))
        else:
            found += [(line, text) for line, text, _ in here]
    return found


def _length(rows: Sequence[Row]) -> int:
    return sum(len(text) + 1 for _, text in rows)
