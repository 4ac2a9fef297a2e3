"""Rust import resolution: the module tree of a crate (`x.rs` or `x/mod.rs`) and the
crates of a workspace.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cuedeck.graph.imports.path_tree import (
    Names,
    Tree,
    ancestors,
    members,
    parent,
    under,
)

_ROOTS = ("lib.rs", "main.rs")
_MODULE = "mod:"
_LONE_FOLDERS = ("tests", "examples", "benches")
"""Folders next to a `Cargo.toml` in which every file is a separate crate."""

Crate = tuple[str, Sequence[str]]
"""The root folder of a module tree, and its root files: more than one if a library and
a program share a folder.
"""


def rust(tree: Tree, path: str, spec: str, names: Names) -> Iterator[Sequence[str]]:
    """Yield the files of a module by its path, not by items or inline modules inside a
    file.
    """
    declared = [root.target for root in tree.every_root("rust")]
    is_root = _is_root(tree, path, declared)
    inner = path.removesuffix(".rs")
    if is_root or path.endswith("/mod.rs"):
        inner = parent(path)
    if spec.startswith(_MODULE):
        # `mod a::b` is not Rust syntax; the parser emits it for a module declared
        # inside an inline module.
        module = spec.removeprefix(_MODULE).replace("::", "/")
        yield _module_files(tree, under(inner, module))
        return
    crate = _crate(tree, parent(path), declared)
    if is_root:
        crate = (parent(path), (path,))
    start = _start(tree, path, spec, inner, crate)
    if start is not None:
        place, parts, crate = start
        yield _walk(tree, place, parts, names, crate)


def _start(
    tree: Tree, path: str, spec: str, inner: str, crate: Crate | None
) -> tuple[str, Sequence[str], Crate | None] | None:
    """Return the folder in which a path begins, its rest, and the crate of the folder;
    None if it begins outside the workspace.
    """
    first, *rest = parts = spec.split("::")
    if first == "crate" and crate:
        return crate[0], rest, crate
    if first in ("self", "super"):
        return _climb(inner, parts, crate)
    if first and _module_files(tree, under(inner, first)):
        return inner, parts, crate
    name, *rest = (parts if first else rest) or [""]
    target, _ = next(tree.prefixes("rust", name, "::", parent(path)), ("", ""))
    if not target:
        return None
    return parent(target), rest, (parent(target), (target,))


def _climb(
    place: str, parts: Sequence[str], crate: Crate | None
) -> tuple[str, Sequence[str], Crate | None] | None:
    for at, part in enumerate(parts):
        if part == "super":
            if not place or (crate and place == crate[0]):
                return None
            place = parent(place)
        elif part != "self":
            return place, parts[at:], crate
    return place, (), crate


def _walk(
    tree: Tree, place: str, parts: Sequence[str], names: Names, crate: Crate | None
) -> Sequence[str]:
    """Return the files of names in the module that a path leads to."""

    def files_of(module: str) -> Sequence[str]:
        if crate and module == crate[0]:
            return crate[1]
        return _module_files(tree, module)

    for part in parts:
        if not _module_files(tree, under(place, part)):
            # The remaining part is an item or an inline module of the last file.
            return files_of(place)
        place = under(place, part)
    return members(place, names, files_of)


def _module_files(tree: Tree, place: str) -> Sequence[str]:
    """Return the file of the module whose children are in the folder `place`."""
    paths = (f"{place}.rs", f"{place}/mod.rs")
    return [path for path in paths if path in tree.known][:1]


def _is_root(tree: Tree, path: str, declared: Sequence[str]) -> bool:
    folder, _, name = path.rpartition("/")
    above, _, last = folder.rpartition("/")
    if name in _ROOTS or path in declared:
        return True
    if last == "bin":
        return above.rpartition("/")[2] == "src"
    if last not in _LONE_FOLDERS and name != "build.rs":
        return False
    package = folder if name == "build.rs" else above
    return under(package, "Cargo.toml") in tree.known


def _crate(tree: Tree, folder: str, declared: Sequence[str]) -> Crate | None:
    for above in ancestors(folder):
        paths = [under(above, name) for name in _ROOTS]
        paths += [path for path in declared if parent(path) == above]
        files = [path for path in dict.fromkeys(paths) if path in tree.known]
        if files:
            return above, files
    return None
