"""The files of a session: what they hold now, and what they held when they were last looked at."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from cuedeck.model.errors import Invalid, StorageError
from cuedeck.model.paths import HOME
from cuedeck.records.working_set import touched
from cuedeck.store.cache.file_versions import keep_versions, knows_version, sums_of
from cuedeck.store.fs.disk import read_bytes
from cuedeck.store.fs.ignore_rules import in_home
from cuedeck.store.workspace_paths import is_below

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace
    from cuedeck.model.session import Role, Session

_LARGEST = 5_000_000
"""Bytes above which lines are not told apart."""


def path_of(project: Workspace, start: str, text: str) -> str:
    """Return the path in the workspace that a person names from the folder `start`. Raises: Invalid."""
    folder, name = os.path.split(os.path.join(start, text))
    place = os.path.join(os.path.realpath(folder), name)
    path = os.path.relpath(place, os.path.realpath(project.workspace.root)).replace(os.sep, "/")
    if path == ".." or path.startswith("../"):
        raise Invalid(f"{text} is outside the workspace", hint="only files of the workspace can be recorded")
    if not is_below(os.path.realpath(place), os.path.realpath(project.workspace.root)):
        raise Invalid(f"{text} is outside the workspace", hint="only files of the workspace can be recorded")
    if path.startswith(".git/") or (path.startswith(f"{HOME}/") and not in_home(path, False)):
        raise Invalid(
            f"{text} cannot be recorded: it belongs to CueDeck or git",
            hint="in .cuedeck only cards and docs can be recorded",
        )
    if os.path.isdir(project.workspace.absolute(path)):
        raise Invalid(f"{text} is a folder", hint="give the files that were read or written")
    return path


def hashes_now(project: Workspace, paths: Iterable[str]) -> dict[str, str]:
    """Return the hash of each file as the refreshed index knows it, or as it lies on disk; empty when it is gone."""
    return {path: project.tree.hash(path) or hash_on_disk(project, path) for path in paths}


def hash_on_disk(project: Workspace, path: str) -> str:
    """Return the sha256 (hex) of a file; empty when it is gone or cannot be read."""
    data = _read(project, path)
    return hashlib.sha256(data).hexdigest() if data is not None else ""


def speakable(project: Workspace, paths: Iterable[str]) -> list[str]:
    """Return the paths that hold no secret; what is written of a session names no others."""
    from cuedeck.app.mask_answers import mask_value

    wanted = list(paths)
    return [path for path, told in zip(wanted, mask_value(wanted, project), strict=True) if path == told]


def take_in(
    project: Workspace, session: Session, paths: Sequence[str], role: Role, now: str, hashes: Mapping[str, str]
) -> Session:
    """Return the session with files that were read or written, as they are now."""
    working = dict(session.working_set)
    for path in paths:
        working[path] = touched(working.get(path), hashes[path], role, now)
    remember(project, {path: hashes[path] for path in paths})
    return replace(session, working_set=working)


def remember(project: Workspace, hashes: Mapping[str, str]) -> None:
    """Keep the lines of files by the hash of their content, so that a later look can count what changed."""
    new = {hash_: path for path, hash_ in hashes.items() if hash_ and not knows_version(project.index, hash_)}
    sums = {}
    for hash_, path in new.items():
        data = _read(project, path)
        if data is not None and len(data) <= _LARGEST and hashlib.sha256(data).hexdigest() == hash_:
            sums[hash_] = sums_of(data)
    keep_versions(project.index, sums)


def _read(project: Workspace, path: str) -> bytes | None:
    try:
        place = project.workspace.absolute(path)
        return read_bytes(place) if os.path.isfile(place) else None
    except (StorageError, ValueError):
        return None
