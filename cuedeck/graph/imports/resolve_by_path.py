"""Import resolution for C, C++, Ruby, shell and Go by path, and for Java, C# and PHP by
dotted names that match files and folders unambiguously.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from cuedeck.graph.imports.path_tree import Names, Tree, ancestors, join, parent, under

_HEADER_FOLDERS = ("", "include", "includes", "inc", "src", "source", "lib")
"""Include folders that compilers usually search for `<x.h>`."""
_LOAD_PATH = ("lib", "spec", "test")
"""Folders of a gem and its tests from which Ruby loads files."""
# `$(dirname "$0")/`, `${BASH_SOURCE%/*}/`, `"$HERE"/`: a folder known only to the
# running shell.
_VARIABLE = re.compile(r"\"?\$(?:\([^()]*(?:\([^()]*\)[^()]*)*\)|\{[^{}]*\}|\w+)\"?/")
_TEST = "_test.go"
_LEAST = 2
"""Minimum components of a shortened name; a single component matches too much."""
_MOST_LEFT_OUT = 4
"""Maximum leading components to drop."""
_INNER = 2
"""Trailing components of a Java name that may be inside a file: `Outer.Inner.MEMBER`.
"""
_FOREIGN = ("System", "Microsoft", "Windows")
"""First components of C# names that a workspace does not define."""
_JAVA = (".java", ".kt")


def header(tree: Tree, path: str, spec: str, names: Names) -> Iterator[Sequence[str]]:
    """Yield a header next to the including file, then the only one of this name."""
    name = spec.strip('<>"')
    is_system = spec.startswith("<")
    if not is_system:
        yield [join(parent(path), name) or ""]
    found = tree.only(name)
    if not is_system or "/" in name or _start(found, name) in _HEADER_FOLDERS:
        yield [found]


def ruby(tree: Tree, path: str, spec: str, names: Names) -> Iterator[Sequence[str]]:
    """Yield a file relative to the importing one, or in the nearest or only load path
    that contains it.
    """
    spec = f"{spec.removesuffix('.rb')}.rb"
    folder = parent(path)
    if spec.startswith(("./", "../")):
        yield [join(folder, spec) or ""]
        return
    for above in ancestors(folder):
        yield from ([under(under(above, name), spec)] for name in _LOAD_PATH)
    yield [spec]
    found = [each for each in tree.ending(spec) if _start(each, spec) in _LOAD_PATH]
    if len(found) == 1:
        yield found


def _start(path: str, tail: str) -> str:
    """Return the name of the folder in which `tail` begins."""
    return path[: -len(tail)].rstrip("/").rpartition("/")[2]


def shell(tree: Tree, path: str, spec: str, names: Names) -> Iterator[Sequence[str]]:
    """Yield a script relative to the importing one, then to the workspace root."""
    if spec.startswith(("$", '"$')):
        spec = _VARIABLE.sub("", spec, count=1)
    for start in (parent(path), ""):
        yield [join(start, spec) or ""]


def go(tree: Tree, path: str, spec: str, names: Names) -> Iterator[Sequence[str]]:
    """Yield the files of a package without tests: a folder below the module path of a
    `go.mod`.
    """
    for target, rest in tree.prefixes("go", spec, "/", parent(path)):
        files = tree.folders.get(join(target, rest) or "", ())
        yield [each for each in files if _is_source(each)]


def go_neighbours(tree: Tree, path: str) -> tuple[str, ...]:
    """Return the other Go files of the same package, which see each other without an
    import.

    Only tests see tests. Order: by path. Empty for a file that is not Go.
    """
    if not path.endswith(".go"):
        return ()
    files = [each for each in tree.folders.get(parent(path), ()) if each != path]
    sees_tests = path.endswith(_TEST)
    return tuple(
        each
        for each in files
        if _is_source(each) or (sees_tests and each.endswith(_TEST))
    )


def _is_source(path: str) -> bool:
    return path.endswith(".go") and not path.endswith(_TEST)


def java(tree: Tree, path: str, spec: str, names: Names) -> Iterator[Sequence[str]]:
    """Yield the file of a class, also for its inner classes and members, or all files
    of a package.
    """
    parts = spec.split(".")
    if parts[-1] == "*":
        parts.pop()
        names = ("*",)
    for end in range(len(parts), max(_LEAST, len(parts) - _INNER) - 1, -1):
        yield _class_files(tree, parts[:end], _JAVA)
    found: list[str] = []
    if "*" in names:
        found += _folder_files(tree, parts, _JAVA)
    for name in names:
        found += _class_files(tree, [*parts, name], _JAVA)
    yield found


def csharp(tree: Tree, path: str, spec: str, names: Names) -> Iterator[Sequence[str]]:
    """Yield the files of a namespace or the file of a class."""
    parts = spec.split(".")
    if parts[0] in _FOREIGN:
        return
    for tail in _tails(parts):
        yield _folder_files(tree, tail, (".cs",))
        yield _class_files(tree, tail, (".cs",))


def php(tree: Tree, path: str, spec: str, names: Names) -> Iterator[Sequence[str]]:
    """Yield the file of a class by `composer.json` or by folders, or an included
    file.
    """
    if "/" in spec or spec.endswith(".php"):
        spec = spec.lstrip("/")
        yield from shell(tree, path, spec, names)
        yield [tree.only(spec.removeprefix("./"))]
        return
    spec = spec.strip("\\")
    for target, rest in tree.prefixes("php", spec, "\\", parent(path)):
        place = under(target, rest.replace("\\", "/"))
        yield [f"{place}.php", *(f"{place}/{name}.php" for name in names)]
    if "\\" not in spec:
        # A class without a namespace is far more often a PHP built-in than a file:
        # `use Exception`.
        return
    for tail in _tails(spec.split("\\")):
        yield _class_files(tree, tail, (".php",))
        for name in names:
            yield _class_files(tree, [*tail, name], (".php",))


def _tails(parts: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield a name, then the name without its first components."""
    yield parts
    last = min(len(parts) - _LEAST, _MOST_LEFT_OUT)
    yield from (parts[start:] for start in range(1, last + 1))


def _class_files(
    tree: Tree, parts: Sequence[str], suffixes: Sequence[str]
) -> Sequence[str]:
    """Return the only file whose path ends with a dotted name."""
    tail = "/".join(parts)
    found: list[str] = []
    for suffix in suffixes:
        found += tree.ending(tail + suffix)
    return found if len(found) == 1 else ()


def _folder_files(
    tree: Tree, parts: Sequence[str], suffixes: tuple[str, ...]
) -> Sequence[str]:
    """Return the files of the only folder whose path ends with a dotted name."""
    groups = tree.folders_ending("/".join(parts), suffixes)
    return groups[0] if len(groups) == 1 else ()
