"""`python -m benchmarks.experiences`: judge pairs of texts, measure times. `--help`
lists the options.
"""

from __future__ import annotations

import argparse
import sys

from benchmarks.experiences.pairs import HALVES
from benchmarks.experiences.shares import format_shares, shares, shares_of_kinds
from benchmarks.experiences.times import format_times, measure


def main() -> int:
    """Print the tables; return 1 if a bar is missed."""
    asked = _arguments()
    how = "hash128" if asked.hash128 else "words"
    is_met = True
    for half in [asked.half] if asked.half else HALVES:
        rows = shares(half, how)
        is_met = is_met and not any(row.is_missed for row in rows)
        print(f"Half `{half}`, compared by `{how}`\n\n{format_shares(rows)}")
        if asked.kinds:
            print(format_shares(shares_of_kinds(half, how)))
    if asked.count:
        print(f"{asked.count:,} experiences\n\n{format_times(measure(asked.count))}")
    return int(not is_met)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.experiences",
        description="Judge pairs, measure times.",
    )
    parser.add_argument("--half", choices=HALVES, help="only this half (default: both)")
    parser.add_argument(
        "--kinds", action="store_true", help="also by language and kind of pair"
    )
    parser.add_argument(
        "--hash128",
        action="store_true",
        help="compare by the hash vectors of CursorClaw",
    )
    parser.add_argument(
        "--count",
        type=int,
        default=5_000,
        help="experiences in the store; 0 for no times",
    )
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
