"""What the session takes for granted, looked at anew when it starts and when it is resumed."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from cuedeck.model.places import ASSUMPTIONS

if TYPE_CHECKING:
    from cuedeck.app.project import Project


def assumed(project: Project) -> list[dict[str, Any]]:
    """Check every assumption, note what changed, and return those that fail and nobody dealt with."""
    if not os.path.exists(project.workspace.absolute(ASSUMPTIONS)):
        return []
    from cuedeck.app.assumptions.evaluation import evaluate

    return [
        {
            "id": each.assumption.id,
            "text": each.assumption.text,
            "status": "invalidated",
            "evidence": each.verdict.evidence,
            "where": each.verdict.where or None,
            "message": each.message,
        }
        for each in evaluate(project).failing
    ]
