"""Java, C# and PHP: dotted names that follow the folders, as far as they do so without doubt."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cuedeck.graph.imports.base import Found
from cuedeck.graph.imports.path_tree import Tree, join, parent, under
from cuedeck.graph.imports.project_files import Projects

_LEAST = 2
"""Components that a name must keep once some of them are left out: one alone fits too much."""
_MOST_LEFT_OUT = 4
"""Components at the start of a name that may be no folders, but the name of a vendor or a program."""
_INNER = 2
"""Components at the end of a Java name that may lie inside of a file: `Outer.Inner.MEMBER`."""
_FOREIGN = ("System", "Microsoft", "Windows")
"""First components of C# names that a workspace does not define."""

Parts = Sequence[str]


class Places:
    """Files by dotted name: `src/My.App/Models/User.cs` is also `App.Models.User`."""

    def __init__(self) -> None:
        self._by_last: dict[str, list[tuple[str, tuple[str, ...]]]] = {}
        self._found: dict[str, tuple[str, ...]] = {}

    def add(self, place: str, paths: Sequence[str]) -> None:
        dotted = "." + place.replace("/", ".")
        self._by_last.setdefault(dotted.rpartition(".")[2], []).append((dotted, tuple(paths)))

    def at(self, parts: Parts) -> tuple[str, ...]:
        """Return the files of the one place whose name ends with `parts`; none when there are two."""
        if parts[-1] not in self._by_last:
            return ()
        tail = "." + ".".join(parts)
        if tail not in self._found:
            fits = [paths for dotted, paths in self._by_last[parts[-1]] if dotted.endswith(tail)]
            self._found[tail] = fits[0] if len(fits) == 1 else ()
        return self._found[tail]


def _places(tree: Tree, suffixes: tuple[str, ...]) -> tuple[Places, Places]:
    """Return what each file is, and what lies in each folder."""
    files, folders = Places(), Places()
    for folder, paths in tree.folders.items():
        own = [path for path in paths if path.endswith(suffixes)]
        for path in own:
            files.add(path.rpartition(".")[0], [path])
        if own:
            folders.add(folder, own)
    return files, folders


class Java:
    """Find the file of a class, its inner classes and members left away, or all of a package."""

    def __init__(self, tree: Tree, projects: Projects, suffixes: tuple[str, ...]) -> None:
        self._files, self._folders = _places(tree, suffixes)

    def find(self, path: str, spec: str, names: tuple[str, ...]) -> Sequence[Found]:
        parts = spec.split(".")
        if parts[-1] == "*":
            parts, names = parts[:-1], ("*",)
        for end in range(len(parts), max(_LEAST, len(parts) - _INNER) - 1, -1):
            file = self._files.at(parts[:end])
            if file:
                return [(file[0], tuple(parts[end : end + 1]) or names)]
        if not parts:
            return ()
        whole = self._folders.at(parts) if "*" in names else ()
        return [(file, ()) for file in (*whole, *_below(self._files, parts, names))]


class CSharp:
    """Find the files of a namespace or the file of a class; the name of the program may be no folder."""

    def __init__(self, tree: Tree, projects: Projects, suffixes: tuple[str, ...]) -> None:
        self._files, self._folders = _places(tree, suffixes)

    def find(self, path: str, spec: str, names: tuple[str, ...]) -> Sequence[Found]:
        parts = spec.split(".")
        if parts[0] in _FOREIGN:
            return ()
        for tail in _tails(parts):
            folder = self._folders.at(tail)
            if folder:
                return [(file, ()) for file in folder]
            file = self._files.at(tail)
            if file:
                return [(file[0], names)]
        return ()


class Php:
    """Find the file of a class by `composer.json` or its folders, and what is included by path."""

    def __init__(self, tree: Tree, projects: Projects, suffixes: tuple[str, ...]) -> None:
        self._tree = tree
        self._projects = projects
        self._files, _ = _places(tree, suffixes)

    def find(self, path: str, spec: str, names: tuple[str, ...]) -> Sequence[Found]:
        if "/" in spec or spec.endswith(".php"):
            return self._by_path(parent(path), spec.lstrip("/"), names)
        spec = spec.strip("\\")
        for target, rest in self._projects.prefixes("php", spec, "\\", parent(path)):
            place = under(target, rest.replace("\\", "/"))
            files = [(f"{place}.php", names), *((f"{place}/{name}.php", ()) for name in names)]
            known = [found for found in files if found[0] in self._tree.known]
            if known:
                return known
        # A class without a namespace is one of PHP's own far more often than a file: `use Exception`.
        for tail in _tails(spec.split("\\")) if "\\" in spec else ():
            file = self._files.at(tail)
            if file:
                return [(file[0], names)]
            below = _below(self._files, tail, names)
            if below:
                return [(each, ()) for each in below]
        return ()

    def _by_path(self, folder: str, spec: str, names: tuple[str, ...]) -> Sequence[Found]:
        near = (join(folder, spec), join("", spec))
        found = next((path for path in near if path in self._tree.known), None)
        found = found or self._tree.only(spec.removeprefix("./"))
        return [(found, names)] if found else ()


def _tails(parts: Parts) -> Iterator[Parts]:
    """Yield a name, then what is left of it when its first components are no folders."""
    yield parts
    for start in range(1, min(len(parts) - _LEAST, _MOST_LEFT_OUT) + 1):
        yield parts[start:]


def _below(files: Places, parts: Parts, names: Sequence[str]) -> Sequence[str]:
    return [path for name in names for path in files.at((*parts, name))]
