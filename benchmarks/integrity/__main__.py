"""`python -m benchmarks.integrity [--misses]`: scan both halves, print one table; exit
code 1 if a bar is missed.
"""

from __future__ import annotations

import argparse
import sys

from benchmarks.integrity.generate import make_sample
from benchmarks.integrity.held import HELD
from benchmarks.integrity.measure import MANY, Measured, crowd, measure, seconds
from benchmarks.integrity.tuning import TUNING

MOST_FALSE = 0.01
LEAST_FOUND = 0.35


def main() -> int:
    """Measure both halves and the duration of a scan."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.integrity",
        description="Score the scan of the memory.",
    )
    parser.add_argument(
        "--misses", action="store_true", help="print the misses of the tuning half"
    )
    asked = parser.parse_args()
    figures = [measure(half) for half in (TUNING, HELD)]
    print(
        "| half | ordinary records | findings | share | planted | found | share | compatible claims | findings |"
    )
    print("|---|---:|---:|---:|---:|---:|---:|---:|---:|")
    for figure in figures:
        print(_row(figure))
    took = seconds(crowd(TUNING))
    print(
        f"\n{MANY:,} records take {took:.1f} s, {MANY // 2:,} of them {seconds(crowd(TUNING, MANY // 2)):.1f} s."
    )
    print(
        f"Bars of the held half: below {MOST_FALSE:.0%} findings, at least {LEAST_FOUND:.0%} found."
    )
    if asked.misses:
        _show(figures[0])
    held = figures[1]
    return int(held.false_share >= MOST_FALSE or held.found_share < LEAST_FOUND)


def _row(figure: Measured) -> str:
    found = figure.planted - len(figure.missed)
    cells = [
        figure.half,
        f"{figure.ordinary:,}",
        str(len(figure.false)),
        f"{figure.false_share:.1%}",
        str(figure.planted),
        str(found),
        f"{figure.found_share:.0%}",
        str(figure.compatible),
        str(len(figure.blamed)),
    ]
    return f"| {' | '.join(cells)} |"


def _show(figure: Measured) -> None:
    """Print the misses of the tuning half; those of the held half stay hidden."""
    sample = make_sample(TUNING)
    texts = {record.id: record.text for record in (*sample.records, *sample.compatible)}
    for finding in (*figure.false, *figure.blamed):
        print(
            f"- false: {texts[finding.record]!r} against {texts.get(finding.other, '')!r}"
        )
    for text in figure.missed:
        print(f"- missed: {text!r}")


if __name__ == "__main__":
    sys.exit(main())
