"""Use cases of assumptions: checkable beliefs about a project, their current validity
and their status in the ledger. `records.assumption_verdicts` holds the pure rules.
"""

from __future__ import annotations

from cuedeck.app.assumptions.evaluate_checks import Judged
from cuedeck.app.assumptions.load_assumptions import (
    diagnostics,
    failing,
    state_of,
    verdicts,
)
from cuedeck.app.assumptions.recheck import Change, Evaluation, evaluate

__all__ = [
    "Change",
    "Evaluation",
    "Judged",
    "diagnostics",
    "evaluate",
    "failing",
    "state_of",
    "verdicts",
]
