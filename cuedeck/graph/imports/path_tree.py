"""Index of the workspace paths and of the import roots in project files."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from posixpath import normpath
from typing import NamedTuple

from cuedeck.model.file import Root

# The first matching row applies.
_FAMILIES: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"go\.(?:mod|work)"), "go"),
    (re.compile(r"Cargo\.toml"), "rust"),
    (re.compile(r"composer\.json"), "php"),
    (re.compile(r"package\.json"), "package"),
    (re.compile(r".*\.jsonc?"), "script"),
    (re.compile(r".*\.(?:toml|cfg|ini|py)"), "python"),
)
"""Families of project files by their names."""

PlacedRoot = tuple[str, Root]
"""An import root with its project file, or with the folder of that file."""
Names = tuple[str, ...]
"""Imported names."""


class Imported(NamedTuple):
    """One file of the workspace that another file imports."""

    path: str
    line: int


class Tree:
    """Every known path once, sorted, with indexes by folder and name, and the import
    roots of project files by family: `go`, `rust`, `php`, `package`, `script`
    (tsconfig), `python`.
    """

    def __init__(self, paths: Sequence[str], roots: Sequence[PlacedRoot] = ()) -> None:
        self.known = frozenset(paths)
        self.paths: Sequence[str] = sorted(self.known)
        self._roots: dict[str, list[PlacedRoot]] = {}
        self._near: dict[tuple[str, str], Sequence[PlacedRoot]] = {}
        for path, written in sorted(roots, key=_path_and_strength):
            folder, _, name = path.rpartition("/")
            matches = (each for pattern, each in _FAMILIES if pattern.fullmatch(name))
            family = next(matches, "")
            target = join("", written.target)
            if target is None:
                continue
            prefix = written.prefix
            if family == "rust":
                prefix = prefix.replace("-", "_")
            root = Root(prefix.rstrip("\\"), target)
            self._roots.setdefault(family, []).append((folder, root))

    @cached_property
    def folders(self) -> dict[str, list[str]]:
        """The files directly in each folder."""
        return _grouped(self.paths, parent)

    @cached_property
    def _named(self) -> dict[str, list[str]]:
        return _grouped(self.paths, lambda path: path.rpartition("/")[2])

    @cached_property
    def _named_folders(self) -> dict[str, list[str]]:
        return _grouped(self.folders, lambda path: re.split(r"[./]", path)[-1])

    def ending(self, tail: str) -> Sequence[str]:
        """Return the files whose last components are those of `tail`; a dot in the name
        of a folder separates components, too.
        """
        named = self._named.get(tail.rpartition("/")[2], ())
        return [path for path in named if _ends_with(path, tail)]

    def folders_ending(
        self, tail: str, suffixes: tuple[str, ...]
    ) -> Sequence[Sequence[str]]:
        """Return the files with one of these suffixes in each folder whose last
        components are those of `tail`; folders without such files are left out.
        """
        groups = []
        for folder in self._named_folders.get(tail.rpartition("/")[2], ()):
            if _ends_with(folder, tail):
                files = self.folders[folder]
                groups.append([each for each in files if each.endswith(suffixes)])
        return [group for group in groups if group]

    def only(self, tail: str) -> str:
        """Return the only path that ends with `tail`."""
        found = self.ending(tail)
        return found[0] if len(found) == 1 else ""

    def roots(self, family: str, folder: str) -> Sequence[PlacedRoot]:
        """Return the roots of the project files of a family in a folder and above it
        with the folders of these files, nearest first.

        Order within a project file: roots without `*` first, then longest first.
        """
        if family not in self._roots:
            return ()
        key = (family, folder)
        if key not in self._near:
            ranks = {each: rank for rank, each in enumerate(ancestors(folder))}
            rows = [row for row in self._roots[family] if row[0] in ranks]
            self._near[key] = sorted(rows, key=lambda row: ranks[row[0]])
        return self._near[key]

    def every_root(self, family: str) -> Sequence[Root]:
        """Return the roots of all project files of a family, by path of the file."""
        return [root for _, root in self._roots.get(family, ())]

    @cached_property
    def _by_prefix(self) -> dict[tuple[str, str], list[PlacedRoot]]:
        found: dict[tuple[str, str], list[PlacedRoot]] = {}
        for family, rows in self._roots.items():
            for row in rows:
                found.setdefault((family, row[1].prefix), []).append(row)
        return found

    def prefixes(
        self, family: str, spec: str, separator: str, folder: str
    ) -> Iterator[tuple[str, str]]:
        """Yield (target, rest of `spec`) for each root whose prefix matches whole
        components: longest prefix first, then those above `folder`, nearest first.
        """
        end = len(spec) if family in self._roots else 0
        while end > 0:
            rows = self._by_prefix.get((family, spec[:end]), ())
            if len(rows) > 1:
                near = list(ancestors(folder))
                ranks = {each: rank for rank, each in enumerate(near, -len(near))}
                rows = sorted(rows, key=lambda row: ranks.get(row[0], 0))
            for _, root in rows:
                yield root.target, spec[end:].removeprefix(separator)
            end = spec.rfind(separator, 0, end)


def _path_and_strength(row: PlacedRoot) -> tuple[str, bool, int]:
    head, star, _ = row[1].prefix.partition("*")
    return row[0], bool(star), -len(head)


def _grouped(
    paths: Iterable[str], key_of: Callable[[str], str]
) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for path in paths:
        found.setdefault(key_of(path), []).append(path)
    return found


def _ends_with(path: str, tail: str) -> bool:
    dotted = f".{tail}".replace("/", ".")
    return f".{path}".replace("/", ".").endswith(dotted)


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
    """Return the path of `name` in a folder; either may be empty."""
    return f"{folder}/{name}" if folder and name else folder or name


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


def members(
    place: str, names: Names, files_of: Callable[[str], Sequence[str]]
) -> list[str]:
    """Return the files of the modules with these names in the module `place`, and the
    files of `place` itself unless every name is a module.
    """
    found: list[str] = []
    for name in names:
        found += files_of(under(place, name))
    if not names or len(found) < len(names):
        found += files_of(place)
    return found
