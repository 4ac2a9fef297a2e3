"""Where the imports of a file lead, by the rules of the language it is written in."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from cuedeck.graph.imports.base import Family, Imported
from cuedeck.graph.imports.path_tree import Tree, parent, under
from cuedeck.graph.imports.project_files import Projects
from cuedeck.graph.imports.resolve_go import Go, neighbours
from cuedeck.graph.imports.resolve_includes import CHeaders, Ruby, Shell
from cuedeck.graph.imports.resolve_javascript import JavaScript
from cuedeck.graph.imports.resolve_namespaces import CSharp, Java, Php
from cuedeck.graph.imports.resolve_python import Python
from cuedeck.graph.imports.resolve_rust import Rust
from cuedeck.model.file import File, Import, Root
from cuedeck.model.languages import language_of_path

_LONGEST = 1_000
"""Characters of the longest spec that is looked at; no path is longer."""

_Kind = Callable[[Tree, Projects], Family]
_ANYWHERE = "?"
"""Name of a file that no workspace has, for imports that nobody wrote."""

_RESOLVERS: Mapping[str, _Kind] = {
    "python": Python,
    "javascript": JavaScript,
    "typescript": JavaScript,
    "tsx": JavaScript,
    "go": Go,
    "rust": Rust,
    "java": Java,
    "c": CHeaders,
    "cpp": CHeaders,
    "csharp": CSharp,
    "ruby": Ruby,
    "php": Php,
    "bash": Shell,
}
_NAMED_BY: Mapping[_Kind, tuple[str, ...]] = {
    Python: ("python",),
    JavaScript: ("package", "script"),
    Go: ("go",),
    Rust: ("rust",),
    Php: ("php",),
}
"""The project files that give names to the files of a family."""


class Resolver:
    """Finds the files that imports name; what it learns of a workspace it keeps."""

    def __init__(self, paths: Sequence[str], roots: Sequence[tuple[str, Root]]) -> None:
        """Take every known path, in any order, and the roots with the paths of their project files."""
        self._tree = Tree(paths)
        self._projects = Projects(roots)
        self._families: dict[_Kind, Family] = {}
        self._resolved: dict[str, tuple[tuple[Import, ...], tuple[Imported, ...]]] = {}
        self._names: dict[str, tuple[str, ...]] = {}

    def resolve(self, file: File) -> tuple[Imported, ...]:
        """Return the files of the workspace that a file imports, never itself.

        Order: by line, then path.
        """
        imports, known = self._resolved.get(file.path, ((), ()))
        if imports == file.imports:
            return known
        found = self._resolve(file)
        self._resolved[file.path] = (file.imports, found)
        return found

    def neighbours(self, path: str) -> tuple[str, ...]:
        """Return the files that a Go file sees without importing them: those of its package, by path."""
        return neighbours(path, self._tree)

    def names(self, path: str) -> tuple[str, ...]:
        """Return the whole specs that project files give a file: it is the entry of that crate, package or module.

        Order: of the nearest project file first.
        """
        if path not in self._names:
            self._names[path] = tuple(dict.fromkeys(self._given(path)))
        return self._names[path]

    def _given(self, path: str) -> Iterator[str]:
        kind, family = _kind(path), self._family(path)
        if kind is None or family is None:
            return
        for project in _NAMED_BY.get(kind, ()):
            for folder, root in self._projects.around(project, parent(path)):
                if root.prefix and "*" not in root.prefix:
                    found = family.find(under(folder, _ANYWHERE), root.prefix, ())
                    if any(entry == path for entry, _ in found):
                        yield root.prefix

    def _resolve(self, file: File) -> tuple[Imported, ...]:
        family = self._family(file.path) if file.imports else None
        if family is None:
            return ()
        known = self._tree.known
        rows: dict[tuple[int, str, bool, bool], tuple[str, ...]] = {}
        for spec, names, line, exported in file.imports:
            if len(spec) > _LONGEST:
                continue
            for path, taken in family.find(file.path, spec, names):
                if path in known and path != file.path:
                    key = (line, path, not taken, exported)
                    rows[key] = (*rows[key], *taken) if key in rows else taken
        found = ((*key, rows[key]) for key in sorted(rows))
        return tuple(Imported(path, _once(taken), line, exported) for line, path, _, exported, taken in found)

    def _family(self, path: str) -> Family | None:
        kind = _kind(path)
        if kind is None:
            return None
        if kind not in self._families:
            self._families[kind] = kind(self._tree, self._projects)
        return self._families[kind]


def _kind(path: str) -> _Kind | None:
    return _RESOLVERS.get(language_of_path(path))


def _once(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names)) if len(names) > 1 else names
