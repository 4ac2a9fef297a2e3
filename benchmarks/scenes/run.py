"""All systems on the cases of one repository."""

from __future__ import annotations

import os
import subprocess
import sys

from benchmarks.scenes.aider import Aider
from benchmarks.scenes.baselines import BASELINES
from benchmarks.scenes.cases import Case
from benchmarks.scenes.fill import fill
from benchmarks.scenes.plan import Plan
from benchmarks.scenes.prepare import Sight, prepare
from benchmarks.scenes.repository import Repository
from benchmarks.scenes.result import PRODUCT, Cost, Result, Row
from benchmarks.scenes.score import score
from benchmarks.scenes.snapshot import Library, Snapshot
from benchmarks.scenes.stage import Stage

AIDER = "aider"
SYSTEMS = (PRODUCT, AIDER, *BASELINES)


class SystemComparison:
    """One clone and all systems on it."""

    def __init__(self, plan: Plan, repository: Repository) -> None:
        self._plan = plan
        self._library = Library(repository)
        self._sight = Sight()
        self._stage = Stage(plan)
        self._aider = Aider(plan.aider, self._stage.launch) if plan.aider else None
        self.result = Result([], [], [])

    def measure(self, case: Case) -> None:
        """Score every system on one case."""
        snapshot = Snapshot(self._library, case.parent)
        reference = prepare(case, snapshot, self._sight)
        for system in self._plan.systems:
            for budget, text in self._texts(system, case, snapshot).items():
                cut = self._stage.vocabulary.cut(text, budget)
                tokens = self._stage.vocabulary.count(cut)
                self.result.rows.append(
                    Row(
                        case.id,
                        case.repo,
                        system,
                        budget,
                        tokens,
                        score(case, reference, cut),
                    )
                )
                if self._plan.keep:
                    _write(
                        os.path.join(
                            self._plan.keep, f"{system}-{budget}", f"{case.id}.txt"
                        ),
                        text,
                    )

    def _texts(self, system: str, case: Case, snapshot: Snapshot) -> dict[int, str]:
        """Return the output of a system by budget; on a failure nothing and the
        reason.
        """
        if system in BASELINES:
            pieces = list(BASELINES[system](case, snapshot))
            return {
                budget: fill(pieces, budget, self._stage.vocabulary)
                for budget in self._plan.budgets
            }
        try:
            return self._timed(system, case, snapshot)
        except (RuntimeError, ValueError, subprocess.TimeoutExpired) as error:
            self.result.failures.append(f"{case.id}, {system}: {error}")
            return dict.fromkeys(self._plan.budgets, "")

    def _timed(self, system: str, case: Case, snapshot: Snapshot) -> dict[int, str]:
        stage, budgets = self._stage, self._plan.budgets
        stage.worktree.check_out(case.parent)
        floor = stage.launch.seconds(
            stage.launch.python("-c", "pass"), stage.worktree.root
        )
        if system == PRODUCT:
            texts, first, second = stage.product.build(case, stage.worktree, budgets)
        else:
            assert self._aider is not None
            texts, first, second = self._aider.draw(
                case, stage.worktree, snapshot.paths, budgets
            )
        self.result.costs.append(Cost(case.id, system, first, second, floor))
        return texts


def measure(plan: Plan) -> Result:
    """Score the systems of a plan on its cases, and print progress to stderr."""
    with Repository(plan.clone) as repository:
        bench = SystemComparison(plan, repository)
        for number, case in enumerate(plan.cases, 1):
            bench.measure(case)
            print(
                f"{case.repo}: {number} of {len(plan.cases)}",
                file=sys.stderr,
                flush=True,
            )
    return bench.result


def _write(place: str, text: str) -> None:
    os.makedirs(os.path.dirname(place), exist_ok=True)
    with open(place, "w", encoding="utf-8", newline="") as file:
        file.write(text)
