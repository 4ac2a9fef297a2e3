"""The effect of the next commits on a scene with an unchanged card."""

from __future__ import annotations

import statistics
import sys
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from benchmarks.scenes.cases import Case
from benchmarks.scenes.plan import Plan
from benchmarks.scenes.repository import git
from benchmarks.scenes.stage import Stage

COMMITS = 200


class Step(NamedTuple):
    """One commit of a replay."""

    commit: str
    kept: float
    """Part of the new scene's tokens in front of the first difference; 1 when nothing
    changed.
    """


def measure_replay(plan: Plan, commits: int) -> list[Step]:
    """Build the scene of one card on successive commits with a kept index. Raises:
    RuntimeError.
    """
    case, line = choose_line(plan.clone, plan.cases, commits)
    stage = Stage(plan)
    stage.worktree.check_out(line[0])
    card = stage.product.open_card(case, stage.worktree)
    texts = []
    for number, commit in enumerate(line):
        stage.worktree.move(commit)
        texts.append(stage.product.write(stage.worktree, card, plan.budgets[0])[1])
        if number % 20 == 0:
            print(
                f"{case.repo}: commit {number} of {commits}",
                file=sys.stderr,
                flush=True,
            )
    kept = (stage.kept_share(before, after) for before, after in pairwise(texts))
    return [Step(commit, share) for commit, share in zip(line[1:], kept, strict=True)]


def choose_line(
    clone: str, cases: Sequence[Case], commits: int
) -> tuple[Case, list[str]]:
    """Return the newest case with an entry that existed `commits` commits earlier, and
    these commits, oldest first.

    Raises: RuntimeError if the history has no such case.
    """
    dated = [
        (int(git(clone, "log", "-1", "--format=%ct", case.parent)), case.id, case)
        for case in cases
    ]
    for _, _, case in sorted(dated, reverse=True):
        output = git(
            clone,
            "rev-list",
            "--first-parent",
            f"--max-count={commits + 1}",
            case.parent,
        )
        line = output.split()[::-1]
        if len(line) > commits and git(
            clone, "ls-tree", "--name-only", line[0], "--", case.entry
        ):
            return case, line
    raise RuntimeError(f"no case of {clone} has {commits} commits before it")


def format_replay(steps: Sequence[Step], repo: str) -> str:
    """Format the result of a replay."""
    changed = [step.kept for step in steps if step.kept < 1]
    output = f"- over {len(steps)} successive commits of {repo.replace('+', '/')}, one card: unchanged prefix "
    output += (
        f"{statistics.median(step.kept for step in steps):.1%} of the tokens (median)"
    )
    if changed:
        output += f"; {statistics.median(changed):.1%} over the {len(changed)} commits that changed the scene"
    return f"{output}\n"
