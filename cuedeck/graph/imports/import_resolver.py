"""Resolution of the imports of a file by the rules of its language."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from cuedeck.graph.imports.path_tree import Imported, Tree, parent, under
from cuedeck.graph.imports.project_files import Family, Projects
from cuedeck.graph.imports.resolve_includes import CHeaders, Go, Ruby, Shell, neighbours
from cuedeck.graph.imports.resolve_javascript import JavaScript
from cuedeck.graph.imports.resolve_namespaces import CSharp, Java, Php
from cuedeck.graph.imports.resolve_python import Python
from cuedeck.graph.imports.resolve_rust import Rust
from cuedeck.model.file import File, Import, ImportStrategy, Root

_LONGEST = 1_000
"""Maximum characters of an import spec; paths are never longer."""

_ANYWHERE = "?"
"""Name of a file that cannot exist, used as the importing file of a lookup without one.
"""


class Strategy(NamedTuple):
    """The rules by which imports of some languages are resolved."""

    make: Callable[[Tree, Projects, tuple[str, ...]], Family]
    """The last argument is the suffixes of `ImportStrategy`."""
    projects: tuple[str, ...] = ()
    """Kinds of project files that name crates, packages or modules of the workspace."""


STRATEGIES: Mapping[str, Strategy] = {
    "c": Strategy(CHeaders),
    "csharp": Strategy(CSharp),
    "go": Strategy(Go, ("go",)),
    "java": Strategy(Java),
    "javascript": Strategy(JavaScript, ("package", "script")),
    "php": Strategy(Php, ("php",)),
    "python": Strategy(Python, ("python",)),
    "ruby": Strategy(Ruby),
    "rust": Strategy(Rust, ("rust",)),
    "shell": Strategy(Shell),
}
"""By the name that a language gives in its `ImportStrategy`."""


class Resolver:
    """Resolves imports to files."""

    def __init__(
        self,
        paths: Sequence[str],
        roots: Sequence[tuple[str, Root]],
        strategy_of: Callable[[str], ImportStrategy | None],
    ) -> None:
        """Take every known path, in any order, the roots with the paths of their
        project files, and a function.

        The function returns the import strategy of a path, or None if its imports are
        not resolved.
        """
        self._strategy_of = strategy_of
        self._tree = Tree(paths)
        self._projects = Projects(roots)
        self._families: dict[ImportStrategy, Family] = {}
        self._resolved: dict[str, tuple[tuple[Import, ...], tuple[Imported, ...]]] = {}
        self._names: dict[str, tuple[str, ...]] = {}

    def resolve(self, file: File) -> tuple[Imported, ...]:
        """Return the files of the workspace that a file imports, excluding itself.

        Order: by line, then path.
        """
        imports, known = self._resolved.get(file.path, ((), ()))
        if imports == file.imports:
            return known
        found = self._resolve(file)
        self._resolved[file.path] = (file.imports, found)
        return found

    def neighbours(self, path: str) -> tuple[str, ...]:
        """Return the other files of the same Go package."""
        return neighbours(path, self._tree)

    def names(self, path: str) -> tuple[str, ...]:
        """Return the import specs that project files assign to a file as the entry of a
        crate, package or module.

        Order: nearest project file first.
        """
        if path not in self._names:
            self._names[path] = tuple(dict.fromkeys(self._given(path)))
        return self._names[path]

    def _given(self, path: str) -> Iterator[str]:
        strategy = self._strategy_of(path)
        if strategy is None:
            return
        family = self._family(strategy)
        for project in STRATEGIES[strategy.name].projects:
            for folder, root in self._projects.around(project, parent(path)):
                if not root.prefix or "*" in root.prefix:
                    continue
                entries = family.find(under(folder, _ANYWHERE), root.prefix, ())
                if path in entries:
                    yield root.prefix

    def _resolve(self, file: File) -> tuple[Imported, ...]:
        strategy = None
        if file.imports:
            strategy = self._strategy_of(file.path)
        if strategy is None:
            return ()
        family = self._family(strategy)
        found: set[tuple[int, str]] = set()
        for spec, names, line in file.imports:
            if len(spec) > _LONGEST:
                continue
            for path in family.find(file.path, spec, names):
                if path in self._tree.known and path != file.path:
                    found.add((line, path))
        return tuple(Imported(path, line) for line, path in sorted(found))

    def _family(self, strategy: ImportStrategy) -> Family:
        if strategy not in self._families:
            make = STRATEGIES[strategy.name].make
            self._families[strategy] = make(
                self._tree, self._projects, strategy.suffixes
            )
        return self._families[strategy]
