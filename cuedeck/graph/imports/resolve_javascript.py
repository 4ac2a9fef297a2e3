"""JavaScript and TypeScript import resolution: relative files, tsconfig paths,
workspace packages, `#` subpaths.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cuedeck.graph.imports.path_tree import Names, Tree, join, parent, under
from cuedeck.graph.imports.project_files import Family, Projects
from cuedeck.model.file import Root

_SUFFIXES = (
    *(
        ".ts",
        ".tsx",
        ".d.ts",
        ".js",
        ".jsx",
        ".mjs",
        ".cjs",
        ".mts",
        ".cts",
        ".d.mts",
        ".d.cts",
    ),
    *(".json", ".vue", ".svelte"),
)
"""Suffixes that an import may omit, in the order in which they are tried."""
_RANKS = {suffix: rank for rank, suffix in enumerate(_SUFFIXES)}
_WRITTEN = {
    ".js": (".ts", ".tsx", ".d.ts"),
    ".jsx": (".tsx", ".d.ts"),
    ".mjs": (".mts", ".d.mts"),
    ".cjs": (".cts", ".d.cts"),
}
"""Source suffixes that compile to the suffix written in an import."""
_BUILT = frozenset(("dist", "build", "out", "lib", "esm", "cjs", "types"))
"""Build output folders, named in package files but usually absent from the workspace;
their source is in `src`.
"""
_ENTRIES = ("index", "src/index", "lib/index", "main", "src/main")


class JavaScript(Family):
    """Resolves modules like bundlers and the TypeScript compiler."""

    def __init__(
        self, tree: Tree, projects: Projects, suffixes: tuple[str, ...]
    ) -> None:
        self._known = tree.known
        super().__init__(tree, projects, suffixes)
        self._modules = _modules(tree.paths)
        self._patterns: dict[tuple[str, str], Sequence[Root]] = {}
        self._found: dict[tuple[str, str], str] = {}

    def find(self, path: str, spec: str, names: Names) -> Sequence[str]:
        spec = spec.partition("?")[0]
        folder = parent(path)
        if not spec.startswith("."):
            found = self._named(folder, spec)
        elif spec.endswith(("/", "/.", "/..")) or spec in (".", ".."):
            found = self._file(folder, f"{spec}/index")
        else:
            found = self._file(folder, spec)
        if not found:
            return ()
        return [found]

    def _file(self, folder: str, spec: str) -> str:
        """Return the file of a module path whose suffix is omitted or is that of the
        compiled file.
        """
        target = join(folder, spec)
        if target is None:
            return ""
        if target in self._known:
            return target
        found = self._modules.get(target)
        if found is not None:
            return found
        dot = target.rfind(".")
        if dot <= 0:
            return ""
        for suffix in _WRITTEN.get(target[dot:], ()):
            source = target[:dot] + suffix
            if source in self._known:
                return source
        return ""

    def _named(self, folder: str, spec: str) -> str:
        """Return the file of a bare specifier."""
        key = (folder, spec)
        if key not in self._found:
            self._found[key] = self._bare(spec, folder)
        return self._found[key]

    def _bare(self, spec: str, folder: str) -> str:
        inner = spec.startswith("#")
        for root in self._above("package" if inner else "script", folder):
            found = self._match(root, spec)
            if found:
                return found
        if inner:
            return ""
        return self._package(spec, folder)

    def _above(self, family: str, folder: str) -> Sequence[Root]:
        """Return the path patterns that apply in a folder: nearest project first, then
        longest pattern first.
        """
        key = (family, folder)
        if key not in self._patterns:
            patterns: list[Root] = []
            for group in self._projects.above(family, folder):
                patterns += sorted(group, key=_strength)
            self._patterns[key] = patterns
        return self._patterns[key]

    def _match(self, root: Root, spec: str) -> str:
        head, star, tail = root.prefix.partition("*")
        if not star:
            if spec != head:
                return ""
            return self._built(root.target)
        end = len(spec) - len(tail)
        if end < len(head):
            return ""
        if not spec.startswith(head) or not spec.endswith(tail):
            return ""
        target = root.target.replace("*", spec[len(head) : end], 1)
        return self._built(target)

    def _package(self, spec: str, folder: str) -> str:
        """Return the file of a workspace package that is imported by name."""
        for target, rest in self._projects.prefixes("package", spec, "/", folder):
            if not rest and target in self._known:
                return target
            for place in _places(target, rest):
                found = self._built(place)
                if found:
                    return found
        return ""

    def _built(self, target: str) -> str:
        """Return the file of a path in a project file, or the source file from which it
        is built.
        """
        for source in _sources(target):
            found = self._file("", source)
            if found:
                return found
        return ""


def _places(package: str, module: str) -> list[str]:
    """Return the paths at which a package may define a module."""
    if module:
        return [under(package, f"{start}{module}") for start in ("", "src/", "lib/")]
    return [package, *(under(package, entry) for entry in _ENTRIES)]


def _strength(root: Root) -> tuple[bool, int]:
    head, star, _ = root.prefix.partition("*")
    return bool(star), -len(head)


def _sources(target: str) -> Iterator[str]:
    """Yield a path, then its possible sources: with build folders replaced by `src`, or
    removed.
    """
    yield target
    parts = target.split("/")
    last = len(parts) - 1
    for start in range(last):
        if parts[start] not in _BUILT:
            continue
        end = start + 1
        while end < last and parts[end] in _BUILT:
            end += 1
        before = parts[:start]
        after = parts[end:]
        yield "/".join([*before, "src", *after])
        yield "/".join(before + after)


def _modules(paths: Sequence[str]) -> dict[str, str]:
    """Return the file of each module by its path without suffix."""
    ranks: dict[str, int] = {}
    modules: dict[str, str] = {}

    def offer(module: str, rank: int, path: str) -> None:
        if rank < ranks.get(module, len(_SUFFIXES) * 2):
            ranks[module] = rank
            modules[module] = path

    for path in paths:
        suffix = path[path.rfind(".") :]
        if suffix not in _RANKS:
            continue
        if path.endswith(f".d{suffix}"):
            suffix = f".d{suffix}"
        module = path.removesuffix(suffix)
        folder, _, name = module.rpartition("/")
        offer(module, _RANKS.get(suffix, len(_SUFFIXES) - 1), path)
        if name == "index":
            offer(folder, len(_SUFFIXES) + _RANKS.get(suffix, 0), path)
    return modules
