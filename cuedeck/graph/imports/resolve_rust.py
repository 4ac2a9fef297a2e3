"""Rust import resolution: the module tree of a crate (`x.rs` or `x/mod.rs`) and the crates of a workspace."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from cuedeck.graph.imports.base import Found
from cuedeck.graph.imports.path_tree import Tree, ancestors, parent, under
from cuedeck.graph.imports.project_files import Projects

_ROOTS = ("lib.rs", "main.rs")
_MODULE = "mod:"
_LONE_FOLDERS = ("tests", "examples", "benches")
"""Folders next to a `Cargo.toml` in which every file is a separate crate."""


class Crate(NamedTuple):
    """The root folder of a module tree, and its root files."""

    folder: str
    files: tuple[str, ...]
    """More than one if a library and a program share a folder; a module in it may belong to either."""


class Rust:
    """Resolves modules by path, not items or inline modules inside a file."""

    def __init__(self, tree: Tree, projects: Projects, suffixes: tuple[str, ...]) -> None:
        self._known = tree.known
        self._projects = projects
        self._declared: dict[str, list[str]] = {}
        for root in projects.every("rust"):
            self._declared.setdefault(parent(root.target), []).append(root.target)
        self._cargo = projects.folders("rust")
        self._crates: dict[str, Crate | None] = {}
        self._places: dict[str, tuple[str, Crate | None]] = {}

    def find(self, path: str, spec: str, names: tuple[str, ...]) -> Sequence[Found]:
        if path not in self._places:
            self._places[path] = self._inner(path), self._crate(path)
        inner, crate = self._places[path]
        if spec.startswith(_MODULE):
            # `mod a::b` is not Rust syntax; the parser emits it for a module declared inside an inline module.
            place = "/".join((inner, *spec.removeprefix(_MODULE).split("::"))) if inner else spec.removeprefix(_MODULE)
            return [(self._module(place), ())]
        parts = spec.split("::")
        if parts[0] == "crate":
            return self._walk(crate.folder, parts[1:], names, crate) if crate else ()
        if parts[0] in ("self", "super"):
            return self._climb(Crate(inner, (path,)), parts, names, crate)
        if parts[0] and self._module(under(inner, parts[0])):
            return self._walk(inner, parts, names, crate)
        parts = parts if parts[0] else parts[1:]
        targets = self._projects.called("rust", parts[0], parent(path)) if parts else ()
        if not targets:
            return ()
        other = Crate(parent(targets[0]), (targets[0],))
        return self._walk(other.folder, parts[1:], names, other)

    def _climb(self, own: Crate, parts: Sequence[str], names: Sequence[str], crate: Crate | None) -> Sequence[Found]:
        place = own.folder
        at = 0
        while at < len(parts) and parts[at] in ("self", "super"):
            if parts[at] == "super":
                if not place or (crate and place == crate.folder):
                    return ()
                place = parent(place)
            at += 1
        return self._walk(place, parts[at:], names, own if place == own.folder else crate)

    def _walk(self, place: str, parts: Sequence[str], names: Sequence[str], crate: Crate | None) -> Sequence[Found]:
        """Descend from the module whose children are in the folder `place`, as long as files exist."""
        for part in parts:
            if not self._module(under(place, part)):
                # The remaining part is an item or an inline module of the last file.
                return [(path, (part,)) for path in self._files(place, crate)]
            place = under(place, part)
        inner = [(name, self._module(under(place, name))) for name in names if name != "self"]
        found: list[Found] = [(path, ()) for _, path in inner if path]
        rest = tuple(name for name, path in inner if not path)
        if "self" in names or not names:
            found += [(path, ()) for path in self._files(place, crate)]
        return [*found, *((path, rest) for path in self._files(place, crate))] if rest else found

    def _files(self, place: str, crate: Crate | None) -> Sequence[str]:
        return crate.files if crate and place == crate.folder else (self._module(place),)

    def _module(self, place: str) -> str:
        """Return the file of the module whose children are in the folder `place`."""
        if f"{place}.rs" in self._known:
            return f"{place}.rs"
        return f"{place}/mod.rs" if f"{place}/mod.rs" in self._known else ""

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
        return folder in self._cargo or under(folder, "Cargo.toml") in self._known

    def _crate(self, path: str) -> Crate | None:
        if self._is_root(path):
            return Crate(parent(path), (path,))
        folder = parent(path)
        if folder not in self._crates:
            self._crates[folder] = next((crate for each in ancestors(folder) if (crate := self._rooted(each))), None)
        return self._crates[folder]

    def _rooted(self, folder: str) -> Crate | None:
        paths = (*(under(folder, name) for name in _ROOTS), *self._declared.get(folder, ()))
        files = tuple(path for path in dict.fromkeys(paths) if path in self._known)
        return Crate(folder, files) if files else None
