"""Memories of a workspace: its own, and one for each profile of the settings."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from cuedeck.ledger.id_prefix import pick
from cuedeck.ledger.records.memory_files import FOLDER, PRIMARY, MemoryFiles
from cuedeck.model.errors import ConfigurationError
from cuedeck.model.paths import OWN
from cuedeck.store.files.nofollow import is_below

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.model.paths import Profile
    from cuedeck.model.settings_schema import Settings


def memory_of(workspace: Workspace, profile: str = "") -> MemoryFiles:
    """Return the memory of a profile, by default that of the workspace.

    Raises: NotFound with the nearest id, ConfigurationError if its folder is outside
    the workspace.
    """
    chosen = _profile(workspace.settings, profile) if profile else OWN
    memories = workspace.cached(_OpenMemories)
    if chosen.id not in memories:
        files = MemoryFiles(workspace.paths, chosen, workspace.settings.memory)
        _check_inside(files)
        memories[chosen.id] = files
    return memories[chosen.id]


def _profile(settings: Settings, text: str) -> Profile:
    known = {profile.id: profile for profile in (OWN, *settings.profile)}
    return known[pick(text, list(known), "profile", "cuedeck config show")]


class _OpenMemories(dict[str, MemoryFiles]):
    """Memories opened so far, by profile id."""


def _check_inside(files: MemoryFiles) -> None:
    """Raise ConfigurationError if the settings name a place outside the workspace. A
    link is also refused by each read and write.
    """
    root = os.path.realpath(files.workspace.root)
    for name in (PRIMARY, FOLDER, files.archive, files.long_memory):
        place = files.place(name)
        is_link = name == FOLDER and os.path.islink(place)
        if is_link or not is_below(os.path.realpath(place), root):
            message = f"{files.path(name)} is a link or points outside the workspace"
            raise ConfigurationError(
                message,
                hint="memory must be inside the workspace: replace the link by a file",
            )
