"""Repository discovery and the commit of HEAD, read from a few small files without a
git process.

As in git, the repository is searched in the folder and its parents. Environment
variables are ignored, because a git hook sets them, possibly for another repository.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from typing import NamedTuple

from cuedeck.model.errors import StorageError
from cuedeck.store.files.disk import read_bytes
from cuedeck.store.files.nofollow import LARGEST_SMALL_FILE, is_below

UNKNOWN = "unknown"
_ID = rb"[0-9a-f]{40}(?:[0-9a-f]{24})?"
_TABLES = "reftable"
LINKED = "worktrees"
_PARTS = ("", "HEAD", "index", "packed-refs", "refs", "objects", _TABLES)
"""Files and folders of a repository whose content is shown or leads to shown content.
"""
_MOST_STEPS = 5
"""Maximum length of a chain of symbolic refs, as in git."""


class Repository(NamedTuple):
    """The folders of a repository, and the position of the workspace in its tree."""

    private: str
    """The folder with HEAD: of the repository, or of a linked worktree."""
    common: str
    """The folder with refs and objects."""
    prefix: str
    """Path of the workspace in the tree, with a slash at its end; empty for the top."""

    def top(self, root: str) -> str:
        """Return the top folder of the checkout that contains a workspace."""
        folder = os.path.realpath(root)
        for _ in range(self.prefix.count("/")):
            folder = os.path.dirname(folder)
        return folder


class ResolvedHead(NamedTuple):
    """The commit of HEAD, and the refs that lead to it."""

    commit: str
    """As `read_head` returns it."""
    refs: tuple[str, ...]
    """The refs on the way, such as `refs/heads/main`."""


class HistoryKey(NamedTuple):
    """Inputs that determine a history, as far as they can be read without git."""

    head: str
    """As `read_head` returns it."""
    prefix: str
    """As in `Repository`."""
    shallow: bytes
    """Boundary commits of a shallow clone, in git's format; empty for a complete clone.
    """
    packs: bytes
    """Names of the packs of a partial clone; empty for any other clone."""
    tables: bytes
    """List of the reftable files, which changes with every ref; empty without
    reftables.
    """

    @property
    def is_certain(self) -> bool:
        """Whether an equal key means an equal history; if False, only git can decide
        it.
        """
        return self.head != UNKNOWN or bool(self.tables)


def read_head(root: str) -> str:
    """Return the id of the commit of HEAD.

    Empty without a repository or a commit; `unknown` if only git itself can read it.
    """
    repository = find_repository(root)
    return follow_head(repository).commit if repository else ""


def find_repository(root: str) -> Repository | None:
    """Return the repository whose tree contains the folder; None also for one that
    `foreign_part` refuses.
    """
    located = _locate(root)
    if located is None or _outside(*located):
        return None
    return located[0]


def main_worktree(root: str) -> str:
    """Return the top folder of the main worktree of the repository that contains a
    folder; the top of the checkout for a bare repository, the folder itself without a
    repository.
    """
    repository = find_repository(root)
    if repository is None:
        return os.path.realpath(root)
    above, name = os.path.split(os.path.realpath(repository.common))
    return above if name == ".git" else repository.top(root)


def foreign_part(root: str) -> str:
    """Return the folder or file outside of the checkout that prevents the use of its
    repository, else "".

    The `.git` of an archive may be a file or a link that leads to another repository of
    the user, or contain links to parts of one. Its commits and file names would be
    shown as those of the workspace. A folder outside of the checkout is used only if it
    names the checkout, as for linked worktrees and submodules. Objects of `alternates`
    are reached by their hash alone, so the author of the archive knows them already.
    """
    located = _locate(root)
    return _outside(*located) if located else ""


def _locate(root: str) -> tuple[Repository, str] | None:
    """Return the repository that git would use for a folder, and the top of its
    checkout.
    """
    folder, prefix = os.path.realpath(root), ""
    while True:
        private = pointed_folder(os.path.join(folder, ".git"))
        if private:
            common = _common(private)
            if _is_whole(private, common):
                return Repository(private, common, prefix), folder
        above, name = os.path.split(folder)
        if above == folder:
            return None
        folder, prefix = above, f"{name}/{prefix}"


def _outside(repository: Repository, top: str) -> str:
    """Return the part of a repository that is outside of a checkout and does not name
    it, else "".
    """
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
    """Return whether a linked worktree, or a setting of a repository, names a folder as
    its checkout.
    """
    noted = _look(os.path.join(private, "gitdir")).strip()  # of a linked worktree
    named = [os.fsdecode(os.path.dirname(noted))]
    for name in ("config", "config.worktree"):
        named += core_values(os.path.join(private, name), "worktree")
    places = [os.path.join(private, each) for each in named if each]
    return any(os.path.realpath(place) == top for place in places)


def core_values(place: str, key: str) -> list[str]:
    """Return the values of a key of the section `core` in a settings file of git."""
    found: list[str] = []
    for section in re.split(r"(?m)^[ \t]*\[", os.fsdecode(_look(place))):
        if re.match(r"(?i)core[ \t]*\]", section):
            values = re.findall(rf"(?im)^[ \t]*{key}[ \t]*=([^\n]*)", section)
            found += [value.strip('" \t\r') for value in values]
    return found


def follow_head(repository: Repository) -> ResolvedHead:
    """Return the commit of HEAD, and the refs that lead to it."""
    place = os.path.join(repository.private, "HEAD")
    try:
        # The oldest form of a symbolic ref is a symbolic link.
        link = ""
        if os.path.islink(place):
            link = os.readlink(place)
        text = f"ref: {link}".encode() if link.startswith("refs/") else _read(place)
        refs: tuple[str, ...] = ()
        for _ in range(_MOST_STEPS):
            text = text.strip()
            if re.fullmatch(_ID, text):
                return ResolvedHead(text.decode(), refs)
            name = text.removeprefix(b"ref:").strip()
            if (
                name == text
                or not _is_plain(name)
                or os.path.isdir(os.path.join(repository.common, _TABLES))
            ):
                return ResolvedHead(UNKNOWN, refs)
            refs = (*refs, os.fsdecode(name))
            try:
                text = _ref(repository, name)
            except StorageError:
                return ResolvedHead(UNKNOWN, refs)
            if not text:
                return ResolvedHead("", refs)
        return ResolvedHead(UNKNOWN, refs)
    except (StorageError, OSError):
        return ResolvedHead(UNKNOWN, ())


def history_key_of(repository: Repository | None) -> HistoryKey:
    """Return the key of a repository's history; all fields are empty without a
    repository.
    """
    if repository is None:
        return HistoryKey(head="", prefix="", shallow=b"", packs=b"", tables=b"")
    private, common, prefix = repository
    head = follow_head(repository).commit
    tables = b"".join(
        _look(os.path.join(folder, _TABLES, "tables.list"))
        for folder in (private, common)
    )
    return HistoryKey(
        head=head,
        prefix=prefix,
        shallow=_look(os.path.join(common, "shallow")),
        packs=_packs(common),
        tables=tables,
    )


def worktrees_below(repository: Repository | None, root: str) -> list[str]:
    """Return the linked worktrees in a folder of a checkout, as sorted paths relative
    to it.
    """
    # The worktrees of a bare repository are not copies of a checkout.
    if repository is None or not os.path.exists(
        os.path.join(repository.private, "index")
    ):
        return []
    top = os.path.realpath(root)
    found = []
    for private, place in linked_worktrees(repository):
        # The noted folder may be deleted, or replaced by another one.
        if is_below(place, top) and pointed_folder(place) == private:
            found.append(place)
    folders = [os.path.relpath(os.path.dirname(place), top) for place in found]
    return sorted(folder.replace(os.sep, "/") for folder in folders)


def linked_worktrees(repository: Repository) -> Iterator[tuple[str, str]]:
    """Yield the private folder of each linked worktree, and the `.git` file that it
    names.
    """
    linked = os.path.join(repository.common, LINKED)
    try:
        names = os.listdir(linked)
    except OSError:
        return
    for name in names:
        private = os.path.realpath(os.path.join(linked, name))
        noted = os.fsdecode(_look(os.path.join(private, "gitdir")).strip())
        yield private, os.path.realpath(os.path.join(private, noted))


def _packs(common: str) -> bytes:
    """Return the names of the packs of a partial clone; empty for any other clone."""
    try:
        names = sorted(os.listdir(os.path.join(common, "objects", "pack")))
    except OSError:
        return b""
    # git marks each pack whose objects may refer to missing ones.
    is_partial = any(name.endswith(".promisor") for name in names)
    if not is_partial:
        return b""
    return os.fsencode("\n".join(name for name in names if name.endswith(".pack")))


def _is_plain(name: bytes) -> bool:
    """Return whether a ref is stored in a file below `refs/`."""
    if not name.startswith(b"refs/"):
        return False
    if b".." in name:
        return False
    return b"\0" not in name


def _ref(repository: Repository, name: bytes) -> bytes:
    """Return the content of a ref; empty if it does not exist. Raises: StorageError."""
    path = os.fsdecode(name).split("/")
    for folder in dict.fromkeys((repository.private, repository.common)):
        place = os.path.join(folder, *path)
        found = b""
        if not os.path.isdir(place):
            found = _read(place)
        if found.strip():
            return found
    packed = b"\n" + (read_bytes(os.path.join(repository.common, "packed-refs")) or b"")
    end = packed.find(b" " + name + b"\n")
    if end < 0:
        return b""
    start = packed.rfind(b"\n", 0, end) + 1
    return packed[start:end]


def pointed_folder(place: str) -> str:
    """Return a `.git` folder, or the folder that a `.git` file names; empty if there is
    neither.
    """
    if os.path.isdir(place):
        return place
    try:
        text = b""
        if os.path.isfile(place):
            text = _read(place)
    except StorageError:
        return ""
    if not text.startswith(b"gitdir:"):
        return ""
    named = os.fsdecode(text.removeprefix(b"gitdir:").strip())
    return os.path.realpath(os.path.join(os.path.dirname(place), named))


def _common(private: str) -> str:
    try:
        name = os.fsdecode(_read(os.path.join(private, "commondir"))).strip()
    except StorageError:
        name = ""
    if name:
        return os.path.realpath(os.path.join(private, name))
    return private


def _is_whole(private: str, common: str) -> bool:
    """Return whether git accepts a folder as a repository; if not, git continues with
    the parent folder.
    """
    try:
        os.lstat(os.path.join(private, "HEAD"))
        return stat.S_ISDIR(os.stat(os.path.join(common, "objects")).st_mode)
    except PermissionError:
        return True  # git reports an unreadable repository, and does not continue
    except OSError:
        return False


def _look(place: str) -> bytes:
    try:
        return _read(place)
    except StorageError:
        return b""


def _read(place: str) -> bytes:
    return read_bytes(place, LARGEST_SMALL_FILE) or b""
