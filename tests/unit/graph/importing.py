"""Small source trees as plain data, and what an import in one of them takes."""

from __future__ import annotations

from collections.abc import Sequence

from cuedeck.graph.imports import Resolver
from cuedeck.model.file import File, Import, Root, Symbol
from cuedeck.parse.languages import import_strategy


def source(path: str, *imports: Import, defines: Sequence[str] = ()) -> File:
    """Return a source file that is nothing but its imports and definitions."""
    symbols = tuple(Symbol(name, "function", 1, 1, name, 1, "", "") for name in defines)
    return File(
        path, "source", 0, 1, "", (), (), 1, (), (), (), symbols, imports, (), None, ()
    )


class Tree:
    """Paths, one a line, and the roots that project files give as (path, prefix,
    target).
    """

    def __init__(self, paths: str, *roots: tuple[str, str, str]) -> None:
        self.paths = paths.split()
        self.roots = [(path, Root(prefix, target)) for path, prefix, target in roots]
        self.resolver = Resolver(self.paths, self.roots, import_strategy)

    def takes(self, path: str, spec: str, *names: str) -> list[str]:
        """Return what one import in `path` takes: `file`, or `file: name, name`."""
        found = self.resolver.resolve(source(path, Import(spec, names, 1, False)))
        return [
            f"{each.path}: {', '.join(each.names)}" if each.names else each.path
            for each in found
        ]
