"""What git makes of the files in `.cuedeck/`: which it hides and which it tracks, read from its own files."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

from cuedeck.parse.gitignore import Rules
from cuedeck.store.fs.disk import look_at
from cuedeck.store.fs.ignore_rules import GIT_RULES, outside_rules, read_rules, rules_outside
from cuedeck.store.git.head import find_repository
from cuedeck.store.workspace_paths import is_below


def in_git(root: str) -> bool:
    """Tell whether a folder lies in a checkout of git."""
    return bool(outside_rules(root))


def git_hides(root: str, path: str, *, is_folder: bool = False) -> bool:
    """Tell whether an ignore rule keeps a path out of git, by itself or through a folder above it."""
    root = os.path.realpath(root)
    rules = list(_rule_files(root, path))
    steps = path.split("/")
    for end in range(1, len(steps) + 1):
        part = os.path.join(root, *steps[:end])
        for base, each in rules:
            if not is_below(part, base):
                continue
            name = os.path.relpath(part, base).replace(os.sep, "/")
            verdict = each.verdict(name, is_folder or end < len(steps))
            if verdict:
                return True
            if verdict is not None:
                break
    return False


def git_tracks(root: str, path: str) -> bool:
    """Tell whether git's index names a path; False when that cannot be told without asking git itself."""
    return path in tracked_of(root, (path,))


def tracked_of(root: str, paths: Iterable[str]) -> tuple[str, ...]:
    """Return those of some paths that git's index names, as far as that can be told without asking git itself."""
    repository = find_repository(root)
    if repository is None:
        return ()
    index = look_at(os.path.join(repository.private, "index"))
    return tuple(path for path in paths if _entry(repository.prefix + path) in index)


def _entry(path: str) -> bytes:
    """Return what stands in an index for a file: its length, its name and a NUL.

    So in all versions but 4, which shares prefixes.
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
