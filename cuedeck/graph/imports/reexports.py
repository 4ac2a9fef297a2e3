"""Search for the definition of an imported name through re-exports."""

from __future__ import annotations

from collections.abc import Callable

from cuedeck.graph.imports.base import Imported
from cuedeck.graph.imports.import_resolver import Resolver
from cuedeck.model.file import File

_HOPS = 8
"""Maximum re-exports that are followed."""
_FOLDER_MODULES = ("__init__", "index", "mod")

Files = Callable[[str], File | None]


def definers(
    imported: Imported, files: Files, resolver: Resolver
) -> tuple[tuple[str, str], ...]:
    """Return (path, name) for each imported name: the file that defines it, else the
    file it is imported from.

    The name is empty for a whole file and `*` for all of its names.

    Order: that of the names.
    """
    names = imported.names or ("",)
    found = [_definer(imported.path, name, files, resolver) for name in names]
    return tuple(dict.fromkeys(found))


def _definer(
    start: str, name: str, files: Files, resolver: Resolver
) -> tuple[str, str]:
    if name in ("", "*"):
        return start, name
    seen = {start}
    frontier = [start]
    for _ in range(_HOPS + 1):
        onward: list[str] = []
        for path in frontier:
            file = files(path)
            if file is None:
                continue
            if _defines(file, name):
                return path, name
            for step in _steps(file, name, resolver):
                if not step.names:
                    return step.path, ""
                if step.path not in seen:
                    seen.add(step.path)
                    onward.append(step.path)
        frontier = onward
    return start, name


def _defines(file: File, name: str) -> bool:
    inner = f"{name}."
    return any(
        symbol.name == name or symbol.name.startswith(inner) for symbol in file.symbols
    )


def _steps(file: File, name: str, resolver: Resolver) -> list[Imported]:
    """Return the imports through which a name may enter a file, most likely first.

    An import of the same name counts even without an explicit re-export, because
    modules of many languages share their imports.
    """
    imports = resolver.resolve(file)
    named = [each for each in imports if _brings(each, name)]
    if named:
        return sorted(named, key=lambda each: not each.exported)
    if name == "default":
        # `export *` re-exports every name except the default.
        return []
    return [each for each in imports if each.exported and "*" in each.names]


def _brings(imported: Imported, name: str) -> bool:
    if imported.names:
        return name in imported.names
    return _module(imported.path) == name


def _module(path: str) -> str:
    """Return the module name of a file: `book` for `book.rs` and `book/mod.rs`."""
    folder, _, base = path.rpartition("/")
    name = base.partition(".")[0]
    if name in _FOLDER_MODULES:
        return folder.rpartition("/")[2]
    return name
