"""Resolution of the imports of a file by the rules of its language.

The rules of a language are one function, which yields the possible files of an import
in groups, most likely first. The first group that has a file of the workspace counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from cuedeck.graph.imports import resolve_by_path
from cuedeck.graph.imports.path_tree import (
    Imported,
    Names,
    PlacedRoot,
    Tree,
    parent,
    under,
)
from cuedeck.graph.imports.resolve_javascript import javascript
from cuedeck.graph.imports.resolve_python import python
from cuedeck.graph.imports.resolve_rust import rust
from cuedeck.model.file import File, Import

_LONGEST = 1_000
"""Maximum characters of an import spec; paths are never longer."""

_ANYWHERE = "?"
"""Name of a file that cannot exist, used as the importing file of a lookup without one.
"""


class Strategy(NamedTuple):
    """The rules by which imports of some languages are resolved."""

    candidates: Callable[[Tree, str, str, Names], Iterator[Sequence[str]]]
    """Receives the importing file, the import as written, and the imported names."""
    projects: tuple[str, ...] = ()
    """Kinds of project files that name crates, packages or modules of the workspace."""


STRATEGIES: Mapping[str, Strategy] = {
    "c": Strategy(resolve_by_path.header),
    "csharp": Strategy(resolve_by_path.csharp),
    "go": Strategy(resolve_by_path.go, ("go",)),
    "java": Strategy(resolve_by_path.java),
    "javascript": Strategy(javascript, ("package", "script")),
    "php": Strategy(resolve_by_path.php, ("php",)),
    "python": Strategy(python, ("python",)),
    "ruby": Strategy(resolve_by_path.ruby),
    "rust": Strategy(rust, ("rust",)),
    "shell": Strategy(resolve_by_path.shell),
}
"""By the name that a language gives as its import strategy."""


class Resolver:
    """Resolves imports to files."""

    def __init__(
        self,
        paths: Sequence[str],
        roots: Sequence[PlacedRoot],
        strategy_of: Callable[[str], str],
    ) -> None:
        """Take every known path, in any order, the roots with the paths of their
        project files, and a function.

        The function returns the name of the import strategy of a path; empty if its
        imports are not resolved.
        """
        self._strategy_of = strategy_of
        self._tree = Tree(paths, roots)
        self._resolved: dict[str, tuple[tuple[Import, ...], tuple[Imported, ...]]] = {}
        self._names: dict[str, tuple[str, ...]] = {}

    def resolve(self, file: File) -> tuple[Imported, ...]:
        """Return the files of the workspace that a file imports, excluding itself.

        Order: by line, then path.
        """
        imports, known = self._resolved.get(file.path, ((), ()))
        if imports == file.imports:
            return known
        rows: set[tuple[int, str]] = set()
        for spec, names, line in file.imports:
            found = self._find(file.path, spec, names)
            rows.update((line, path) for path in found if path != file.path)
        resolved = tuple(Imported(path, line) for line, path in sorted(rows))
        self._resolved[file.path] = (file.imports, resolved)
        return resolved

    def neighbours(self, path: str) -> tuple[str, ...]:
        """Return the other files of the same Go package."""
        return resolve_by_path.go_neighbours(self._tree, path)

    def names(self, path: str) -> tuple[str, ...]:
        """Return the import specs that project files assign to a file as the entry of a
        crate, package or module.

        Order: nearest project file first.
        """
        if path not in self._names:
            self._names[path] = tuple(dict.fromkeys(self._given(path)))
        return self._names[path]

    def _given(self, path: str) -> Iterator[str]:
        strategy = STRATEGIES.get(self._strategy_of(path))
        for project in strategy.projects if strategy else ():
            for folder, root in self._tree.roots(project, parent(path)):
                if not root.prefix or "*" in root.prefix:
                    continue
                if path in self._find(path, root.prefix, (), under(folder, _ANYWHERE)):
                    yield root.prefix

    def _find(
        self, path: str, spec: str, names: Names, seen_from: str = ""
    ) -> Sequence[str]:
        """Return the files of the workspace that an import in a file means."""
        strategy = STRATEGIES.get(self._strategy_of(path))
        if strategy is None or len(spec) > _LONGEST:
            return ()
        groups = strategy.candidates(self._tree, seen_from or path, spec, names)
        for group in groups:
            found = [each for each in group if each in self._tree.known]
            if found:
                return found
        return ()
