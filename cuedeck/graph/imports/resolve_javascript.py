"""JavaScript and TypeScript import resolution: relative files, tsconfig paths,
workspace packages, `#` subpaths.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from cuedeck.graph.imports.path_tree import Names, Tree, join, parent, under
from cuedeck.model.file import Root

_SUFFIXES = (
    *(".ts", ".tsx", ".d.ts", ".js", ".jsx", ".mjs", ".cjs", ".mts", ".cts"),
    *(".d.mts", ".d.cts", ".json", ".vue", ".svelte"),
)
"""Suffixes that an import may omit, in the order in which they are tried."""
_WRITTEN = {
    ".js": (".ts", ".tsx", ".d.ts"),
    ".jsx": (".tsx", ".d.ts"),
    ".mjs": (".mts", ".d.mts"),
    ".cjs": (".cts", ".d.cts"),
}
"""Source suffixes that compile to the suffix written in an import."""
_BUILT = re.compile(r"(?:^|(?<=/))(?:(?:dist|build|out|lib|esm|cjs|types)/)+")
"""Build output folders, named in package files but usually absent from the workspace;
their source is in `src`.
"""
_ENTRIES = ("", "src/index", "lib/index", "main", "src/main")


def javascript(
    tree: Tree, path: str, spec: str, names: Names
) -> Iterator[Sequence[str]]:
    """Yield the file of a module as bundlers and the TypeScript compiler find it."""
    spec = spec.partition("?")[0]
    folder = parent(path)
    if spec.startswith("."):
        is_folder = spec.rpartition("/")[2] in ("", ".", "..")
        yield from _files(folder, f"{spec}/index" if is_folder else spec)
        return
    is_inner = spec.startswith("#")
    for _, root in tree.roots("package" if is_inner else "script", folder):
        yield from _built(_match(root, spec))
    if is_inner:
        return
    for target, rest in tree.prefixes("package", spec, "/", folder):
        for start in ("", "src/", "lib/") if rest else _ENTRIES:
            yield from _built(under(target, start + rest))


def _files(folder: str, spec: str) -> Iterator[Sequence[str]]:
    """Yield the possible files of a module path whose suffix is omitted or is that of
    the compiled file.
    """
    target = join(folder, spec)
    if target is None:
        return
    stem, dot, suffix = target.rpartition(".")
    yield [target]
    yield from ([target + each] for each in _SUFFIXES)
    yield from ([under(target, "index") + each] for each in _SUFFIXES)
    yield from ([stem + each] for each in _WRITTEN.get(dot + suffix, ()))


def _match(root: Root, spec: str) -> str | None:
    """Return the target of a path pattern for a specifier; None if it does not
    match.
    """
    head, star, tail = root.prefix.partition("*")
    if not star:
        return root.target if spec == head else None
    end = len(spec) - len(tail)
    if end < len(head) or not (spec.startswith(head) and spec.endswith(tail)):
        return None
    return root.target.replace("*", spec[len(head) : end], 1)


def _built(target: str | None) -> Iterator[Sequence[str]]:
    """Yield the possible files of a path in a project file, then those of the source
    from which it is built.
    """
    if target is None:
        return
    sources = (target, _BUILT.sub("src/", target, 1), _BUILT.sub("", target, 1))
    for source in dict.fromkeys(sources):
        yield from _files("", source)
