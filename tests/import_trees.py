"""Small source trees as plain data, and resolution of one import in them."""

from __future__ import annotations

from collections.abc import Sequence

from cuedeck.graph.imports import Resolver
from cuedeck.model.file import File, Import, Root, Symbol
from cuedeck.parse.languages import import_strategy


def source(path: str, *imports: Import, defines: Sequence[str] = ()) -> File:
    """Return a source file that consists of imports and definitions."""
    symbols = tuple(Symbol(name, "function", 1, 1, name, 1, "") for name in defines)
    return File(
        path, "source", 0, 1, "", (), (), 1, (), (), (), symbols, imports, (), None, ()
    )


class SourceTree:
    """The paths of a source tree, one on a line, and its project roots as (path,
    prefix, target).
    """

    def __init__(self, paths: str, *roots: tuple[str, str, str]) -> None:
        self.paths = paths.split()
        self.roots = [(path, Root(prefix, target)) for path, prefix, target in roots]
        self.resolver = Resolver(self.paths, self.roots, import_strategy)

    def resolve_import(self, path: str, spec: str, *names: str) -> list[str]:
        """Return the files that one import in `path` leads to."""
        found = self.resolver.resolve(source(path, Import(spec, names, 1)))
        return [each.path for each in found]
