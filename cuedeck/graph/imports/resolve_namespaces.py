"""Import resolution for Java, C# and PHP: dotted names that match folders
unambiguously.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cuedeck.graph.imports.path_tree import Names, Tree, join, parent, under
from cuedeck.graph.imports.project_files import Family, Projects

_LEAST = 2
"""Minimum components of a shortened name; a single component matches too much."""
_MOST_LEFT_OUT = 4
"""Maximum leading components to drop."""
_INNER = 2
"""Trailing components of a Java name that may be inside a file: `Outer.Inner.MEMBER`.
"""
_FOREIGN = ("System", "Microsoft", "Windows")
"""First components of C# names that a workspace does not define."""

Parts = Sequence[str]
Paths = tuple[str, ...]


class Places:
    """Index of files by dotted name: `src/My.App/Models/User.cs` is also
    `App.Models.User`.
    """

    def __init__(self) -> None:
        self._by_last: dict[str, list[tuple[str, Paths]]] = {}
        self._found: dict[str, Paths] = {}

    def add(self, place: str, paths: Sequence[str]) -> None:
        dotted = "." + place.replace("/", ".")
        self._by_last.setdefault(dotted.rpartition(".")[2], []).append(
            (dotted, tuple(paths))
        )

    def at(self, parts: Parts) -> Paths:
        """Return the files of the only place whose name ends with `parts`."""
        if parts[-1] not in self._by_last:
            return ()
        tail = "." + ".".join(parts)
        if tail not in self._found:
            named = self._by_last[parts[-1]]
            fits = [paths for dotted, paths in named if dotted.endswith(tail)]
            self._found[tail] = fits[0] if len(fits) == 1 else ()
        return self._found[tail]


def _places(tree: Tree, suffixes: tuple[str, ...]) -> tuple[Places, Places]:
    """Return the index of files by name and the index of files by folder."""
    files = Places()
    folders = Places()
    for folder, paths in tree.folders.items():
        own = [path for path in paths if path.endswith(suffixes)]
        for path in own:
            files.add(path.rpartition(".")[0], [path])
        if own:
            folders.add(folder, own)
    return files, folders


class Java(Family):
    """Resolves the file of a class, also for its inner classes and members, or all
    files of a package.
    """

    def __init__(
        self, tree: Tree, projects: Projects, suffixes: tuple[str, ...]
    ) -> None:
        super().__init__(tree, projects, suffixes)
        self._files, self._folders = _places(tree, suffixes)

    def find(self, path: str, spec: str, names: Names) -> Sequence[str]:
        parts = spec.split(".")
        if parts[-1] == "*":
            parts = parts[:-1]
            names = ("*",)
        shortest = max(_LEAST, len(parts) - _INNER)
        for end in range(len(parts), shortest - 1, -1):
            file = self._files.at(parts[:end])
            if file:
                return file
        if not parts:
            return ()
        files = list(self._folders.at(parts)) if "*" in names else []
        files += _below(self._files, parts, names)
        return files


class CSharp(Family):
    """Resolves the files of a namespace or the file of a class."""

    def __init__(
        self, tree: Tree, projects: Projects, suffixes: tuple[str, ...]
    ) -> None:
        super().__init__(tree, projects, suffixes)
        self._files, self._folders = _places(tree, suffixes)

    def find(self, path: str, spec: str, names: Names) -> Sequence[str]:
        parts = spec.split(".")
        if parts[0] in _FOREIGN:
            return ()
        for tail in _tails(parts):
            folder = self._folders.at(tail)
            if folder:
                return folder
            file = self._files.at(tail)
            if file:
                return file
        return ()


class Php(Family):
    """Resolves the file of a class by `composer.json` or by folders, and includes by
    path.
    """

    def __init__(
        self, tree: Tree, projects: Projects, suffixes: tuple[str, ...]
    ) -> None:
        super().__init__(tree, projects, suffixes)
        self._files, _ = _places(tree, suffixes)

    def find(self, path: str, spec: str, names: Names) -> Sequence[str]:
        if "/" in spec or spec.endswith(".php"):
            return self._by_path(parent(path), spec.lstrip("/"))
        spec = spec.strip("\\")
        for target, rest in self._projects.prefixes("php", spec, "\\", parent(path)):
            place = under(target, rest.replace("\\", "/"))
            found = self._declared(place, names)
            if found:
                return found
        if "\\" not in spec:
            # A class without a namespace is far more often a PHP built-in than a file:
            # `use Exception`.
            return ()
        for tail in _tails(spec.split("\\")):
            found = self._files.at(tail) or _below(self._files, tail, names)
            if found:
                return found
        return ()

    def _declared(self, place: str, names: Names) -> Sequence[str]:
        """Return the file of a class at `place`, and those of the names in a namespace
        at `place`.
        """
        paths = [f"{place}.php", *(f"{place}/{name}.php" for name in names)]
        return [path for path in paths if path in self._tree.known]

    def _by_path(self, folder: str, spec: str) -> Sequence[str]:
        for start in (folder, ""):
            path = join(start, spec)
            if path and path in self._tree.known:
                return [path]
        path = self._tree.only(spec.removeprefix("./"))
        if not path:
            return ()
        return [path]


def _tails(parts: Parts) -> Iterator[Parts]:
    """Yield a name, then the name without its first components."""
    yield parts
    last = min(len(parts) - _LEAST, _MOST_LEFT_OUT)
    for start in range(1, last + 1):
        yield parts[start:]


def _below(files: Places, parts: Parts, names: Sequence[str]) -> Sequence[str]:
    found: list[str] = []
    for name in names:
        found += files.at((*parts, name))
    return found
