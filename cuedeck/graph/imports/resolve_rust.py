"""Rust import resolution: the module tree of a crate (`x.rs` or `x/mod.rs`) and the
crates of a workspace.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from cuedeck.graph.imports.path_tree import Names, Tree, ancestors, parent, under
from cuedeck.graph.imports.project_files import Family, Projects

_ROOTS = ("lib.rs", "main.rs")
_MODULE = "mod:"
_LONE_FOLDERS = ("tests", "examples", "benches")
"""Folders next to a `Cargo.toml` in which every file is a separate crate."""


class Crate(NamedTuple):
    """The root folder of a module tree, and its root files."""

    folder: str
    files: tuple[str, ...]
    """More than one if a library and a program share a folder."""


class Rust(Family):
    """Resolves modules by path, not items or inline modules inside a file."""

    def __init__(
        self, tree: Tree, projects: Projects, suffixes: tuple[str, ...]
    ) -> None:
        self._known = tree.known
        super().__init__(tree, projects, suffixes)
        self._declared: dict[str, list[str]] = {}
        for root in projects.every("rust"):
            self._declared.setdefault(parent(root.target), []).append(root.target)
        self._cargo = projects.folders("rust")
        self._crates: dict[str, Crate | None] = {}
        self._places: dict[str, tuple[str, Crate | None]] = {}

    def find(self, path: str, spec: str, names: Names) -> Sequence[str]:
        if path not in self._places:
            self._places[path] = self._inner(path), self._crate(path)
        inner, crate = self._places[path]
        if spec.startswith(_MODULE):
            # `mod a::b` is not Rust syntax; the parser emits it for a module declared
            # inside an inline module.
            module = spec.removeprefix(_MODULE)
            place = under(inner, module.replace("::", "/")) if inner else module
            return [self._module(place)]
        first, *rest = parts = spec.split("::")
        if first == "crate":
            if not crate:
                return ()
            return self._walk(crate.folder, rest, names, crate)
        if first in ("self", "super"):
            return self._climb(Crate(inner, (path,)), parts, names, crate)
        if first and self._module(under(inner, first)):
            return self._walk(inner, parts, names, crate)
        return self._other_crate(parent(path), parts if first else rest, names)

    def _other_crate(
        self, folder: str, parts: Sequence[str], names: Sequence[str]
    ) -> Sequence[str]:
        """Resolve a path that begins with the name of a crate of the workspace."""
        targets = self._projects.called("rust", parts[0], folder) if parts else ()
        if not targets:
            return ()
        root = targets[0]
        crate = Crate(parent(root), (root,))
        return self._walk(crate.folder, parts[1:], names, crate)

    def _climb(
        self,
        own: Crate,
        parts: Sequence[str],
        names: Sequence[str],
        crate: Crate | None,
    ) -> Sequence[str]:
        place = own.folder
        rest = list(parts)
        while rest and rest[0] in ("self", "super"):
            if rest.pop(0) == "self":
                continue
            is_root = not place or (crate and place == crate.folder)
            if is_root:
                return ()
            place = parent(place)
        start = own if place == own.folder else crate
        return self._walk(place, rest, names, start)

    def _walk(
        self,
        place: str,
        parts: Sequence[str],
        names: Sequence[str],
        crate: Crate | None,
    ) -> Sequence[str]:
        for part in parts:
            if not self._module(under(place, part)):
                # The remaining part is an item or an inline module of the last file.
                return self._files(place, crate)
            place = under(place, part)
        modules = [self._module(under(place, name)) for name in names if name != "self"]
        found = [module for module in modules if module]
        if not names or len(found) < len(names):
            found += self._files(place, crate)
        return found

    def _files(self, place: str, crate: Crate | None) -> Sequence[str]:
        if crate and place == crate.folder:
            return crate.files
        return (self._module(place),)

    def _module(self, place: str) -> str:
        """Return the file of the module whose children are in the folder `place`."""
        for path in (f"{place}.rs", f"{place}/mod.rs"):
            if path in self._known:
                return path
        return ""

    def _inner(self, path: str) -> str:
        """Return the folder of the modules that a file declares."""
        if path.rpartition("/")[2] == "mod.rs" or self._is_root(path):
            return parent(path)
        return path.removesuffix(".rs")

    def _is_root(self, path: str) -> bool:
        folder, _, name = path.rpartition("/")
        if name in _ROOTS or path in self._declared.get(folder, ()):
            return True
        above, _, last = folder.rpartition("/")
        if last == "bin":
            return above.rpartition("/")[2] == "src"
        if last in _LONE_FOLDERS:
            return self._is_package(above)
        return name == "build.rs" and self._is_package(folder)

    def _is_package(self, folder: str) -> bool:
        if folder in self._cargo:
            return True
        return under(folder, "Cargo.toml") in self._known

    def _crate(self, path: str) -> Crate | None:
        if self._is_root(path):
            return Crate(parent(path), (path,))
        folder = parent(path)
        if folder not in self._crates:
            crates = map(self._crate_in, ancestors(folder))
            self._crates[folder] = next(filter(None, crates), None)
        return self._crates[folder]

    def _crate_in(self, folder: str) -> Crate | None:
        """Return the crate whose root files are in exactly this folder."""
        paths = [under(folder, name) for name in _ROOTS]
        paths += self._declared.get(folder, ())
        files = tuple(path for path in dict.fromkeys(paths) if path in self._known)
        return Crate(folder, files) if files else None
