"""Detection of files in a repository that would block git.

An archive may contain named pipes, links to devices and sparse files of terabytes. git
opens a file without checking its type, and waits or reads forever. The files that git
always opens are checked before it starts. At one of the many others (objects, refs,
ignore files of folders), git waits until it is ended, because it prints nothing.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator

from cuedeck.store.files.disk import look_at
from cuedeck.store.files.nofollow import LARGEST_SMALL_FILE
from cuedeck.store.git.head import Repository, follow_head
from cuedeck.store.git.history_diagnostics import ODD, GitFault

_OF_REPOSITORY = [
    "HEAD",
    "config",
    "config.worktree",
    "commondir",
    "gitdir",
    "index",
    "packed-refs",
    "shallow",
    "info/attributes",
    "info/exclude",
    "info/grafts",
    "info/sparse-checkout",
    "objects/info/alternates",
    "objects/info/commit-graph",
    "objects/pack/multi-pack-index",
]
_OF_ANY_SIZE = ("index", "packed-refs", "commit-graph", "multi-pack-index")
_OF_FOLDER = (".gitattributes", ".gitignore", ".gitmodules", ".mailmap")
_SECTION = re.compile(rb"^[ \t]*\[", re.MULTILINE)
_PATH = re.compile(rb"\bpath[ \t]*=([^\n#;]*)", re.IGNORECASE)
_MOST_INCLUDED = 50
_ODD_KINDS = (stat.S_ISFIFO, stat.S_ISCHR, stat.S_ISBLK)
"""A socket, such as that of git's file system monitor, cannot be opened and makes git
fail at once.
"""


def check_files(root: str, repository: Repository) -> bytes:
    """Return the settings of a repository, including those of included files.

    Raises: GitFault if a file that git reads is a pipe or a device, or is larger than
    any file of its kind.
    """
    for place in _places(root, repository):
        _check(place)
    packs = os.path.join(repository.common, "objects", "pack")
    if os.path.isdir(packs):
        with os.scandir(packs) as entries:
            if any(_is_odd(entry.path) for entry in entries):
                raise GitFault(ODD)
    pending = [os.path.join(folder, "config") for folder in _folders(repository)[::-1]]
    pending.append(os.path.join(repository.private, "config.worktree"))
    settings: dict[str, bytes] = {}
    while pending:
        place = pending.pop()
        if place in settings:
            continue
        _check(place)
        if len(settings) >= _MOST_INCLUDED:
            raise GitFault(ODD)
        settings[place] = look_at(place)
        pending += _included(place, settings[place])
    return b"\n".join(settings.values())


def _places(root: str, repository: Repository) -> Iterator[str]:
    """Yield the paths, existing or not, that git opens for every command."""
    names = (*_OF_REPOSITORY, *follow_head(repository).refs)
    for folder in _folders(repository):
        yield from (os.path.join(folder, *name.split("/")) for name in names)
    folder = os.path.realpath(root)
    for _ in range(repository.prefix.count("/") + 1):
        yield from (os.path.join(folder, name) for name in _OF_FOLDER)
        folder = os.path.dirname(folder)


def _folders(repository: Repository) -> list[str]:
    """Return the folders of a repository without duplicates."""
    return list(dict.fromkeys((repository.private, repository.common)))


def _included(place: str, text: bytes) -> Iterator[str]:
    """Yield the files that a settings file includes, on any condition."""
    text = text.replace(b"\\\r\n", b"").replace(b"\\\n", b"")
    for section in _SECTION.split(text):
        if not section.lstrip().lower().startswith(b"include"):
            continue
        for value in _PATH.findall(section):
            plain = value.replace(b'"', b"").replace(b"\\\\", b"\\")
            name = os.path.expanduser(os.fsdecode(plain.strip()))
            if name and "\0" not in name:
                yield os.path.join(os.path.dirname(place), name)


def _check(place: str) -> None:
    """Raise GitFault for an irregular or too large file."""
    if _is_odd(place):
        raise GitFault(ODD)
    if os.path.basename(place) in _OF_ANY_SIZE or not os.path.isfile(place):
        return
    if os.path.getsize(place) > LARGEST_SMALL_FILE:
        raise GitFault(ODD)


def _is_odd(place: str) -> bool:
    try:
        found = os.stat(place)
    except (OSError, ValueError):  # git cannot open the file either, and fails at once
        return False
    return any(is_kind(found.st_mode) for is_kind in _ODD_KINDS)
