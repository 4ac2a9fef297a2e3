"""Go import resolution: a package is a folder, found by the module path of a
`go.mod`.
"""

from __future__ import annotations

from collections.abc import Sequence

from cuedeck.graph.imports.path_tree import Names, Tree, join, parent
from cuedeck.graph.imports.project_files import Projects

_TEST = "_test.go"


class Go:
    """Resolves an import to all non-test files of the package."""

    def __init__(
        self, tree: Tree, projects: Projects, suffixes: tuple[str, ...]
    ) -> None:
        self._tree = tree
        self._projects = projects
        self._packages: dict[str, Sequence[str]] = {}

    def find(self, path: str, spec: str, names: Names) -> Sequence[str]:
        for target, rest in self._projects.prefixes("go", spec, "/", parent(path)):
            folder = join(target, rest) if rest else target
            if folder is None:
                continue
            found = self._package(folder)
            if found:
                return found
        return ()

    def _package(self, folder: str) -> Sequence[str]:
        if folder not in self._packages:
            files = self._tree.folders.get(folder, ())
            self._packages[folder] = [path for path in files if _is_source(path)]
        return self._packages[folder]


def neighbours(path: str, tree: Tree) -> tuple[str, ...]:
    """Return the other Go files of the same package, which see each other without an
    import.

    Only tests see tests. Order: by path. Empty for a file that is not Go.
    """
    if not path.endswith(".go"):
        return ()
    files = tree.folders.get(parent(path), ())
    if path.endswith(_TEST):
        return tuple(each for each in files if each.endswith(".go") and each != path)
    return tuple(each for each in files if _is_source(each) and each != path)


def _is_source(path: str) -> bool:
    return path.endswith(".go") and not path.endswith(_TEST)
