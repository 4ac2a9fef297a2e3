"""Assumptions: what a project believes, whether it still holds, and what has been done about it."""

from __future__ import annotations

from cuedeck.app.assumptions.evaluation import Change, Evaluation, evaluate
from cuedeck.app.assumptions.judging import Judged
from cuedeck.app.assumptions.reading import diagnostics, failing, state_of, verdicts

__all__ = ["Change", "Evaluation", "Judged", "diagnostics", "evaluate", "failing", "state_of", "verdicts"]
