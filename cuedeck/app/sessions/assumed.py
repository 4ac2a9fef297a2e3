"""What the session takes for granted, looked at anew when it starts and when it is resumed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cuedeck.app.project import Project


def assumed(project: Project) -> list[dict[str, Any]]:
    """Evaluate every assumption, note what changed, and return those that do not hold."""
    return []
