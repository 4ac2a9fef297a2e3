"""Counterparts of a file by name: a module, its test and its documentation page."""

from __future__ import annotations

import re
from collections.abc import Sequence
from posixpath import commonprefix

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
    for folder in folders:
        if folder.casefold() in _TEST_FOLDERS or _TEST_FOLDER.fullmatch(folder):
            return True
    return _TEST_NAME.fullmatch(name) is not None


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
    prefix = len(commonprefix([folders, other_folders]))
    depth = len(other_folders) if prefix else 0
    return -len(shared), -prefix, depth


_NAME = re.compile(
    r"(?:(?:class|def|func|fn|function|struct|interface|new|await)\s+)?([^\W\d]\w*(?:(?:\.|::|#)\w+)*)"
)
_STEP = re.compile(r"\.|::|#")
_DISTINCTIVE = re.compile(r"[^\W_]_+[^\W_]|[a-z][A-Z]|[A-Z]\w{3}")
"""Names unlikely to be plain words inside code marks: `verify_token`, `verifyToken`,
`Token`.
"""
_DISTINCTIVE_IN_PROSE = re.compile(r"[^\W_]_+[^\W_]|[a-z][A-Z]")
"""Stricter pattern for prose, where every sentence begins with a capital letter."""


def read_steps(text: str, *, in_prose: bool = False) -> Sequence[str]:
    """Return the parts of a name that can only be a code identifier; empty for other
    text.

    Example: read_steps("Login.verify(token)") == ["Login", "verify"]
    """
    name, bracket, _ = text.strip().partition("(")
    match = _NAME.fullmatch(name.strip())
    if match is None:
        return ()
    steps = _STEP.split(match[1])
    if len(steps) > 1 or bracket:
        return steps
    distinctive = _DISTINCTIVE_IN_PROSE if in_prose else _DISTINCTIVE
    if not distinctive.search(steps[0]):
        return ()
    return steps


def fits(steps: Sequence[str], path: str, name: str) -> bool:
    """Return whether a name matches the definition `name` of a file.

    It matches by its last parts, or by the full name after a module or package name.
    """
    given = ".".join(steps)
    if f".{name}".endswith(f".{given}"):
        return True
    # `auth.Login.verify` and `crate::auth::Login` begin with modules or packages; the
    # rest must be the full name.
    rest = given.removesuffix(name)
    if not rest.endswith("."):
        return False
    module = steps[rest.count(".") - 1].casefold()
    folders = path.casefold().split("/")[:-1]
    return module == stem(path) or module in folders
