"""`python -m benchmarks.integrity`: scan the generated records, print one table; exit
code 1 if a bar is missed.
"""

from __future__ import annotations

import sys

from benchmarks.integrity.held import HELD
from benchmarks.integrity.measure import MANY, crowd, measure, seconds

MOST_FALSE = 0.01
LEAST_FOUND = 0.35


def main() -> int:
    """Measure the findings and the duration of a scan."""
    figure = measure(HELD)
    found = figure.planted - len(figure.missed)
    print(
        "| ordinary | findings | share | planted | found | share | compatible | findings |"
    )
    print("|---:|---:|---:|---:|---:|---:|---:|---:|")
    print(
        f"| {figure.ordinary:,} | {len(figure.false)} | {figure.false_share:.1%} | {figure.planted} "
        f"| {found} | {figure.found_share:.0%} | {figure.compatible} | {len(figure.blamed)} |"
    )
    print(f"\n{MANY:,} records take {seconds(crowd(HELD)):.1f} s.")
    print(f"Bars: below {MOST_FALSE:.0%} findings, at least {LEAST_FOUND:.0%} found.")
    return int(figure.false_share >= MOST_FALSE or figure.found_share < LEAST_FOUND)


if __name__ == "__main__":
    sys.exit(main())
