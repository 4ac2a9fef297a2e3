"""Python import resolution: modules, packages and stubs, relative and absolute."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from cuedeck.graph.imports.path_tree import (
    Names,
    Tree,
    ancestors,
    ends_with,
    parent,
    under,
)
from cuedeck.graph.imports.project_files import Family, Projects
from cuedeck.model.file import Root

_SUFFIXES = ("/__init__.py", ".py", "/__init__.pyi", ".pyi")
"""Endings that turn a module path into a file, highest precedence first: a package
hides a module of its name.
"""

# This fixed list replaces `sys.stdlib_module_names`, because scenes must not depend on
# the interpreter version. `test` is omitted on purpose: a folder of that name far more
# often belongs to the workspace.
_PYTHON = """
abc aifc argparse array ast asynchat asyncio asyncore atexit audioop base64 bdb binascii binhex bisect builtins
bz2 calendar cgi cgitb chunk cmath cmd code codecs codeop collections colorsys compileall concurrent configparser
contextlib contextvars copy copyreg cProfile crypt csv ctypes curses dataclasses datetime dbm decimal difflib dis
distutils doctest email encodings ensurepip enum errno faulthandler fcntl filecmp fileinput fnmatch formatter
fractions ftplib functools gc genericpath getopt getpass gettext glob graphlib grp gzip hashlib heapq hmac html
http idlelib imaplib imghdr imp importlib inspect io ipaddress itertools json keyword lib2to3 linecache locale
logging lzma mailbox mailcap marshal math mimetypes mmap modulefinder msilib msvcrt multiprocessing netrc nis
nntplib nt ntpath nturl2path numbers opcode operator optparse os ossaudiodev parser pathlib pdb pickle
pickletools pipes pkgutil platform plistlib poplib posix posixpath pprint profile pstats pty pwd py_compile
pyclbr pydoc pydoc_data pyexpat queue quopri random re readline reprlib resource rlcompleter runpy sched secrets
select selectors shelve shlex shutil signal site smtpd smtplib sndhdr socket socketserver spwd sqlite3
sre_compile sre_constants sre_parse ssl stat statistics string stringprep struct subprocess sunau symbol
symtable sys sysconfig syslog tabnanny tarfile telnetlib tempfile termios textwrap threading time timeit tkinter
token tokenize tomllib trace traceback tracemalloc tty turtle turtledemo types typing unicodedata unittest
urllib uu uuid venv warnings wave weakref webbrowser winreg winsound wsgiref xdrlib xml xmlrpc zipapp zipfile
zipimport zlib zoneinfo
"""
PYTHON = frozenset(_PYTHON.split())
"""Names of standard library modules, which take precedence over workspace modules."""


class Python(Family):
    """Resolves modules like an interpreter with every likely folder on its path."""

    def __init__(
        self, tree: Tree, projects: Projects, suffixes: tuple[str, ...]
    ) -> None:
        super().__init__(tree, projects, suffixes)
        self._modules = _modules(tree.paths)
        files = self._modules.values()
        self._packages = frozenset(parent(path) for path in files if _is_package(path))
        places = set(self._modules)
        places.update(parent(path) for path in files)
        self._places: dict[str, list[str]] = {}
        for place in sorted(places):
            self._places.setdefault(place.rpartition("/")[2], []).append(place)
        self._homes: dict[str, Mapping[str, str]] = {}
        self._near: dict[str, Sequence[str]] = {}
        self._far: dict[str, int] = {}
        self._named: list[Root] = []
        for rank, root in enumerate(projects.every("python")):
            if root.prefix:
                self._named.append(root)
            else:
                self._far.setdefault(root.target, rank)

    def find(self, path: str, spec: str, names: Names) -> Sequence[str]:
        if spec.startswith("."):
            return self._relative(parent(path), spec, names)
        homes = self._homes_of(spec)
        if not homes and not self._named:
            return ()
        for place in self._fitting(parent(path), spec, homes):
            found = self._take(place, names)
            if found and spec in PYTHON:
                own = self._modules.get(place)
                # `import json` means the standard library, but `from platform import
                # core` may mean a module of the workspace.
                return [file for file in found if file != own]
            if found:
                return found
        return ()

    def _fitting(
        self, folder: str, spec: str, homes: Mapping[str, str]
    ) -> Iterator[str]:
        """Yield the places that an absolute import may refer to, most likely first."""
        first = spec.partition(".")[0]
        if first not in PYTHON:
            yield from self._renamed(spec)
            yield from self._likely(folder, homes)
            yield from self._lone(homes)
            return
        # Only a package with an `__init__.py` takes precedence over a standard library
        # module.
        inner_length = len(spec) - len(first)
        for place in self._likely(folder, homes):
            top = place[: len(place) - inner_length]
            if top in self._packages:
                yield place

    def _relative(self, folder: str, spec: str, names: Sequence[str]) -> Sequence[str]:
        rest = spec.lstrip(".")
        dots = len(spec) - len(rest)
        for _ in range(dots - 1):
            if not folder:
                return ()
            folder = parent(folder)
        place = under(folder, rest.replace(".", "/")) if rest else folder
        return self._take(place, names)

    def _take(self, place: str, names: Sequence[str]) -> Sequence[str]:
        own = self._modules.get(place)
        submodules = [self._modules.get(under(place, name)) for name in names]
        found = [each for each in submodules if each]
        if own and (not names or len(found) < len(names)):
            found.append(own)
        return found

    def _homes_of(self, spec: str) -> Mapping[str, str]:
        """Return the places that match a dotted path, by the import root from which
        each would be imported.
        """
        if spec in self._homes:
            return self._homes[spec]
        homes: dict[str, str] = {}
        tail = spec.replace(".", "/")
        places = self._places.get(tail.rpartition("/")[2], ()) if tail else ()
        for place in places:
            if ends_with(place, tail):
                home = place[: -len(tail)].rstrip("/")
                homes[home] = place
        self._homes[spec] = homes
        return homes

    def _renamed(self, spec: str) -> Iterator[str]:
        """Yield the places of packages that a project file maps to a name other than
        their folder.
        """
        for root in self._named:
            if spec == root.prefix or spec.startswith(f"{root.prefix}."):
                rest = spec[len(root.prefix) + 1 :].replace(".", "/")
                yield under(root.target, rest) if rest else root.target

    def _likely(self, folder: str, homes: Mapping[str, str]) -> Iterator[str]:
        if folder not in self._near:
            self._near[folder] = self._starts(folder)
        for start in self._near[folder]:
            if start in homes:
                yield homes[start]
        for start in sorted(homes.keys() & self._far.keys(), key=self._far.__getitem__):
            yield homes[start]

    def _starts(self, folder: str) -> Sequence[str]:
        """Return the folders that may be import roots for files in `folder`, nearest
        first.
        """
        top = folder
        while top in self._packages and top:
            top = parent(top)
        starts = [top]
        for group in self._projects.above("python", folder):
            starts += [root.target for root in group if not root.prefix]
        for above in ancestors(top):
            starts += [above, under(above, "src")]
        return list(dict.fromkeys(starts))

    def _lone(self, homes: Mapping[str, str]) -> Iterator[str]:
        """Yield the only place that matches a dotted path."""
        lone = []
        for start, place in homes.items():
            if not start or start not in self._packages:
                lone.append(place)
        if len(lone) == 1:
            yield lone[0]


def _modules(paths: Sequence[str]) -> dict[str, str]:
    """Return the file of each module by its path without suffix: `src/click` is
    `src/click/__init__.py`.
    """
    modules: dict[str, str] = {}
    for suffix in reversed(_SUFFIXES):
        ending = suffix.lstrip("/")
        for path in paths:
            if path.endswith(suffix):
                modules[path.removesuffix(suffix)] = path
            elif path == ending and suffix[0] == "/":
                modules[""] = path
    return modules


def _is_package(path: str) -> bool:
    return path.rpartition("/")[2] in ("__init__.py", "__init__.pyi")
