"""Automatic completion of interrupted deletions."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.model.display import counted
from cuedeck.model.errors import CueDeckError
from cuedeck.model.profile import OWN
from cuedeck.store.fs.log_file import log
from cuedeck.store.memory.memory_files import TOMBSTONES

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace

_JOB = "forgetting"


class Finished(NamedTuple):
    """Result of the completion."""

    total: int = 0
    """Number of records whose deletion was completed."""
    said: tuple[str, ...] = ()
    """Messages about completed deletions and errors."""
    failed: bool = False


def finish_forgettings(project: Workspace) -> Finished:
    """Complete interrupted deletions in every profile; one failure does not stop the others.

    Without a tombstone file nothing else is read. Raises: ConfigurationError for invalid settings.
    """
    profiles = (OWN, *project.settings.profile) if project.speaks_of("profile") else (OWN,)
    marked = [each for each in profiles if os.path.lexists(project.workspace.absolute(f"{each.root}/{TOMBSTONES}"))]
    if not marked:
        return Finished()
    from cuedeck.app.hooks.hook_log import log_error
    from cuedeck.app.memory.forget_record import finish_forgetting
    from cuedeck.app.memory.memory_profiles import memory_of

    count, failures = 0, []
    for each in marked:
        try:
            done = finish_forgetting(project, memory_of(project, each.id))
            count += done
            if done:
                log(project.workspace, {"event": _JOB, "profile": each.id, "job": _JOB, "count": done})
        except (CueDeckError, OSError) as error:
            told = log_error(project, each.id, _JOB, error)
            failures.append(f"{each.id}: a forgetting that was cut short stays so: {told['message']}")
    ended = [f"forgot to the end what was half forgotten: {counted(count, 'record')}"]
    return Finished(count, (*(ended if count else ()), *failures), bool(failures))
