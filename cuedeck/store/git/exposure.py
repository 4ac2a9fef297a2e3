"""Ignored and tracked files of `.cuedeck/`, read from ignore files and the index
without a git process.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

from cuedeck.parse.gitignore import Rules
from cuedeck.store.files.disk import look_at
from cuedeck.store.files.ignore_rules import (
    GIT_RULES,
    outside_rules,
    read_rules,
    rules_outside,
)
from cuedeck.store.files.nofollow import is_below
from cuedeck.store.git.head import find_repository


def in_git(root: str) -> bool:
    """Return whether a folder is in a checkout of git."""
    return bool(outside_rules(root))


def git_hides(root: str, path: str, *, is_folder: bool = False) -> bool:
    """Return whether an ignore rule hides a path or a folder above it from git."""
    root = os.path.realpath(root)
    rules = list(_rule_files(root, path))
    steps = path.split("/")
    for end in range(1, len(steps) + 1):
        part = os.path.join(root, *steps[:end])
        if _is_ignored(part, is_folder or end < len(steps), rules):
            return True
    return False


def _is_ignored(
    place: str, is_folder: bool, rule_files: Iterable[tuple[str, Rules]]
) -> bool:
    """Return the verdict of the first rule file that has one for a path."""
    for base, rules in rule_files:
        if not is_below(place, base):
            continue
        path = os.path.relpath(place, base).replace(os.sep, "/")
        verdict = rules.verdict(path, is_folder)
        if verdict is not None:
            return verdict
    return False


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


def _rule_files(root: str, path: str) -> Iterator[tuple[str, Rules]]:
    """Yield (folder, rules) of the rule files that may decide, the nearest first."""
    steps = path.split("/")[:-1]
    for end in range(len(steps), -1, -1):
        folder = os.path.join(root, *steps[:end])
        yield folder, read_rules(os.path.join(folder, GIT_RULES))
    yield from rules_outside(root)
