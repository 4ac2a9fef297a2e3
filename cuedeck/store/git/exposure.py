"""Ignored and tracked files of `.cuedeck/`, read from ignore files and the index
without a git process.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

from cuedeck.store.files.disk import look_at
from cuedeck.store.files.ignore_rules import IgnoreRules
from cuedeck.store.git.head import find_repository


def in_git(root: str) -> bool:
    """Return whether a folder is in a checkout of git."""
    return find_repository(root) is not None


def git_hides(root: str, path: str, *, is_folder: bool = False) -> bool:
    """Return whether an ignore rule hides a path or a folder above it from git."""
    return IgnoreRules(root).git_hides(path, is_folder)


def git_tracks(root: str, path: str) -> bool:
    """Return whether git's index contains a path; False if only git itself can decide
    it.
    """
    return path in tracked_of(root, (path,))


def tracked_of(root: str, paths: Iterable[str]) -> tuple[str, ...]:
    """Return the paths that git's index contains, as far as this can be decided without
    git itself.
    """
    repository = find_repository(root)
    if repository is None:
        return ()
    index = look_at(os.path.join(repository.private, "index"))
    return tuple(path for path in paths if _entry(repository.prefix + path) in index)


def _entry(path: str) -> bytes:
    """Return the bytes of a path in an index: its length, its name and a NUL.

    This holds for all versions of the format except 4, which shares prefixes.
    """
    name = os.fsencode(path)
    return min(len(name), 0xFFF).to_bytes(2, "big") + name + b"\0"
