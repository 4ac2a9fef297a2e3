"""Which files are read: the ignore rules of git and of the workspace."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from cuedeck.model.errors import StorageError
from cuedeck.store.disk import read_bytes

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

RULE_FILES = (".cuedeckignore", ".ignore", ".gitignore")
"""In the order in which they decide, within one folder."""
NEVER = frozenset({".git", ".hg", ".svn", ".jj"})
ALWAYS_IGNORED = ("node_modules/", "__pycache__/", ".venv/", ".tox/")
"""Ignored unless a rule of the workspace takes them back."""
HOME_FOLDERS = (".cuedeck/cards", ".cuedeck/docs")
"""The parts of `.cuedeck/` that are read; no rule of the repository hides them."""


class IgnoreRules:
    """All ignore rules of a workspace, read folder by folder as the scan comes by."""

    def __init__(self, root: str, own: Sequence[str] = ()) -> None:
        self._root = root
        self._above = _rules_above(root)
        self._own = _compile([*ALWAYS_IGNORED, *own])
        self._folders: dict[str, list[GitIgnoreSpec]] = {}

    def ignored(self, path: str, is_folder: bool) -> bool:
        """Tell whether a rule hides `path`; its folders are taken as visible."""
        if path == ".cuedeck" or path.startswith(".cuedeck/"):
            return not in_home(path, is_folder)
        name = path + "/" if is_folder else path
        folder = os.path.dirname(path)
        while True:
            for spec in self._rules(folder):
                verdict = spec.check_file(name[len(folder) + 1 if folder else 0 :]).include
                if verdict is not None:
                    return bool(verdict)
            if not folder:
                break
            folder = os.path.dirname(folder)
        for prefix, spec in self._above:
            verdict = spec.check_file(prefix + name).include
            if verdict is not None:
                return bool(verdict)
        return bool(self._own.check_file(name).include)

    def _rules(self, folder: str) -> list[GitIgnoreSpec]:
        if folder not in self._folders:
            places = (os.path.join(self._root, folder, name) for name in RULE_FILES)
            texts = [_read(place) for place in places]
            self._folders[folder] = [_compile(text.split("\n")) for text in texts if text.strip()]
        return self._folders[folder]


def in_home(path: str, is_folder: bool) -> bool:
    """Tell whether a path of `.cuedeck/` is read: cards and docs, and the folders on the way to them."""
    if is_folder and path == ".cuedeck":
        return True
    return any(path == folder or path.startswith(folder + "/") for folder in HOME_FOLDERS)


def outside_rules(root: str) -> list[str]:
    """Return the rule files that count although they lie outside the tree that is scanned."""
    places: list[str] = []
    folder, git = root, _git_folder(root)
    while git is None and os.path.dirname(folder) != folder:
        folder = os.path.dirname(folder)
        git = _git_folder(folder)
        places.append(os.path.join(folder, ".gitignore"))
    if git is None:
        return []
    return [*places, os.path.join(git, "info", "exclude")]


def _rules_above(root: str) -> list[tuple[str, GitIgnoreSpec]]:
    """Return (prefix, rules) of the folders above the root up to the repository's, nearest first."""
    found: list[tuple[str, GitIgnoreSpec]] = []
    for place in outside_rules(root):
        if text := _read(place):
            top = os.path.dirname(place) if place.endswith(".gitignore") else _top(root)
            prefix = os.path.relpath(root, top).replace(os.sep, "/")
            found.append(("" if prefix == "." else prefix + "/", _compile(text.split("\n"))))
    return found


def _top(root: str) -> str:
    folder = root
    while _git_folder(folder) is None:
        folder = os.path.dirname(folder)
    return folder


def _git_folder(folder: str) -> str | None:
    """Return the folder that holds `info/exclude` when `folder` is the top of a git checkout."""
    place = os.path.join(folder, ".git")
    if os.path.isdir(place):
        return place
    pointer = _read(place)
    if not pointer.startswith("gitdir:"):
        return None
    private = os.path.normpath(os.path.join(folder, pointer[7:].strip()))
    common = _read(os.path.join(private, "commondir")).strip()
    return os.path.normpath(os.path.join(private, common)) if common else private


def _read(place: str) -> str:
    if not os.path.isfile(place):
        return ""
    try:
        return (read_bytes(place) or b"").decode("utf-8", "replace")
    except StorageError:
        return ""


def _compile(lines: Iterable[str]) -> GitIgnoreSpec:
    from pathspec import GitIgnoreSpec

    rules = [line.rstrip("\r") for line in lines]
    try:
        return GitIgnoreSpec.from_lines(rules)
    except ValueError:
        return GitIgnoreSpec.from_lines(rule for rule in rules if _is_valid(rule))


def _is_valid(rule: str) -> bool:
    """git skips a pattern it cannot read; so do we."""
    from pathspec import GitIgnoreSpec

    try:
        GitIgnoreSpec.from_lines([rule])
    except ValueError:
        return False
    return True
