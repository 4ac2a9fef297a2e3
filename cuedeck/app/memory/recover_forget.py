"""Forgettings that were cut short, taken up again without being asked for."""

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
    """What became of them."""

    total: int = 0
    """Records that are forgotten now."""
    said: tuple[str, ...] = ()
    """The same in words, and what went wrong."""
    failed: bool = False


def finish_forgettings(project: Workspace) -> Finished:
    """Forget to the end what was half forgotten, in all memories; what goes wrong with one stops no other.

    Without a file of tombstones nothing else is read. Raises: ConfigurationError for settings that cannot be used.
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
