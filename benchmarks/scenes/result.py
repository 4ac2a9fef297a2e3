"""The result of a run: a row for each case, system and budget, and the costs of
scenes.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from benchmarks.scenes.score import Score

PRODUCT = "cuedeck"


class Row(NamedTuple):
    """The score of one output."""

    case: str
    repo: str
    system: str
    budget: int
    tokens: int
    score: Score

    def as_json(self) -> dict[str, Any]:
        """Return the row as plain values."""
        score = self.score._asdict() | {
            "missed": [each._asdict() for each in self.score.missed]
        }
        return {
            "id": self.case,
            "repo": self.repo,
            "system": self.system,
            "budget": self.budget,
        } | ({"tokens": self.tokens} | score)


class Cost(NamedTuple):
    """Seconds of the first and the second scene or map of a case, and of an interpreter
    that does nothing.
    """

    case: str
    system: str
    first: float
    second: float
    floor: float


class Result(NamedTuple):
    """All rows of some repositories."""

    rows: list[Row]
    costs: list[Cost]
    failures: list[str]
    """Failures, one line each; the output of a failed system counts as empty."""

    def as_json(self) -> dict[str, Any]:
        """Return the result as plain values."""
        return {
            "schema": 1,
            "rows": [row.as_json() for row in self.rows],
            "costs": [cost._asdict() for cost in self.costs],
            "failures": self.failures,
        }


def join(results: list[Result]) -> Result:
    """Merge several results."""
    return Result(
        [row for each in results for row in each.rows],
        [cost for each in results for cost in each.costs],
        [failure for each in results for failure in each.failures],
    )
