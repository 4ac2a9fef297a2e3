"""`python -m benchmarks.scenes [--limit 2] [--systems cuedeck,aider] [--prefix]`: score
scenes, print Markdown.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import Any, TypeVar

from benchmarks.scenes.aider import has_aider
from benchmarks.scenes.arguments import read_arguments
from benchmarks.scenes.cases import Case, load_cases
from benchmarks.scenes.clones import VARIABLE, UnfitClones, find_clones
from benchmarks.scenes.edits import draw_edits, format_edits, measure_edits
from benchmarks.scenes.plan import Plan
from benchmarks.scenes.replay import format_replay, measure_replay
from benchmarks.scenes.result import PRODUCT, join
from benchmarks.scenes.run import AIDER, measure
from benchmarks.scenes.table import format_result, format_worst

_Made = TypeVar("_Made")


def main() -> int:
    """Run the requested benchmark; return 1 if a system failed on a case, 2 if the
    clones are missing.
    """
    asked = read_arguments()
    cases = load_cases(asked.limit)
    try:
        clones = find_clones(cases, os.environ.get(VARIABLE))
    except UnfitClones as error:
        print(error, file=sys.stderr)
        return 2
    folder = os.path.realpath(tempfile.mkdtemp(prefix="cuedeck-scenes-"))
    try:
        plans = _plans(asked, cases, clones, folder)
        found = _prefix(plans, cases, asked) if asked.prefix else _scores(plans, asked)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    if asked.out:
        with open(asked.out, "w", encoding="utf-8") as file:
            json.dump(found, file, indent=1)
            file.write("\n")
    return int(bool(found.get("failures")))


def _plans(
    asked: argparse.Namespace,
    cases: Sequence[Case],
    clones: dict[str, str],
    folder: str,
) -> list[Plan]:
    aider = (
        asked.aider
        if AIDER in asked.systems and asked.aider and has_aider(asked.aider)
        else None
    )
    if asked.aider and AIDER in asked.systems and not aider:
        print(
            f"{asked.aider} cannot import aider.repomap; try: {asked.aider} -m pip install aider-chat",
            file=sys.stderr,
        )
    keep = os.path.abspath(asked.keep) if asked.keep else None
    systems = [name for name in asked.systems if name != AIDER or aider]
    return [
        Plan(
            clone=clone,
            cases=[case for case in cases if case.repo == repo],
            systems=systems,
            budgets=asked.budgets,
            folder=os.path.join(folder, repo),
            command=asked.cuedeck,
            aider=aider,
            keep=keep,
        )
        for repo, clone in clones.items()
    ]


def _scores(plans: Sequence[Plan], asked: argparse.Namespace) -> dict[str, Any]:
    result = join(_each(measure, plans, asked.jobs))
    print(format_result(result, asked.systems, asked.budgets), end="")
    if asked.worst:
        own = [
            row
            for row in result.rows
            if row.system == PRODUCT and row.budget == asked.budgets[0]
        ]
        print(f"\n{format_worst(own, asked.worst)}", end="")
    for failure in result.failures:
        print(failure, file=sys.stderr)
    return result.as_json()


def _prefix(
    plans: Sequence[Plan], cases: Sequence[Case], asked: argparse.Namespace
) -> dict[str, Any]:
    drawn = draw_edits(cases, asked.edits)
    edits = [
        edit
        for each in _each(partial(measure_edits, drawn=drawn), plans, asked.jobs)
        for edit in each
    ]
    print(format_edits(edits), end="", flush=True)
    first = plans[0]
    steps = measure_replay(
        first._replace(folder=f"{first.folder}-replay"), asked.commits
    )
    print(format_replay(steps, first.cases[0].repo), end="")
    return {
        "schema": 1,
        "edits": [edit._asdict() for edit in edits],
        "steps": [step._asdict() for step in steps],
    }


def _each(
    work: Callable[[Plan], _Made], plans: Sequence[Plan], jobs: int
) -> list[_Made]:
    if jobs == 1:
        return [work(plan) for plan in plans]
    with ProcessPoolExecutor(jobs) as pool:
        return list(pool.map(work, plans))


if __name__ == "__main__":
    sys.exit(main())
