"""Files of a repository that would keep git waiting, found before it is started.

An archive may contain named pipes, links to devices and sparse files of terabytes; git opens a file without a look at
its kind and waits, or reads without end. The files that git opens in any case are checked before it is started. The
many others (objects, refs, ignore files of folders) are searched once git is silent: an honest repository never pays
for that search.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator, Sequence

from cuedeck.store.fs.disk import look_at
from cuedeck.store.fs.nofollow import LARGEST_SMALL_FILE
from cuedeck.store.git.head import Repository, follow_head
from cuedeck.store.git.problems import ODD, GitFault

_OF_REPOSITORY = (
    *("HEAD", "config", "config.worktree", "commondir", "gitdir", "index", "packed-refs", "shallow"),
    *("info/attributes", "info/exclude", "info/grafts", "info/sparse-checkout"),
    *("objects/info/alternates", "objects/info/commit-graph", "objects/pack/multi-pack-index"),
)
_OF_ANY_SIZE = ("index", "packed-refs", "commit-graph", "multi-pack-index")
_OF_FOLDER = (".gitattributes", ".gitignore", ".gitmodules", ".mailmap")
_OF_ANY_FOLDER = (".gitattributes", ".gitignore")
_MOST_ALTERNATES = 20
_SECTION = re.compile(rb"^[ \t]*\[", re.MULTILINE)
_PATH = re.compile(rb"\bpath[ \t]*=([^\n#;]*)", re.IGNORECASE)
_MOST_INCLUDED = 50
_ODD_KINDS = (stat.S_ISFIFO, stat.S_ISCHR, stat.S_ISBLK)
"""A socket, such as the one of git's file system monitor, cannot be opened and is reported at once."""
_found: dict[str, str] = {}
"""The irregular file that a search found last, by the folder of the repository: the next git need not wait for it."""


def check_files(root: str, repository: Repository) -> bytes:
    """Return the settings of a repository, with those that they include.

    Raises: GitFault when a file that git reads is a pipe or a device, or is larger than any file of its kind.
    """
    for place in (_found.get(repository.common, root), *_places(root, repository)):
        _check(place)
    packs = os.path.join(repository.common, "objects", "pack")
    if any(_is_odd(os.path.join(packs, name)) for name in _names_in(packs)):
        raise GitFault(ODD)
    wanted = [os.path.join(folder, "config") for folder in dict.fromkeys((repository.common, repository.private))]
    wanted.append(os.path.join(repository.private, "config.worktree"))
    read: dict[str, bytes] = {}
    while wanted:
        place = wanted.pop()
        if place in read:
            continue
        _check(place)
        if len(read) >= _MOST_INCLUDED:
            raise GitFault(ODD)
        read[place] = look_at(place)
        wanted += _included(place, read[place])
    return b"\n".join(read.values())


def _places(root: str, repository: Repository) -> Iterator[str]:
    """Yield the files, there or not, that git opens whatever it is asked."""
    for folder in dict.fromkeys((repository.private, repository.common)):
        yield from (os.path.join(folder, *name.split("/")) for name in _OF_REPOSITORY)
        yield from (os.path.join(folder, *ref.split("/")) for ref in follow_head(repository).refs)
    folder = os.path.realpath(root)
    for _ in range(repository.prefix.count("/") + 1):
        yield from (os.path.join(folder, name) for name in _OF_FOLDER)
        folder = os.path.dirname(folder)


def search_folders(root: str, repository: Repository) -> Iterator[None]:
    """Search the folders of a repository and its checkout; yield after each folder, so that the search can be ended.

    Raises: GitFault as `check_files` does.
    """
    yield from search_objects(repository)
    for folder in dict.fromkeys((repository.private, repository.common)):
        yield from _search(repository, folder)
    yield from _search(repository, repository.top(root), _OF_ANY_FOLDER)


def search_objects(repository: Repository) -> Iterator[None]:
    """Search the objects of a repository and those that it borrows, as `search_folders` does."""
    for objects in _object_folders(repository):
        for name in _names_in(objects):
            yield from _search(repository, os.path.join(objects, name))


def _search(repository: Repository, top: str, names: Sequence[str] = ()) -> Iterator[None]:
    """Search a folder and those below it for irregular files, of any name or of some names."""
    for folder, _, files in os.walk(top):
        for place in (os.path.join(folder, name) for name in names or files):
            if _is_odd(place):
                _found[repository.common] = place
                raise GitFault(ODD)
        yield


def _object_folders(repository: Repository) -> Iterator[str]:
    """Yield the folder of objects and those that it borrows from."""
    wanted = [os.path.join(repository.common, "objects")]
    for place in wanted:
        yield place
        for line in look_at(os.path.join(place, "info", "alternates")).splitlines():
            other = os.path.join(place, os.fsdecode(line.strip()))
            if len(wanted) < _MOST_ALTERNATES and os.path.isdir(other) and other not in wanted:
                wanted.append(other)


def _included(place: str, text: bytes) -> Iterator[str]:
    """Yield the files that a file of settings includes, on any condition."""
    text = text.replace(b"\\\r\n", b"").replace(b"\\\n", b"")
    for section in _SECTION.split(text):
        if section.lstrip().lower().startswith(b"include"):
            for found in _PATH.findall(section):
                name = os.path.expanduser(os.fsdecode(found.replace(b'"', b"").replace(b"\\\\", b"\\").strip()))
                if name and "\0" not in name:
                    yield os.path.join(os.path.dirname(place), name)


def _names_in(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []


def _check(place: str) -> None:
    if _is_odd(place) or (os.path.basename(place) not in _OF_ANY_SIZE and _is_huge(place)):
        raise GitFault(ODD)


def _is_huge(place: str) -> bool:
    try:
        return os.path.isfile(place) and os.path.getsize(place) > LARGEST_SMALL_FILE
    except (OSError, ValueError):
        return False


def _is_odd(place: str) -> bool:
    try:
        found = os.stat(place)
    except (OSError, ValueError):  # git does not open it either, or reports it at once
        return False
    return any(is_kind(found.st_mode) for is_kind in _ODD_KINDS)
