"""Import roots from project files, nearest file first."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from cuedeck.graph.imports.path_tree import ancestors, join
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


class Projects:
    """Import roots of all project files by family: `go`, `rust`, `php`, `package`, `script` (tsconfig), `python`."""

    def __init__(self, roots: Sequence[tuple[str, Root]]) -> None:
        self._by_family: dict[str, list[tuple[str, Root]]] = {}
        self._by_folder: dict[tuple[str, str], list[Root]] = {}
        self._by_prefix: dict[tuple[str, str], list[tuple[str, Root]]] = {}
        self._above: dict[tuple[str, str], Sequence[Sequence[Root]]] = {}
        # The sort is stable, which keeps the order of the roots within one project file.
        for path, root in sorted(roots, key=lambda row: row[0]):
            folder, _, name = path.rpartition("/")
            family = next((family for pattern, family in _FAMILIES if pattern.fullmatch(name)), "")
            target = join("", root.target)
            if family and target is not None:
                root = Root(_prefix(family, root.prefix), target)
                self._by_family.setdefault(family, []).append((folder, root))
                self._by_folder.setdefault((family, folder), []).append(root)
                self._by_prefix.setdefault((family, root.prefix), []).append((folder, root))

    def every(self, family: str) -> Sequence[Root]:
        """Return the roots of all project files of a family, by path of the project file."""
        return [root for _, root in self._by_family.get(family, ())]

    def folders(self, family: str) -> frozenset[str]:
        """Return the folders that contain a project file of a family (for membership only)."""
        return frozenset(folder for folder, _ in self._by_family.get(family, ()))

    def above(self, family: str, folder: str) -> Sequence[Sequence[Root]]:
        """Return the roots that apply in a folder.

        Shape: one list for the folder and each folder above it that has roots, nearest first.
        """
        if family not in self._by_family:
            return ()
        key = (family, folder)
        if key not in self._above:
            rows = (self._by_folder.get((family, each), ()) for each in ancestors(folder))
            self._above[key] = [row for row in rows if row]
        return self._above[key]

    def around(self, family: str, folder: str) -> Iterator[tuple[str, Root]]:
        """Yield the roots that `above` returns, each with the folder of its project file."""
        for each in ancestors(folder) if family in self._by_family else ():
            yield from ((each, root) for root in self._by_folder.get((family, each), ()))

    def called(self, family: str, prefix: str, folder: str) -> Sequence[str]:
        """Return the targets of the roots with exactly this prefix: those above `folder` first, nearest first."""
        rows = self._by_prefix.get((family, prefix), ())
        if len(rows) < 2:
            return [root.target for _, root in rows]
        above = {each: at for at, each in enumerate(ancestors(folder))}
        rows = sorted(rows, key=lambda row: above.get(row[0], len(above)))
        return [root.target for _, root in rows]

    def prefixes(self, family: str, spec: str, separator: str, folder: str) -> Iterator[tuple[str, str]]:
        """Yield (target, rest of `spec`) for each root whose prefix matches whole components, longest first."""
        end = len(spec) if family in self._by_family else 0
        while end > 0:
            for target in self.called(family, spec[:end], folder):
                yield target, spec[end:].removeprefix(separator)
            end = spec.rfind(separator, 0, end)


def _prefix(family: str, prefix: str) -> str:
    """Return a prefix as written in imports: crates without hyphens, namespaces without trailing backslash."""
    if family == "rust":
        return prefix.replace("-", "_")
    return prefix.rstrip("\\") if family == "php" else prefix
