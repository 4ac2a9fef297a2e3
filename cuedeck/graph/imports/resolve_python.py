"""Python import resolution: modules, packages and stubs, relative and absolute."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cuedeck.graph.imports.path_tree import (
    Names,
    Tree,
    ancestors,
    members,
    parent,
    under,
)

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


def python(tree: Tree, path: str, spec: str, names: Names) -> Iterator[Sequence[str]]:
    """Yield the files of a module as an interpreter finds them that has every likely
    folder on its path.
    """

    def files_of(place: str) -> Sequence[str]:
        paths = (f"{place}{suffix}".removeprefix("/") for suffix in _SUFFIXES)
        return [each for each in paths if each in tree.known][:1]

    tail = spec.lstrip(".").replace(".", "/")
    folder = parent(path)
    if spec.startswith("."):
        dots = len(spec) - len(spec.lstrip("."))
        above = list(ancestors(folder))[dots - 1 : dots]
        yield from (members(under(each, tail), names, files_of) for each in above)
        return
    first = spec.partition(".")[0]
    is_library = first in PYTHON
    if not is_library:
        for target, rest in tree.prefixes("python", spec, ".", folder):
            place = under(target, rest.replace(".", "/"))
            yield members(place, names, files_of)
    for start in _starts(tree, folder, tail, is_library=is_library):
        # Only a package with an `__init__.py` takes precedence over a standard library
        # module.
        if is_library and not _is_package(tree, under(start, first)):
            continue
        place = under(start, tail)
        found = members(place, names, files_of)
        if spec in PYTHON:
            # `import json` means the standard library, but `from platform import core`
            # may mean a module of the workspace.
            found = [each for each in found if each not in files_of(place)]
        yield found


def _starts(tree: Tree, folder: str, tail: str, *, is_library: bool) -> list[str]:
    """Return the folders from which a module may be imported, most likely first: those
    near a file, then the only one that contains the module.
    """
    top = folder
    while top and _is_package(tree, top):
        top = parent(top)
    near = [top]
    rows = tree.roots("python", folder)
    near += [root.target for _, root in rows if not root.prefix]
    for above in ancestors(top):
        near += [above, under(above, "src")]
    if is_library or not tail:
        return near
    near += [root.target for root in tree.every_root("python") if not root.prefix]
    places = [*tree.ending(f"{tail}.py"), *tree.ending(f"{tail}.pyi")]
    folders = tree.folders_ending(tail, (".py", ".pyi"))
    places += [f"{parent(files[0])}." for files in folders]
    homes = dict.fromkeys(
        place.rpartition(".")[0][: -len(tail)].rstrip("/") for place in places
    )
    lone = [home for home in homes if not home or not _is_package(tree, home)]
    return near + (lone if len(lone) == 1 else [])


def _is_package(tree: Tree, folder: str) -> bool:
    paths = (under(folder, f"__init__{suffix}") for suffix in (".py", ".pyi"))
    return any(path in tree.known for path in paths)
