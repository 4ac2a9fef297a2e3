"""After a command of ours: the open session takes the scene as it is now for the one it knows."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cuedeck.app.project import Project


def settle(project: Project) -> None:
    """Let the open session know the scene as a command has just changed it, so that a resume finds it unchanged."""


def open_id(project: Project) -> str:
    """Return the id of the open session, or empty."""
    return ""
