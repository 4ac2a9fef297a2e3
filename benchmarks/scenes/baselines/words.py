"""Files or functions that match the words of the card and of the entry's path."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from benchmarks.scenes.baselines.bm25 import rank, words
from benchmarks.scenes.baselines.piece import piece
from benchmarks.scenes.cases import Case
from benchmarks.scenes.snapshot import Snapshot
from cuedeck.model.file import File

_WINDOW = 40
"""Lines of a part where a file has neither definitions nor sections."""

Part = tuple[str, int, int]
"""A path, and the first and last line."""


def files(case: Case, snapshot: Snapshot) -> Iterator[str]:
    """Yield whole files by the words in them and in their paths."""
    documents = {
        path: words(f"{path}\n{text}")
        for path, text in snapshot.texts.items()
        if path != case.entry
    }
    for path in rank(_query(case), documents):
        yield piece(path, snapshot.texts[path])


def functions(case: Case, snapshot: Snapshot) -> Iterator[str]:
    """Yield functions, sections of docs, and windows of all other files."""
    documents: dict[Part, Counter[str]] = {}
    rows = {
        path: text.split("\n")
        for path, text in snapshot.texts.items()
        if path != case.entry
    }
    for path, lines in rows.items():
        about = words(path)
        for start, end in _parts(snapshot.file(path), len(lines)):
            documents[path, start, end] = about + words(
                "\n".join(lines[start - 1 : end])
            )
    for path, start, end in rank(_query(case), documents):
        yield piece(path, "\n".join(rows[path][start - 1 : end]))


def _query(case: Case) -> Counter[str]:
    return words(f"{case.title}\n{case.body}\n{case.entry}")


def _parts(file: File, lines: int) -> list[tuple[int, int]]:
    """Return first and last line of the innermost definitions, or of the text under
    each heading.
    """
    if file.symbols:
        spans = sorted(
            {(symbol.start, symbol.end) for symbol in file.symbols},
            key=lambda span: (span[0], -span[1]),
        )
        follow = [*spans[1:], (lines + 1, lines + 1)]
        return [
            span
            for span, after in zip(spans, follow, strict=True)
            if after[0] > span[1]
        ]
    starts = [section.start for section in file.sections] or list(
        range(1, lines + 1, _WINDOW)
    )
    return [
        (start, after - 1)
        for start, after in zip(starts, [*starts[1:], lines + 1], strict=True)
    ]
