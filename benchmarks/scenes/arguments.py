"""The options of the command."""

from __future__ import annotations

import argparse

from benchmarks.scenes.edits import EDITS
from benchmarks.scenes.replay import COMMITS
from benchmarks.scenes.run import SYSTEMS

BUDGETS = (8_000, 4_000)


def read_arguments(given: list[str] | None = None) -> argparse.Namespace:
    """Return the options, from the command line unless they are given."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.scenes",
        description="Score the scenes of 180 commits, and plain systems for comparison.",
    )
    add = parser.add_argument
    budgets, systems = ",".join(map(str, BUDGETS)), ",".join(SYSTEMS)
    add(
        "--systems",
        type=_systems,
        default=systems,
        help="any of %(default)s (default: all)",
    )
    add(
        "--budgets",
        type=_budgets,
        default=budgets,
        help="tokens; the first is the one that is timed (%(default)s)",
    )
    add(
        "--limit",
        type=_count,
        metavar="N",
        help="only the first N cases of each repository",
    )
    add(
        "--jobs",
        type=_count,
        default=2,
        metavar="N",
        help="processes, by repository (default: %(default)s)",
    )
    add(
        "--cuedeck",
        metavar="COMMAND",
        help="how CueDeck is run (default: this checkout under this Python)",
    )
    add(
        "--aider",
        metavar="PYTHON",
        help="the Python of an environment in which aider-chat is installed",
    )
    add(
        "--worst",
        type=_count,
        metavar="N",
        help="list the N cases with the lowest scores of CueDeck",
    )
    add(
        "--out",
        metavar="FILE",
        help="write a row for each case, system and budget to FILE, as JSON",
    )
    add(
        "--keep", metavar="DIR", help="write every output to DIR/SYSTEM-BUDGET/CASE.txt"
    )
    add(
        "--prefix",
        action="store_true",
        help="measure how much of a scene stays after edits and commits instead",
    )
    add(
        "--edits",
        type=_count,
        default=EDITS,
        metavar="N",
        help="of --prefix (default: %(default)s)",
    )
    add(
        "--commits",
        type=_count,
        default=COMMITS,
        metavar="N",
        help="of --prefix (default: %(default)s)",
    )
    return parser.parse_args(given)


def _count(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return number


def _budgets(text: str) -> list[int]:
    return list(dict.fromkeys(_count(each) for each in text.split(",")))


def _systems(text: str) -> list[str]:
    names = list(dict.fromkeys(text.split(",")))
    if unknown := [name for name in names if name not in SYSTEMS]:
        raise argparse.ArgumentTypeError(
            f"no such system: {', '.join(unknown)}; there are {', '.join(SYSTEMS)}"
        )
    return names
