"""Pieces of a file under a heading with only its path."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.scenes.snapshot import Snapshot

_HEAD_LINES = 10
"""Lines shown of a file that has neither definitions nor sections."""


def piece(path: str, text: str) -> str:
    """Return a heading and a text."""
    return f"## {path}\n\n{text.rstrip()}\n\n"


def signatures(path: str, snapshot: Snapshot) -> str:
    """Return a heading and the first lines of the file's definitions or sections."""
    rows = snapshot.texts[path].split("\n")
    file = snapshot.file(path)
    heads = [symbol.head for symbol in file.symbols] or [
        section.start for section in file.sections
    ]
    shown = _rows(rows, sorted(set(heads))) if heads else rows[:_HEAD_LINES]
    return piece(path, "\n".join(shown))


def _rows(rows: Sequence[str], numbers: Sequence[int]) -> list[str]:
    return [rows[number - 1] for number in numbers if 0 < number <= len(rows)]
