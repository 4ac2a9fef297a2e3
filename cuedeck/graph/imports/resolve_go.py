"""Go import resolution: a package is a folder, found by the module path of a
`go.mod`.
"""

from __future__ import annotations

from collections.abc import Sequence

from cuedeck.graph.imports.path_tree import Names, Tree, join, parent
from cuedeck.graph.imports.project_files import Family

_TEST = "_test.go"


class Go(Family):
    """Resolves an import to all non-test files of the package."""

    def find(self, path: str, spec: str, names: Names) -> Sequence[str]:
        for target, rest in self._projects.prefixes("go", spec, "/", parent(path)):
            folder = join(target, rest) if rest else target
            if folder is None:
                continue
            files = self._tree.folders.get(folder, ())
            found = [path for path in files if _is_source(path)]
            if found:
                return found
        return ()


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
