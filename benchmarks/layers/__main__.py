"""`python -m benchmarks.layers [FOLDER]`: quality of layers on the data in a folder,
which `benchmarks.layers.prepare` writes, and their speed. Without a folder only the
speed is measured.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from benchmarks.figure import Figure, format_table
from benchmarks.layers import files, sessions, tree
from benchmarks.layers.data import read_rows

_PARTS = ("tuned", "held-out", "all")
_DOC_BAR = 0.55
_SOURCE_BAR = 0.61
_ABSTRACT_BAR = 40.0
_OVERVIEW_BAR = 82.0


def main() -> int:
    """Print the figures; return 1 if a bar is missed."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.layers", description="Measure layers."
    )
    parser.add_argument("folder", nargs="?", type=Path, help="folder of the data")
    parser.add_argument("--files", type=int, default=tree.FILES)
    asked = parser.parse_args()
    figures: list[Figure] = []
    if asked.folder is not None:
        figures += _sessions(asked.folder)
        figures += _files(asked.folder, "docs", "L0", _DOC_BAR)
        figures += _files(asked.folder, "sources", "L1", _SOURCE_BAR)
    if asked.files:
        figures += tree.measure(asked.files)
    print(format_table(figures), end="")
    return int(any(figure.met is False for figure in figures))


def _sessions(folder: Path) -> Iterator[Figure]:
    rows = read_rows(folder, "sessions")
    views = {
        "lead 100": sessions.lead(100),
        "L0": sessions.abstract,
        "extract 100": sessions.extract(100),
        "lead 400": sessions.lead(400),
        "extract 400": sessions.extract(400),
    }
    bars = {
        "L0": _ABSTRACT_BAR,
        "extract 100": _ABSTRACT_BAR,
        "extract 400": _OVERVIEW_BAR,
    }
    for name, view in views.items():
        for part in _PARTS:
            kept = sessions.measure(rows, view, part)
            note = f"at least half of the turn: {kept.half * 100:.1f} %"
            figure = Figure(
                "sessions",
                f"{name}, {part}",
                kept.questions,
                kept.any_sentence * 100,
                "%",
                None,
                note=note,
            )
            has_bar = part == "all" and name in bars
            yield figure.at_least(bars[name]) if has_bar else figure


def _files(folder: Path, kind: str, layer: str, bar: float) -> Iterator[Figure]:
    rows = read_rows(folder, kind)
    for name, view in files.LayerViews(kind).views().items():
        for part in _PARTS:
            found = files.measure(rows, kind, view, part)
            figure = Figure(
                kind,
                f"{name}, {part}",
                found.queries,
                found.mrr,
                "MRR",
                None,
                note=f"{found.tokens:,.0f} tokens",
            )
            has_bar = part == "all" and name == layer
            yield figure.at_least(bar) if has_bar else figure


if __name__ == "__main__":
    sys.exit(main())
