"""Which files are read: the ignore rules of git and of the workspace.

What counts lies in files of the repository and in the settings. Ignore rules of the person's own git
(`core.excludesFile`) do not: the same files must give the same scene on another machine.
"""

from __future__ import annotations

import os
import posixpath
from collections.abc import Sequence
from typing import TYPE_CHECKING

from cuedeck.model.places import CARDS, DOCS
from cuedeck.store.disk import look_at
from cuedeck.store.history.head import find_repository

if TYPE_CHECKING:
    from cuedeck.parse.gitignore import Rules

RULE_FILES = (".cuedeckignore", ".ignore", ".gitignore")
"""In the order in which they decide, within one folder."""
NEVER = frozenset({".git", ".hg", ".svn", ".jj"})
ALWAYS_IGNORED = ("node_modules/", "__pycache__/", ".venv/", ".tox/")
"""Ignored unless a rule of the workspace takes them back."""
HOME_FOLDERS = (CARDS, DOCS)
"""The parts of `.cuedeck/` that are read; no rule of the repository hides them."""


def is_rule_file(path: str) -> bool:
    """Tell whether a path is that of an ignore file whose rules count."""
    return posixpath.basename(path) in RULE_FILES and not path.startswith(".cuedeck/")


class IgnoreRules:
    """All ignore rules of a workspace, read folder by folder as the scan comes by.

    The settings decide first, then the rule files of the nearest folder, up to those above the workspace.
    """

    def __init__(self, root: str, own: Sequence[str] = ()) -> None:
        from cuedeck.parse.gitignore import Rules

        self._root = root
        self._own = Rules(own)
        self._above = _rules_above(root)
        self._always = Rules(ALWAYS_IGNORED)
        self._folders: dict[str, list[Rules]] = {}
        self._chains: dict[str, list[tuple[int, Rules]]] = {}

    def ignored(self, path: str, is_folder: bool) -> bool:
        """Tell whether a rule hides `path`; its folders are taken as visible."""
        if path == ".cuedeck" or path.startswith(".cuedeck/"):
            return not in_home(path, is_folder)
        if not NEVER.isdisjoint(path.split("/")):
            return True
        verdict = self._own.verdict(path, is_folder)
        for start, rules in self._chain(path.rpartition("/")[0]):
            if verdict is not None:
                break
            verdict = rules.verdict(path[start:], is_folder)
        for prefix, rules in self._above:
            if verdict is None:
                verdict = rules.verdict(prefix + path, is_folder)
        if verdict is None:
            verdict = self._always.verdict(path, is_folder)
        return bool(verdict)

    def _chain(self, folder: str) -> list[tuple[int, Rules]]:
        """Return the rules of a folder and of those above it, nearest first, and where the path below each begins."""
        if folder not in self._chains:
            above = self._chain(folder.rpartition("/")[0]) if folder else []
            start = len(folder) + 1 if folder else 0
            self._chains[folder] = [*((start, rules) for rules in self._rules(folder)), *above]
        return self._chains[folder]

    def _rules(self, folder: str) -> list[Rules]:
        if folder not in self._folders:
            places = (os.path.join(self._root, folder, name) for name in RULE_FILES)
            # Like git: a link in the place of an ignore file is not followed.
            found = [_rules_in(place) for place in places if not os.path.islink(place)]
            self._folders[folder] = [rules for rules in found if rules]
        return self._folders[folder]


def in_home(path: str, is_folder: bool) -> bool:
    """Tell whether a path of `.cuedeck/` is read: cards and docs, and the folders on the way to them."""
    if is_folder and path == ".cuedeck":
        return True
    return any(path.startswith(folder + "/") or (path == folder and is_folder) for folder in HOME_FOLDERS)


def outside_rules(root: str) -> list[str]:
    """Return the rule files that count although they lie outside the tree that is scanned, nearest first."""
    repository = find_repository(root)
    if repository is None:
        return []
    places: list[str] = []
    folder = os.path.realpath(root)
    for _ in range(repository.prefix.count("/")):
        folder = os.path.dirname(folder)
        places.append(os.path.join(folder, ".gitignore"))
    return [*places, os.path.join(repository.common, "info", "exclude")]


def _rules_above(root: str) -> list[tuple[str, Rules]]:
    """Return (path of the workspace below the rule file, its rules), nearest first.

    Where these rules hide the folder of the workspace as a whole, somebody made a workspace in it all the
    same, so they have nothing to say about what is in it.
    """
    places, root = outside_rules(root), os.path.realpath(root)
    above, exclude = places[:-1], places[-1:]
    found = [(_below(os.path.dirname(place), root), _rules_in(place)) for place in above]
    top = os.path.dirname(above[-1]) if above else root
    found += [(_below(top, root), _rules_in(place)) for place in exclude]
    steps = _below(top, root).split("/")[:-1]
    for end in range(1, len(steps) + 1):
        hidden = None
        for prefix, rules in found:
            # Rules of a folder below this step say nothing about it.
            gone = len(steps) - prefix.count("/")
            if hidden is None and gone < end:
                hidden = rules.verdict("/".join(steps[gone:end]), True)
        if hidden:
            return []
    return found


def _below(folder: str, root: str) -> str:
    path = os.path.relpath(root, folder).replace(os.sep, "/")
    return "" if path == "." else path + "/"


def _rules_in(place: str) -> Rules:
    from cuedeck.parse.gitignore import parse_rules

    return parse_rules(_read(place))


def _read(place: str) -> str:
    return look_at(place).decode("utf-8", "surrogateescape") if os.path.isfile(place) else ""
