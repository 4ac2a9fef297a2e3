"""Import roots from project files, nearest file first."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from cuedeck.graph.imports.path_tree import Names, Tree, ancestors, join
from cuedeck.model.file import Root

# The first matching row applies.
_FAMILIES: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"go\.(?:mod|work)"), "go"),
    (re.compile(r"Cargo\.toml"), "rust"),
    (re.compile(r"composer\.json"), "php"),
    (re.compile(r"package\.json"), "package"),
    (re.compile(r".*\.jsonc?"), "script"),
    (re.compile(r".*\.(?:toml|cfg|ini|py)"), "python"),
)

PlacedRoot = tuple[str, Root]
"""An import root with its project file, or with the folder of that file."""
_Key = tuple[str, str]


class Projects:
    """Import roots of all project files by family: `go`, `rust`, `php`, `package`,
    `script` (tsconfig), `python`.
    """

    def __init__(self, roots: Sequence[PlacedRoot]) -> None:
        self._by_family: dict[str, list[PlacedRoot]] = {}
        self._by_folder: dict[_Key, list[Root]] = {}
        self._by_prefix: dict[_Key, list[PlacedRoot]] = {}
        self._above: dict[_Key, Sequence[Sequence[Root]]] = {}
        # The sort is stable, which keeps the order of the roots within one project
        # file.
        for path, written in sorted(roots, key=lambda row: row[0]):
            folder, _, name = path.rpartition("/")
            family = _family(name)
            target = join("", written.target)
            if not family or target is None:
                continue
            root = Root(_prefix(family, written.prefix), target)
            self._by_family.setdefault(family, []).append((folder, root))
            self._by_folder.setdefault((family, folder), []).append(root)
            self._by_prefix.setdefault((family, root.prefix), []).append((folder, root))

    def every(self, family: str) -> Sequence[Root]:
        """Return the roots of all project files of a family, by path of the project
        file.
        """
        return [root for _, root in self._by_family.get(family, ())]

    def folders(self, family: str) -> frozenset[str]:
        """Return the folders that contain a project file of a family (for membership
        only).
        """
        return frozenset(folder for folder, _ in self._by_family.get(family, ()))

    def above(self, family: str, folder: str) -> Sequence[Sequence[Root]]:
        """Return the roots that apply in a folder.

        Shape: one list for the folder and each folder above it that has roots, nearest
        first.
        """
        if family not in self._by_family:
            return ()
        key = (family, folder)
        if key not in self._above:
            groups = [
                self._by_folder.get((family, each), ()) for each in ancestors(folder)
            ]
            self._above[key] = [group for group in groups if group]
        return self._above[key]

    def around(self, family: str, folder: str) -> Iterator[PlacedRoot]:
        """Yield the roots that `above` returns, each with the folder of its project
        file.
        """
        if family not in self._by_family:
            return
        for each in ancestors(folder):
            for root in self._by_folder.get((family, each), ()):
                yield each, root

    def called(self, family: str, prefix: str, folder: str) -> Sequence[str]:
        """Return the targets of the roots with exactly this prefix: those above
        `folder` first, nearest first.
        """
        roots = self._by_prefix.get((family, prefix), ())
        if len(roots) > 1:
            ranks = {each: rank for rank, each in enumerate(ancestors(folder))}
            roots = sorted(roots, key=lambda row: ranks.get(row[0], len(ranks)))
        return [root.target for _, root in roots]

    def prefixes(
        self, family: str, spec: str, separator: str, folder: str
    ) -> Iterator[tuple[str, str]]:
        """Yield (target, rest of `spec`) for each root whose prefix matches whole
        components, longest first.
        """
        if family not in self._by_family:
            return
        end = len(spec)
        while end > 0:
            rest = spec[end:].removeprefix(separator)
            for target in self.called(family, spec[:end], folder):
                yield target, rest
            end = spec.rfind(separator, 0, end)


class Family:
    """Import rules of one family of languages."""

    def __init__(
        self, tree: Tree, projects: Projects, suffixes: tuple[str, ...]
    ) -> None:
        self._tree = tree
        self._projects = projects

    def find(self, path: str, spec: str, names: Names) -> Sequence[str]:
        """Return the files that `path` imports; empty if the import is outside the
        workspace.
        """
        raise NotImplementedError


def _family(name: str) -> str:
    for pattern, family in _FAMILIES:
        if pattern.fullmatch(name):
            return family
    return ""


def _prefix(family: str, prefix: str) -> str:
    """Return a prefix as written in imports: crates without hyphens, namespaces without
    trailing backslash.
    """
    if family == "rust":
        return prefix.replace("-", "_")
    if family == "php":
        return prefix.rstrip("\\")
    return prefix
