"""`python -m benchmarks [--sizes 1000,10000] [--rows save,oneshot] [--json FILE]`:
measure, print one table.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from collections.abc import Callable

from benchmarks import first_index, oneshot, records, resident, resume, save
from benchmarks.figure import Figure, format_table
from benchmarks.lab import Lab
from benchmarks.workspace import DOCS_PER_SOURCE

SIZES = (1_000, 10_000, 100_000)
ROWS: dict[str, tuple[Callable[[Lab, int], list[Figure]], int]] = {
    "index": (first_index.measure, 100_000),
    "oneshot": (oneshot.measure_unchanged, 10_000),
    "resume": (resume.measure, 10_000),
    "cold": (oneshot.measure_changed, 10_000),
    "save": (save.measure, 100_000),
    "idle": (resident.measure_idle, 10_000),
    "memory": (resident.measure_memory, 10_000),
}
"""Measuring function of each row, and the maximum number of docs at which the row runs
by default. `index` comes first, because it leaves an index.
"""
RECORDS = "records"
"""The rows on a memory; they have a workspace of their own."""


def main() -> int:
    """Measure the requested rows; return 1 if a bar is missed."""
    asked = _arguments()
    figures: list[Figure] = []
    with Lab(asked.docs_per_source) as lab:
        for docs in asked.sizes:
            for name, (measure, most) in ROWS.items():
                if name in asked.rows or (not asked.rows and docs <= most):
                    figures += measure(lab, docs)
            lab.discard(docs)
        if RECORDS in asked.rows or not asked.rows:
            figures += records.measure(lab)
    figures += save.growth(figures)
    figures.sort(key=lambda figure: [*ROWS, figure.row].index(figure.row))
    print(
        f"{platform.platform()}, Python {platform.python_version()}, {os.cpu_count()} cores\n"
    )
    print(format_table(figures), end="")
    if asked.json:
        with open(asked.json, "w", encoding="utf-8") as file:
            json.dump(
                {"schema": 1, "figures": [figure.as_json() for figure in figures]},
                file,
                indent=2,
            )
            file.write("\n")
    return int(any(figure.met is False for figure in figures))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks", description="Measure the scene and its floors."
    )
    default = ",".join(map(str, SIZES))
    parser.add_argument(
        "--sizes",
        type=_sizes,
        default=default,
        help="numbers of docs (default: %(default)s)",
    )
    parser.add_argument(
        "--rows",
        type=_rows,
        default=[],
        help=f"any of {','.join([*ROWS, RECORDS])} (default: those that fit)",
    )
    parser.add_argument(
        "--docs-per-source",
        type=int,
        default=DOCS_PER_SOURCE,
        help="docs for each source (default: %(default)s)",
    )
    parser.add_argument("--json", metavar="FILE", help="also write the figures to FILE")
    return parser.parse_args()


def _sizes(text: str) -> list[int]:
    sizes = sorted({int(size) for size in text.split(",")})
    if sizes[0] < 1:
        raise argparse.ArgumentTypeError("a workspace has at least one doc")
    return sizes


def _rows(text: str) -> list[str]:
    names = text.split(",")
    if unknown := [name for name in names if name not in (*ROWS, RECORDS)]:
        raise argparse.ArgumentTypeError(f"no such row: {', '.join(unknown)}")
    return names


if __name__ == "__main__":
    sys.exit(main())
