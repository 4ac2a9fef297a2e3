"""What hooks had no time for belongs to the session before anybody looks at it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cuedeck.store.waiting import Waiting

if TYPE_CHECKING:
    from cuedeck.app.project import Project


def take_in_waiting(project: Project) -> None:
    """Do what events asked for that wait, unless a hook is at it. Raises: StorageError."""
    if not Waiting(project.workspace).is_empty:
        from cuedeck.app.hooks.run import catch_up

        catch_up(project)
