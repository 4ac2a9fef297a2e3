"""Python import resolution: modules, packages and stubs, relative and absolute."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from cuedeck.graph.imports.base import Found
from cuedeck.graph.imports.path_tree import Tree, ancestors, ends_with, parent, under
from cuedeck.graph.imports.project_files import Projects
from cuedeck.graph.imports.stdlib_names import PYTHON

_SUFFIXES = ("/__init__.py", ".py", "/__init__.pyi", ".pyi")
"""Endings that turn a module path into a file, highest precedence first: a package hides a module of its name."""


class Python:
    """Resolves modules like an interpreter with every likely folder on its path."""

    def __init__(self, tree: Tree, projects: Projects, suffixes: tuple[str, ...]) -> None:
        self._projects = projects
        self._modules = _modules(tree.paths)
        self._packages = frozenset(parent(path) for path in self._modules.values() if _is_package(path))
        self._places: dict[str, list[str]] = {}
        folders = (parent(path) for path in self._modules.values())
        for place in sorted({*self._modules, *folders}):
            self._places.setdefault(place.rpartition("/")[2], []).append(place)
        self._homes: dict[str, Mapping[str, str]] = {}
        self._near: dict[str, Sequence[str]] = {}
        every = reversed([root.target for root in projects.every("python") if not root.prefix])
        self._far = {target: -at for at, target in enumerate(every)}
        self._named = [root for root in projects.every("python") if root.prefix]

    def find(self, path: str, spec: str, names: tuple[str, ...]) -> Sequence[Found]:
        if spec.startswith("."):
            return self._relative(parent(path), spec, names)
        homes = self._homes_of(spec)
        for place in self._fitting(parent(path), spec, homes) if homes or self._named else ():
            found = self._take(place, names)
            if found and spec in PYTHON:
                # `import json` means the standard library, but `from platform import core` may mean a workspace module.
                return [each for each in found if not each[1] and each[0] != self._modules.get(place)]
            if found:
                return found
        return ()

    def _fitting(self, folder: str, spec: str, homes: Mapping[str, str]) -> Iterable[str]:
        """Yield the places that an absolute import may refer to, most likely first."""
        first = spec.partition(".")[0]
        if first in PYTHON:
            # Only a package with an `__init__.py` takes precedence over a standard library module.
            tops = ((place[: len(place) - len(spec) + len(first)], place) for place in self._likely(folder, homes))
            return (place for top, place in tops if top in self._packages)
        return chain(self._renamed(spec), self._likely(folder, homes), self._lone(homes))

    def _relative(self, folder: str, spec: str, names: Sequence[str]) -> Sequence[Found]:
        rest = spec.lstrip(".")
        for _ in range(len(spec) - len(rest) - 1):
            if not folder:
                return ()
            folder = parent(folder)
        return self._take(under(folder, rest.replace(".", "/")) if rest else folder, names)

    def _take(self, place: str, names: Sequence[str]) -> Sequence[Found]:
        """Return the files for `names` imported from a module: submodules, else names of its own file."""
        own = self._modules.get(place)
        if not names:
            return [(own, ())] if own else ()
        start = f"{place}/" if place else ""
        inner = [(name, self._modules.get(start + name)) for name in names]
        found: list[Found] = [(path, ()) for _, path in inner if path]
        rest = tuple(name for name, path in inner if not path)
        return [*found, (own, rest)] if rest and own else found

    def _homes_of(self, spec: str) -> Mapping[str, str]:
        """Return the places that match a dotted path, by the import root from which each would be imported."""
        homes = self._homes.get(spec)
        if homes is None:
            tail = spec.replace(".", "/")
            places = self._places.get(tail.rpartition("/")[2], ()) if tail else ()
            fits = [place for place in places if ends_with(place, tail)]
            homes = self._homes[spec] = {place[: -len(tail)].rstrip("/"): place for place in fits}
        return homes

    def _renamed(self, spec: str) -> Iterable[str]:
        """Yield the places of packages that a project file maps to a name other than their folder."""
        for root in self._named:
            if spec == root.prefix or spec.startswith(f"{root.prefix}."):
                rest = spec[len(root.prefix) + 1 :].replace(".", "/")
                yield under(root.target, rest) if rest else root.target

    def _likely(self, folder: str, homes: Mapping[str, str]) -> Iterable[str]:
        starts = self._near.get(folder)
        if starts is None:
            starts = self._near[folder] = self._starts(folder)
        yield from (homes[start] for start in starts if start in homes)
        far = sorted((self._far[start], place) for start, place in homes.items() if start in self._far)
        yield from (place for _, place in far)

    def _starts(self, folder: str) -> Sequence[str]:
        """Return the folders that may be import roots for files in `folder`, nearest first."""
        top = folder
        while top in self._packages and top:
            top = parent(top)
        groups = self._projects.above("python", folder)
        roots = [root.target for group in groups for root in group if not root.prefix]
        above = [start for each in ancestors(top) for start in (each, under(each, "src"))]
        return list(dict.fromkeys([top, *roots, *above]))

    def _lone(self, homes: Mapping[str, str]) -> Iterator[str]:
        """Yield the only place that matches a dotted path; a folder inside a package is not an import root."""
        lone = [place for start, place in homes.items() if not start or start not in self._packages]
        if len(lone) == 1:
            yield lone[0]


def _modules(paths: Sequence[str]) -> dict[str, str]:
    """Return the file of each module by its path without suffix: `src/click` is `src/click/__init__.py`."""
    modules: dict[str, str] = {}
    for suffix in reversed(_SUFFIXES):
        ending = suffix.lstrip("/")
        for path in paths:
            if path.endswith(suffix):
                modules[path.removesuffix(suffix)] = path
            elif path == ending and suffix[0] == "/":
                modules[""] = path
    return modules


def _is_package(path: str) -> bool:
    return path.rpartition("/")[2] in ("__init__.py", "__init__.pyi")
