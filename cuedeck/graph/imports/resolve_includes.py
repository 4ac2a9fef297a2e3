"""Import resolution by file path for C, C++, Ruby and shell."""

from __future__ import annotations

import re
from collections.abc import Sequence

from cuedeck.graph.imports.base import Found
from cuedeck.graph.imports.path_tree import Tree, ancestors, join, parent, under
from cuedeck.graph.imports.project_files import Projects
from cuedeck.graph.imports.stdlib_names import C

_HEADER_FOLDERS = ("", "include", "includes", "inc", "src", "source", "lib")
"""Include folders that compilers usually search for `<x.h>`."""
_RUBY_FOLDERS = ("lib", "spec", "test", "")
"""Load path of a gem and its tests."""
# `$(dirname "$0")/`, `${BASH_SOURCE%/*}/`, `"$HERE"/`: a folder known only to the running shell.
_VARIABLE = re.compile(r"\"?\$(?:\([^()]*(?:\([^()]*\)[^()]*)*\)|\{[^{}]*\}|\w+)\"?/")


class CHeaders:
    """Resolves headers: next to the including file, otherwise the only file with this name."""

    def __init__(self, tree: Tree, projects: Projects, suffixes: tuple[str, ...]) -> None:
        self._tree = tree

    def find(self, path: str, spec: str, names: tuple[str, ...]) -> Sequence[Found]:
        angled = spec.startswith("<")
        spec = spec.strip('<>"')
        if angled and spec in C:
            return ()
        beside = None if angled else join(parent(path), spec)
        if beside and beside in self._tree.known:
            return [(beside, names)]
        found = self._tree.only(spec)
        if angled and "/" not in spec and _start(found, spec) not in _HEADER_FOLDERS:
            return ()
        return [(found, names)] if found else ()


class Ruby:
    """Resolves `require`: relative to the file, or in the only or nearest load path that contains the file."""

    def __init__(self, tree: Tree, projects: Projects, suffixes: tuple[str, ...]) -> None:
        self._tree = tree

    def find(self, path: str, spec: str, names: tuple[str, ...]) -> Sequence[Found]:
        spec = spec if spec.endswith(".rb") else f"{spec}.rb"
        folder = parent(path)
        if spec.startswith(("./", "../")):
            found = join(folder, spec)
            return [(found, names)] if found and found in self._tree.known else ()
        fits = [each for each in self._tree.ending(spec) if _start(each, spec) in _RUBY_FOLDERS]
        if len(fits) > 1:
            starts = (under(above, name) if name else above for above in ancestors(folder) for name in _RUBY_FOLDERS)
            fits = [found for start in starts if (found := under(start, spec)) in fits][:1]
        return [(found, names) for found in fits]


def _start(path: str, tail: str) -> str:
    """Return the name of the folder in which `tail` begins."""
    return path[: -len(tail)].rstrip("/").rpartition("/")[2]


class Shell:
    """Resolves sourced scripts: relative to the file, otherwise to the workspace root."""

    def __init__(self, tree: Tree, projects: Projects, suffixes: tuple[str, ...]) -> None:
        self._tree = tree

    def find(self, path: str, spec: str, names: tuple[str, ...]) -> Sequence[Found]:
        if spec.startswith(("$", '"$')):
            spec = _VARIABLE.sub("", spec, count=1)
        for start in (parent(path), ""):
            found = join(start, spec)
            if found and found in self._tree.known:
                return [(found, names)]
        return ()
