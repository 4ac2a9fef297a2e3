"""Counterparts of a file by name: a module, its test and its documentation page."""

from __future__ import annotations

import re
from collections.abc import Sequence

_TEST_FOLDERS = frozenset(("test", "tests", "__tests__", "spec", "testing"))
# `MyApp.Tests` is a C# test folder.
_TEST_FOLDER = re.compile(r".+\.tests?", re.IGNORECASE)
_TEST_NAME = re.compile(
    r"(?i:test_.*|.+[-_.](?:test|spec)\..*|(?:conftest|tests)\.py|tests\.rs)|[^.]*[A-Za-z0-9]Tests?\.[A-Za-z]+"
)
_DECORATION = re.compile(
    r"(?i:^tests?[-_]|[-_](?:tests?|spec)$)|^Test(?=[A-Z])|(?<=[A-Za-z0-9])Tests?$"
)
_FOLDER_MODULES = frozenset(("index", "mod", "__init__", "__main__", "main"))
"""Generic file names; such a file gets the stem of its folder."""
_CONTAINERS = frozenset(("src", "lib", "test", "tests", "__tests__", "spec"))
"""Generic folder names; files below them get the stem of the folder above."""
_MOST = 12
"""Maximum files that share a stem before it counts as a common word."""


def is_test(path: str) -> bool:
    """Return whether a path belongs to a test or to test support code."""
    *folders, name = path.split("/")
    if any(map(_is_test_folder, folders)):
        return True
    return _TEST_NAME.fullmatch(name) is not None


def _is_test_folder(name: str) -> bool:
    if name.casefold() in _TEST_FOLDERS:
        return True
    return _TEST_FOLDER.fullmatch(name) is not None


def stem(path: str) -> str:
    """Return the topic of a file: its name without suffixes and without marks of a test
    or a private module.

    Example: stem("tests/test_parser.py") == stem("src/_parser.py") ==
    stem("docs/parser.md") == "parser"
    """
    folder, _, base = path.rpartition("/")
    name = _plain(base)
    if name not in _FOLDER_MODULES:
        return name.lstrip("_").casefold() or name
    topic = ""
    for each in folder.split("/"):
        if each.casefold() not in _CONTAINERS:
            topic = each
    topic = _plain(topic).lstrip("_") or name.strip("_")
    return topic.casefold()


def _plain(base: str) -> str:
    """Return a base name up to its first dot, without test marks."""
    name = base.lstrip(".").partition(".")[0]
    return _DECORATION.sub("", name) or name


class Pairs:
    """All known paths, grouped by stem."""

    def __init__(self, paths: Sequence[str]) -> None:
        self._by_stem: dict[str, list[str]] = {}
        for path in sorted(set(paths)):
            self._by_stem.setdefault(stem(path), []).append(path)

    def of(self, path: str) -> tuple[str, ...]:
        """Return the other paths with the stem of `path`.

        If more than 12 files share the stem, only the nearest ones are returned, at
        most 12; these share at least one folder name with `path`.

        Order: most shared folder names first, then the longest common prefix of
        folders, then the smallest depth, then path.
        """
        same = self._by_stem.get(stem(path), [])
        ranked = sorted(
            (_distance(path, other), other) for other in same if other != path
        )
        if len(same) > _MOST:
            nearest = ranked[0][0]
            shares_folder = nearest[0] < 0
            ranked = [row for row in ranked if row[0] == nearest and shares_folder]
            ranked = ranked[:_MOST]
        return tuple(other for _, other in ranked)


def _distance(path: str, other: str) -> tuple[int, int, int]:
    """Return the sort key for the distance of two files by their folders."""
    folders = path.split("/")[:-1]
    other_folders = other.split("/")[:-1]
    shared = set(folders).intersection(other_folders)
    prefix = 0
    for folder, other_folder in zip(folders, other_folders, strict=False):
        if folder != other_folder:
            break
        prefix += 1
    depth = len(other_folders) if prefix else 0
    return -len(shared), -prefix, depth
