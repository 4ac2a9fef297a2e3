"""Kill commands: `python -m benchmarks.kills [--what sessions|memory|all] [--count 300]
[--seed 1] [--each N]`.

Real commands are killed with SIGKILL at random moments: half of them at any moment of
their run, half at a moment after their first write. Each command that exits with 0
acknowledges its facts; after each kill every acknowledged fact must be there. A kill
hits a write if it comes during a write, or between two writes of the command. The
harness of the tests reports the writes through a pipe.

With `--each N` memory commands are killed at each of their writes instead, N times with
different data.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from benchmarks.kills.bench import Result, kill
from benchmarks.kills.points import kill_at_each

__all__ = ["main"]
KINDS = ("sessions", "memory")


def main(arguments: Sequence[str] | None = None) -> int:
    """Kill commands and print the result; return 1 after any loss."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.kills", description="Kill commands."
    )
    parser.add_argument(
        "--what",
        choices=(*KINDS, "all"),
        default="all",
        help="which commands (default: %(default)s)",
    )
    parser.add_argument(
        "--count",
        type=int,
        default=300,
        help="kills at random moments (default: %(default)s)",
    )
    parser.add_argument(
        "--seed", type=int, default=1, help="of moments and data (default: %(default)s)"
    )
    parser.add_argument(
        "--each",
        type=int,
        metavar="N",
        help="kill commands on memory N times at every write instead",
    )
    parser.add_argument(
        "--only", default="", metavar="NAME", help="with --each: only this one"
    )
    asked = parser.parse_args(arguments)
    if asked.each:
        return kill_at_each(asked.each, asked.seed, asked.only)
    result = kill(
        asked.count, asked.seed, KINDS if asked.what == "all" else (asked.what,)
    )
    show(result)
    return int(bool(result.losses or result.errors))


def show(result: Result) -> None:
    """Print the result of a run."""
    hit = result.where["in"] + result.where["between"]
    print(f"kills          {result.kills}")
    print(f"hit a write    {hit} ({100 * hit / max(result.kills, 1):.0f} %)")
    for name in ("before", "in", "between", "after"):
        print(f"  {name:<12} {result.where[name]}")
    print(f"acknowledged   {result.acknowledged}")
    print(f"lost           {len(result.losses)}")
    print(f"errors         {len(result.errors)}")
    for each in (*sorted(result.losses), *result.errors):
        print(each, file=sys.stderr)
