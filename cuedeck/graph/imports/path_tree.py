"""Index of the workspace paths for import resolution."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from posixpath import normpath
from typing import NamedTuple


class Tree:
    """Every known path once, sorted, with indexes by folder and base name."""

    def __init__(self, paths: Sequence[str]) -> None:
        self.known = frozenset(paths)
        self.paths: Sequence[str] = sorted(self.known)
        self._ending: dict[str, Sequence[str]] = {}

    @cached_property
    def folders(self) -> dict[str, list[str]]:
        """The files directly in each folder."""
        folders: dict[str, list[str]] = {}
        for path in self.paths:
            folders.setdefault(parent(path), []).append(path)
        return folders

    @cached_property
    def _named(self) -> dict[str, list[str]]:
        named: dict[str, list[str]] = {}
        for path in self.paths:
            named.setdefault(path.rpartition("/")[2], []).append(path)
        return named

    def ending(self, tail: str) -> Sequence[str]:
        """Return the paths that equal `tail` or end with it, compared by whole
        components.
        """
        if tail not in self._ending:
            named = self._named.get(tail.rpartition("/")[2], ())
            self._ending[tail] = [path for path in named if ends_with(path, tail)]
        return self._ending[tail]

    def only(self, tail: str) -> str:
        """Return the only path that ends with `tail`."""
        found = self.ending(tail)
        if len(found) != 1:
            return ""
        return found[0]


def parent(path: str) -> str:
    """Return the folder of a path; empty for the workspace root."""
    return path.rpartition("/")[0]


def ancestors(folder: str) -> Iterator[str]:
    """Yield a folder and every folder above it, nearest first."""
    while folder:
        yield folder
        folder = parent(folder)
    yield ""


def under(folder: str, name: str) -> str:
    """Return the path of `name` in a folder, which may be the workspace root."""
    if folder:
        return f"{folder}/{name}"
    return name


def ends_with(path: str, tail: str) -> bool:
    """Return whether the last components of `path` are those of `tail`."""
    return path == tail or path.endswith(f"/{tail}")


def join(folder: str, spec: str) -> str | None:
    """Return the path of a relative `spec` seen from a folder; None if it is outside
    the workspace.

    The workspace root is the empty string.
    """
    if "\0" in spec or spec.startswith("/"):
        return None
    path = normpath(under(folder, spec))
    if path == ".." or path.startswith("../"):
        return None
    return "" if path == "." else path


Names = tuple[str, ...]
"""Imported names."""


class Imported(NamedTuple):
    """One file of the workspace that another file imports."""

    path: str
    line: int
