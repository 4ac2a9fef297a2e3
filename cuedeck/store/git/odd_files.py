"""Files of a repository that would keep git waiting, found before it is started.

An archive may contain named pipes and links to devices; git opens the files below without a look at their kind and
waits, or reads without end. What git opens besides these files, such as objects, is left to the limit on its silence.
"""

from __future__ import annotations

import contextlib
import os
import re
import stat
from collections.abc import Iterator

from cuedeck.store.fs.disk import look_at
from cuedeck.store.git.head import Repository, follow_head
from cuedeck.store.git.problems import ODD, GitFault

_OF_REPOSITORY = (
    *("HEAD", "config", "config.worktree", "commondir", "gitdir", "index", "packed-refs", "shallow"),
    *("info/attributes", "info/exclude", "info/grafts", "info/sparse-checkout"),
    *("objects/info/alternates", "objects/info/commit-graph", "objects/pack/multi-pack-index"),
)
_OF_FOLDER = (".gitattributes", ".gitignore", ".gitmodules", ".mailmap")
_SECTION = re.compile(rb"^[ \t]*\[", re.MULTILINE)
_PATH = re.compile(rb"\bpath[ \t]*=([^\n#;]*)", re.IGNORECASE)
_MOST_INCLUDED = 50


def check_files(root: str, repository: Repository) -> bytes:
    """Return the settings of a repository, with those that they include.

    Raises: GitFault when a file that git reads is a pipe, a device or a folder.
    """
    for place in _places(root, repository):
        _check(place)
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
    packs = os.path.join(repository.common, "objects", "pack")
    with contextlib.suppress(OSError):
        yield from (os.path.join(packs, name) for name in os.listdir(packs))
    folder = os.path.realpath(root)
    for _ in range(repository.prefix.count("/") + 1):
        yield from (os.path.join(folder, name) for name in _OF_FOLDER)
        folder = os.path.dirname(folder)


def _included(place: str, text: bytes) -> Iterator[str]:
    """Yield the files that a file of settings includes, on any condition."""
    text = text.replace(b"\\\r\n", b"").replace(b"\\\n", b"")
    for section in _SECTION.split(text):
        if section.lstrip().lower().startswith(b"include"):
            for found in _PATH.findall(section):
                name = os.path.expanduser(os.fsdecode(found.replace(b'"', b"").replace(b"\\\\", b"\\").strip()))
                if name and "\0" not in name:
                    yield os.path.join(os.path.dirname(place), name)


def _check(place: str) -> None:
    try:
        found = os.stat(place)
    except (OSError, ValueError):  # git does not open it either, or reports it at once
        return
    if not stat.S_ISREG(found.st_mode) and not stat.S_ISDIR(found.st_mode):
        raise GitFault(ODD)
