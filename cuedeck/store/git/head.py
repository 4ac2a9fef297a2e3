"""Which commit HEAD is, told without a process: a few small files are read.

Like git it looks for the repository in the folder and in those above. Variables of the environment say nothing:
a hook of git sets them, for a repository that may be another one.
"""

from __future__ import annotations

import os
import re
import stat
from typing import NamedTuple

from cuedeck.model.errors import StorageError
from cuedeck.store.fs.disk import read_bytes
from cuedeck.store.fs.nofollow import LARGEST_SMALL_FILE
from cuedeck.store.workspace_paths import is_below

UNKNOWN = "unknown"
_ID = re.compile(rb"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_TABLES = "reftable"
_SECTION = re.compile(rb"^[ \t]*\[", re.MULTILINE)
_WORKTREE = re.compile(rb"^[ \t]*worktree[ \t]*=([^\n]*)", re.IGNORECASE | re.MULTILINE)
_PARTS = ("", "HEAD", "index", "packed-refs", "refs", "objects", _TABLES)
"""Files and folders of a repository whose content is shown, or leads to what is shown."""
_MOST_STEPS = 5
"""Symbolic refs followed, as many as git follows."""


class Repository(NamedTuple):
    """Where a repository keeps its files, and where in it the workspace is."""

    private: str
    """The folder that holds HEAD: of the repository, or of one worktree of it."""
    common: str
    """The folder that holds refs and objects."""
    prefix: str
    """Path of the workspace in the tree, with a slash at its end; empty when it is the top."""

    def top(self, root: str) -> str:
        """Return the folder of the checkout that a workspace in it belongs to."""
        folder = os.path.realpath(root)
        for _ in range(self.prefix.count("/")):
            folder = os.path.dirname(folder)
        return folder


class ResolvedHead(NamedTuple):
    """Where HEAD leads."""

    commit: str
    """As `read_head` returns it."""
    refs: tuple[str, ...]
    """The refs on the way, such as `refs/heads/main`."""


class HistoryKey(NamedTuple):
    """What a history depends on, as far as it can be told without git."""

    head: str
    """As `read_head` returns it."""
    prefix: str
    """As in `Repository`."""
    shallow: bytes
    """The commits at which a shallow clone ends, as git notes them; empty in a whole one."""
    packs: bytes
    """The packs that a partial clone has by now; empty in a clone that was to have everything."""
    tables: bytes
    """The list of tables in which refs are kept, which changes with each of them; empty without tables."""

    @property
    def is_certain(self) -> bool:
        """True when another history stands elsewhere; else only git can tell."""
        return self.head != UNKNOWN or bool(self.tables)


def read_head(root: str) -> str:
    """Return the id of the commit HEAD is.

    Empty without a repository or without a commit; `unknown` where only git itself can tell.
    """
    repository = find_repository(root)
    return head_of(repository) if repository else ""


def find_repository(root: str) -> Repository | None:
    """Return the repository in whose tree the folder is; None also for one that `foreign_part` refuses."""
    located = _locate(root)
    return None if located is None or _outside(*located) else located[0]


def foreign_part(root: str) -> str:
    """Return the folder or file outside of the checkout because of which its repository is not used, else "".

    The `.git` of an archive may be a file or a link that leads to another repository of the user, and links in it to
    parts of one: its commits and names of files would be shown as those of the workspace. What lies outside of the
    checkout is used if it names the checkout, as linked worktrees and submodules do. Objects that `alternates` lends
    are reached by their hash alone, so they are no secret to the author of the archive.
    """
    located = _locate(root)
    return _outside(*located) if located else ""


def _locate(root: str) -> tuple[Repository, str] | None:
    """Return the repository that git would use for a folder, and the top of its checkout."""
    folder, prefix = os.path.realpath(root), ""
    while True:
        private = _pointed(os.path.join(folder, ".git"))
        if private:
            common = _common(private)
            if _is_whole(private, common):
                return Repository(private, common, prefix), folder
        above, name = os.path.split(folder)
        if above == folder:
            return None
        folder, prefix = above, f"{name}/{prefix}"


def _outside(repository: Repository, top: str) -> str:
    """Return the part of a repository that lies outside of a checkout and does not name it, else ""."""
    private = os.path.realpath(repository.private)
    if not is_below(private, top):
        return "" if _names_checkout(private, top) else private
    names = (*_PARTS, *follow_head(repository).refs)
    for folder in dict.fromkeys((repository.private, repository.common)):
        for name in names:
            place = os.path.realpath(os.path.join(folder, *name.split("/")))
            if not is_below(place, top):
                return place
    return ""


def _names_checkout(private: str, top: str) -> bool:
    """Return whether a linked worktree or a setting of a repository says that its checkout is a folder."""
    noted = [os.path.dirname(os.fsdecode(_look(os.path.join(private, "gitdir")).strip()))]
    for name in ("config", "config.worktree"):
        for section in _SECTION.split(_look(os.path.join(private, name))):
            if section[:5].lower() == b"core]":
                noted += [os.fsdecode(value.strip(b'" \t\r')) for value in _WORKTREE.findall(section)]
    return any(os.path.realpath(os.path.join(private, each)) == top for each in noted if each)


def head_of(repository: Repository) -> str:
    """Return what `read_head` does, for a repository that was found."""
    return follow_head(repository).commit


def follow_head(repository: Repository) -> ResolvedHead:
    """Return the commit HEAD is, and by which refs."""
    place = os.path.join(repository.private, "HEAD")
    try:
        # The oldest form of a symbolic ref is a symbolic link.
        link = os.readlink(place) if os.path.islink(place) else ""
        text = f"ref: {link}".encode() if link.startswith("refs/") else _read(place)
        return _follow(repository, text)
    except (StorageError, OSError):
        return ResolvedHead(UNKNOWN, ())


def standing_of(repository: Repository | None) -> HistoryKey:
    """Return what the history of a repository depends on; without one there is none."""
    if repository is None:
        return HistoryKey("", "", b"", b"", b"")
    private, common, prefix = repository
    tables = b"".join(_look(os.path.join(each, _TABLES, "tables.list")) for each in (private, common))
    return HistoryKey(head_of(repository), prefix, shallow_ends(repository), _packs(common), tables)


def head_folders(repository: Repository) -> list[str]:
    """Return the folders in which files change when HEAD moves, each that is there once."""
    places = [repository.private, repository.common]
    for name in (f"{_TABLES}/tables.list", *follow_head(repository).refs):
        steps = name.split("/")[:-1]
        for folder in repository[:2]:
            places += [os.path.join(folder, *steps[:end]) for end in range(1, len(steps) + 1)]
    return [place for place in dict.fromkeys(places) if os.path.isdir(place)]


def shallow_ends(repository: Repository) -> bytes:
    """Return what `Standing.shallow` holds: ids, a line each."""
    return _look(os.path.join(repository.common, "shallow"))


def worktrees_below(repository: Repository | None, root: str) -> list[str]:
    """Return the linked worktrees that lie in a folder of a checkout, as paths from it, sorted."""
    # Those of a repository without a checkout of its own are no copies of one.
    if repository is None or not os.path.exists(os.path.join(repository.private, "index")):
        return []
    linked = os.path.join(repository.common, "worktrees")
    try:
        names = os.listdir(linked)
    except OSError:
        return []
    top, found = os.path.realpath(root), []
    for name in names:
        private = os.path.realpath(os.path.join(linked, name))
        place = os.path.realpath(os.path.join(private, os.fsdecode(_look(os.path.join(private, "gitdir")).strip())))
        # What is noted may be gone, or another folder by now.
        if is_below(place, top) and _pointed(place) == private:
            found.append(place)
        else:
            found += _copied_worktree(place, top, name)
    return sorted(os.path.relpath(os.path.dirname(place), top).replace(os.sep, "/") for place in found)


def _copied_worktree(noted: str, top: str, name: str) -> list[str]:
    """Return the `.git` file of a linked worktree that came along when the checkout around it was copied.

    Both still note where the original is: so the worktree lies where the end of the noted path leads.
    """
    steps = noted.split(os.sep)
    for start in range(1, len(steps) - 1):
        place = os.path.join(top, *steps[start:])
        if os.path.isfile(place) and _pointed(place).split(os.sep)[-2:] == ["worktrees", name]:
            return [place]
    return []


def _packs(common: str) -> bytes:
    try:
        names = sorted(os.listdir(os.path.join(common, "objects", "pack")))
    except OSError:
        return b""
    # git marks each pack that came without what its objects refer to.
    is_partial = any(name.endswith(".promisor") for name in names)
    return os.fsencode("\n".join(name for name in names if name.endswith(".pack"))) if is_partial else b""


def _follow(repository: Repository, text: bytes) -> ResolvedHead:
    refs: tuple[str, ...] = ()
    for _ in range(_MOST_STEPS):
        text = text.strip()
        if _ID.fullmatch(text):
            return ResolvedHead(text.decode(), refs)
        name = text.removeprefix(b"ref:").strip()
        if name == text or not _is_plain(name) or _has_tables(repository):
            return ResolvedHead(UNKNOWN, refs)
        refs = (*refs, os.fsdecode(name))
        try:
            text = _ref(repository, name)
        except StorageError:
            return ResolvedHead(UNKNOWN, refs)
        if not text:
            return ResolvedHead("", refs)
    return ResolvedHead(UNKNOWN, refs)


def _is_plain(name: bytes) -> bool:
    """Tell whether a ref is one that lies in a file below `refs/`."""
    return name.startswith(b"refs/") and b".." not in name and b"\0" not in name


def _has_tables(repository: Repository) -> bool:
    """Tell whether refs are kept in a binary format; their files, if there are any, are then no refs."""
    return os.path.isdir(os.path.join(repository.common, _TABLES))


def _ref(repository: Repository, name: bytes) -> bytes:
    path = os.fsdecode(name).split("/")
    for folder in dict.fromkeys((repository.private, repository.common)):
        place = os.path.join(folder, *path)
        found = b"" if os.path.isdir(place) else _read(place)
        if found.strip():
            return found
    packed = b"\n" + (read_bytes(os.path.join(repository.common, "packed-refs")) or b"")
    end = packed.find(b" " + name + b"\n")
    return packed[packed.rfind(b"\n", 0, end) + 1 : end] if end >= 0 else b""


def _pointed(place: str) -> str:
    """Return the folder a `.git` is or, as a file, names; empty when it is neither."""
    if os.path.isdir(place):
        return place
    try:
        text = _read(place) if os.path.isfile(place) else b""
    except StorageError:
        return ""
    if not text.startswith(b"gitdir:"):
        return ""
    return os.path.realpath(os.path.join(os.path.dirname(place), os.fsdecode(text[7:].strip())))


def _common(private: str) -> str:
    try:
        name = os.fsdecode(_read(os.path.join(private, "commondir"))).strip()
    except StorageError:
        name = ""
    return os.path.realpath(os.path.join(private, name)) if name else private


def _is_whole(private: str, common: str) -> bool:
    """Tell whether git would take a folder for a repository, if it may look; it looks further up when it is none."""
    try:
        os.lstat(os.path.join(private, "HEAD"))
        return stat.S_ISDIR(os.stat(os.path.join(common, "objects")).st_mode)
    except PermissionError:
        return True  # what cannot be read is not absent, and is told
    except OSError:
        return False


def _look(place: str) -> bytes:
    try:
        return _read(place)
    except StorageError:
        return b""


def _read(place: str) -> bytes:
    return read_bytes(place, LARGEST_SMALL_FILE) or b""
