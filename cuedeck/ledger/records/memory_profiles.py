"""Memories of a workspace: its own, and one for each profile of the settings."""

from __future__ import annotations

import os
from functools import cache
from typing import TYPE_CHECKING

from cuedeck.ledger.id_prefix import pick
from cuedeck.ledger.records.memory_files import (
    DIARY,
    DREAMS_FOLDER,
    EXPERIENCES,
    FOLDER,
    LOOKED_AT,
    PRIMARY,
    PROMOTIONS,
    RECALLS,
    TOMBSTONES,
    UNDO,
    USER,
    MemoryFiles,
)
from cuedeck.model.errors import ConfigurationError
from cuedeck.model.paths import OWN
from cuedeck.store.files.nofollow import is_below

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.ledger.records.record_file import RecordFile
    from cuedeck.model.paths import Profile
    from cuedeck.model.settings_schema import Settings

_UNLINKED = (FOLDER, TOMBSTONES, LOOKED_AT, UNDO, DREAMS_FOLDER, RECALLS, PROMOTIONS)
"""Names that must not be links."""


def memory_of(workspace: Workspace, profile: str = "") -> MemoryFiles:
    """Return the memory of a profile, by default that of the workspace.

    Raises: NotFound with the nearest id, ConfigurationError if its folder is outside
    the workspace.
    """
    chosen = _profile(workspace.settings, profile) if profile else OWN
    memories = workspace.cached(_OpenMemories)
    if chosen.id not in memories:
        files = MemoryFiles(workspace.paths, chosen, workspace.settings.memory)
        files.hide = _hide_forgotten
        _check_inside(files)
        memories[chosen.id] = files
    return memories[chosen.id]


def _hide_forgotten(content: RecordFile, gone: frozenset[str]) -> RecordFile:
    # A search reads no records.
    from cuedeck.ledger.records.record_file_edit import hide_forgotten

    return hide_forgotten(content, gone)


def _profile(settings: Settings, text: str) -> Profile:
    known = {profile.id: profile for profile in (OWN, *settings.profile)}
    return known[pick(text, list(known), "profile", "cuedeck config show")]


class _OpenMemories(dict[str, MemoryFiles]):
    """Memories opened so far, by profile id."""


def _check_inside(files: MemoryFiles) -> None:
    root = os.path.realpath(files.workspace.root)
    # Most of the files are in the same two folders.
    real_folder = cache(os.path.realpath)

    def real_path(place: str) -> str:
        folder, name = os.path.split(place)
        if name in ("", ".", "..") or os.path.islink(place):
            return os.path.realpath(place)
        return os.path.join(real_folder(folder), name)

    for name in (
        PRIMARY,
        USER,
        EXPERIENCES,
        FOLDER,
        files.archive,
        files.long_memory,
        TOMBSTONES,
        LOOKED_AT,
        UNDO,
        DIARY,
        DREAMS_FOLDER,
        RECALLS,
        PROMOTIONS,
    ):
        place = files.place(name)
        is_link = name in _UNLINKED and os.path.islink(place)
        if is_link or not is_below(real_path(place), root):
            message = f"{files.path(name)} is a link or points outside the workspace"
            raise ConfigurationError(
                message,
                hint="memory must be inside the workspace: replace the link by a file",
            )
    if os.path.realpath(files.workspace.cache) != os.path.join(
        root, ".cuedeck", "cache"
    ):
        raise ConfigurationError(
            ".cuedeck/cache is a link", hint="remove the link; the cache is rebuilt"
        )
