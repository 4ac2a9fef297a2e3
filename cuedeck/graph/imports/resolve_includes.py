"""Import resolution by file path for C, C++, Ruby, shell and Go."""

from __future__ import annotations

import re
from collections.abc import Sequence

from cuedeck.graph.imports.path_tree import Names, Tree, ancestors, join, parent, under
from cuedeck.graph.imports.project_files import Family

_HEADER_FOLDERS = ("", "include", "includes", "inc", "src", "source", "lib")
"""Include folders that compilers usually search for `<x.h>`."""
_C = """
assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign stdarg stdatomic stdbit
stdbool stdckdint stddef stdint stdio stdlib stdnoreturn string tgmath threads time uchar unistd wchar wctype
"""
C = frozenset(f"{name}.h" for name in _C.split())
_RUBY_FOLDERS = ("lib", "spec", "test", "")
"""Load path of a gem and its tests."""
# `$(dirname "$0")/`, `${BASH_SOURCE%/*}/`, `"$HERE"/`: a folder known only to the
# running shell.
_VARIABLE = re.compile(r"\"?\$(?:\([^()]*(?:\([^()]*\)[^()]*)*\)|\{[^{}]*\}|\w+)\"?/")
_TEST = "_test.go"


class CHeaders(Family):
    """Resolves headers: next to the including file, otherwise the only file with this
    name.
    """

    def find(self, path: str, spec: str, names: Names) -> Sequence[str]:
        header = spec.strip('<>"')
        neighbour = join(parent(path), header)
        if not spec.startswith("<"):
            if neighbour and neighbour in self._tree.known:
                return [neighbour]
        elif header in C:
            return ()
        found = self._tree.only(header)
        is_far = "/" not in header and _start(found, header) not in _HEADER_FOLDERS
        if not found or (spec.startswith("<") and is_far):
            return ()
        return [found]


class Ruby(Family):
    """Resolves `require`: relative to the file, or in the only or nearest load path
    that contains the file.
    """

    def find(self, path: str, spec: str, names: Names) -> Sequence[str]:
        spec = spec if spec.endswith(".rb") else f"{spec}.rb"
        folder = parent(path)
        if spec.startswith(("./", "../")):
            file = join(folder, spec)
            if file and file in self._tree.known:
                return [file]
            return ()
        fits = [
            each
            for each in self._tree.ending(spec)
            if _start(each, spec) in _RUBY_FOLDERS
        ]
        found = fits[0] if len(fits) == 1 else _nearest(fits, folder, spec)
        if not found:
            return ()
        return [found]


def _nearest(fits: Sequence[str], folder: str, spec: str) -> str:
    """Return the file in the load path nearest to a folder."""
    for above in ancestors(folder):
        for name in _RUBY_FOLDERS:
            load_path = under(above, name) if name else above
            found = under(load_path, spec)
            if found in fits:
                return found
    return ""


def _start(path: str, tail: str) -> str:
    """Return the name of the folder in which `tail` begins."""
    return path[: -len(tail)].rstrip("/").rpartition("/")[2]


class Shell(Family):
    """Resolves sourced scripts: relative to the file, otherwise to the workspace
    root.
    """

    def find(self, path: str, spec: str, names: Names) -> Sequence[str]:
        if spec.startswith(("$", '"$')):
            spec = _VARIABLE.sub("", spec, count=1)
        for start in (parent(path), ""):
            found = join(start, spec)
            if found and found in self._tree.known:
                return [found]
        return ()


class Go(Family):
    """Resolves an import to all non-test files of the package: a folder, found by the
    module path of a `go.mod`.
    """

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
