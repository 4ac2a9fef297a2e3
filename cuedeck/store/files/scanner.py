"""Scan of the workspace tree by directory listings and stat, without reading files."""

from __future__ import annotations

import os
import posixpath
import stat
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from cuedeck.model.diagnostic import Diagnostic
from cuedeck.model.errors import StorageError
from cuedeck.model.paths import HOME
from cuedeck.store.files.fingerprint import FileStamp
from cuedeck.store.files.ignore_rules import (
    NEVER,
    RULE_FILES,
    IgnoreRules,
    folders_above,
    in_home,
)
from cuedeck.store.files.nofollow import is_below

LINK = "link"
BORDER = "git"
SETTINGS = "env"
"""Sorts of special paths: a visible symbolic link, the `.git` of a repository, where
the git rules of parent folders end, and an ignored `.env` file.
"""


class Scan:
    """One scan of the tree, or of parts of it, compared with the known files.

    A known file and the folders above it are visible as long as the ignore rules are
    the same. The rules are evaluated for other paths, and with `asks` for all.
    """

    def __init__(
        self,
        root: str,
        known: Mapping[str, FileStamp],
        rules: Callable[[], IgnoreRules],
        *,
        asks: bool = False,
    ) -> None:
        self._root = root
        self._known = known
        self._visible: Collection[str] = () if asks else known
        self._visible_folders: Collection[str] = ()
        self._rules = rules
        self._folders: list[str] = []
        self.seen: set[str] = set()
        """All visible files."""
        self.suspects: list[str] = []
        """Visible files that are new or whose fingerprint does not prove them
        unchanged, sorted.
        """
        self.special: dict[str, str] = {}
        """Sorts of the special paths."""
        self.problems: list[Diagnostic] = []
        """Sorted."""

    def look(self) -> None:
        """Scan the whole tree. Raises: StorageError if the root cannot be listed."""
        self._visible_folders = folders_above(self._visible)
        self._folders = [""]
        self._walk()
        self._finish(self.seen.__contains__)

    def look_at(
        self, areas: Iterable[str], links: Iterable[str], visible: Callable[[str], bool]
    ) -> None:
        """Scan the given paths with everything below them, and the given links outside
        them.

        The parent folders of an area must be visible. `visible` returns whether a file
        outside the areas is visible.
        """
        for path in areas:
            try:
                self._see(path, os.lstat(os.path.join(self._root, path)))
            except (OSError, ValueError):
                continue
        self._walk()
        self.special.update(dict.fromkeys(links, LINK))
        self._finish(lambda path: path in self.seen or visible(path))

    def _finish(self, visible: Callable[[str], bool]) -> None:
        # Resolve all links before adding any: a link is read only if its final target
        # is a visible file, not a link.
        links = [path for path, sort in self.special.items() if sort == LINK]
        targets = [(path, _follow(self._root, path, visible)) for path in links]
        for path, found in targets:
            if isinstance(found, os.stat_result):
                self._take_in(path, found)
            elif found is not None:
                self.problems.append(found)
        self.suspects.sort()
        self.problems.sort()

    def _walk(self) -> None:
        while self._folders:
            folder = self._folders.pop()
            prefix = f"{folder}/" if folder else ""
            try:
                with os.scandir(os.path.join(self._root, folder)) as entries:
                    for entry in entries:
                        try:
                            now = entry.stat(follow_symlinks=False)
                        except FileNotFoundError:  # deleted during the scan
                            continue
                        self._see(prefix + entry.name, now)
            except (FileNotFoundError, NotADirectoryError):
                if not folder:
                    raise StorageError(
                        f"{self._root} does not exist",
                        hint="go to a folder that exists",
                    ) from None
            except OSError as error:
                hint = "check its permissions"
                if not folder:
                    message = f"cannot list {self._root}: {error.strerror}"
                    raise StorageError(message, hint=hint) from error
                message = f"cannot list the folder: {error.strerror}"
                self._report(folder, "unreadable", message, hint)

    def _see(self, path: str, now: os.stat_result) -> None:
        """Take in a path with its status, unless it is hidden."""
        is_file = stat.S_ISREG(now.st_mode)
        is_folder = stat.S_ISDIR(now.st_mode)
        if is_file and path in self._visible:
            self._take_in(path, now)
        elif is_folder and path in self._visible_folders:
            self._folders.append(path)
        elif self._is_hidden(path, is_file=is_file, is_folder=is_folder):
            return
        elif not _is_utf8(path):
            shown = os.fsencode(path).decode("utf-8", "backslashreplace")
            message = "the file name is not valid UTF-8"
            self._report(shown, "bad-name", message, "rename it; it is not read")
        elif is_folder:
            self._folders.append(path)
        elif is_file:
            self._take_in(path, now)
        elif stat.S_ISLNK(now.st_mode):
            self.special[path] = LINK

    def _is_hidden(self, path: str, *, is_file: bool, is_folder: bool) -> bool:
        name = posixpath.basename(path)
        if name in NEVER:
            if name == ".git":
                self.special[path] = BORDER
            return True
        if path == HOME or path.startswith(f"{HOME}/"):
            return not in_home(path, is_folder)
        # Ignore files are always read, even if a rule hides them: their rules apply to
        # all other files.
        if is_file and name in RULE_FILES:
            return False
        if not self._rules().ignored(path, is_folder):
            return False
        if is_file and name.startswith(".env") and _is_utf8(path):
            self.special[path] = SETTINGS
        return True

    def _take_in(self, path: str, now: os.stat_result) -> None:
        """Record a visible file, and mark it as suspect if it may have changed."""
        self.seen.add(path)
        before = self._known.get(path)
        if before is None or not before.trusts(now):
            self.suspects.append(path)

    def _report(self, path: str, code: str, message: str, hint: str) -> None:
        self.problems.append(Diagnostic(path, 0, "warning", code, message, hint))


def is_rule_file(path: str) -> bool:
    """Return whether a path is an ignore file whose rules apply (those in `.cuedeck/`
    do not).
    """
    is_own = path.startswith(f"{HOME}/")
    return posixpath.basename(path) in RULE_FILES and not is_own


def _is_utf8(path: str) -> bool:
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


def _follow(
    root: str, path: str, visible: Callable[[str], bool]
) -> os.stat_result | Diagnostic | None:
    """Return the status of the target of a link, or a diagnostic if the link is not
    read; None if it is not a link.

    A link is read only if its target is a `visible` file, so that no link bypasses the
    ignore rules or the border of the workspace. Links to folders are not followed.
    """
    place = os.path.join(root, path)
    if not os.path.islink(place):
        return None
    real = os.path.realpath(place)
    try:
        found = os.stat(real)
    except (OSError, ValueError):
        return _unread(path, "leads nowhere")
    if real != root and not is_below(real, root):
        return _unread(path, "leaves the workspace")
    if stat.S_ISDIR(found.st_mode):
        return _unread(path, "leads to a folder")
    target = os.path.relpath(real, root).replace(os.sep, "/")
    if not stat.S_ISREG(found.st_mode) or not visible(target):
        return _unread(path, "leads to a file that is not read")
    return found


def _unread(path: str, reason: str) -> Diagnostic:
    message = f"the symbolic link {reason}; it is not read"
    hint = "point it at a file of the workspace that is read"
    return Diagnostic(path, 0, "info", "link", message, hint)


MOST_FILES = 20_000
"""Files of one folder that are read."""


class ExtraRoot(NamedTuple):
    """A folder or file that the settings name."""

    name: str
    """Its name in addresses, unique among the roots."""
    written: str
    """The path as the settings contain it."""
    place: str
    """Its real path."""


def extra_roots(written: tuple[str, ...], root: str) -> tuple[ExtraRoot, ...]:
    """Return the roots of the paths in the settings, in their order.

    A relative path is relative to the folder `root` of the workspace. Of two roots of
    the same name, the second is called `notes-2`. A path that is given twice counts
    once.
    """
    found: dict[str, ExtraRoot] = {}
    names: set[str] = set()
    for text in written:
        named = os.path.join(root, os.path.expanduser(text))
        place = os.path.realpath(named)
        if place in found:
            continue
        base = os.path.basename(place) or "root"
        name, number = base, 1
        while name in names:
            number += 1
            name = f"{base}-{number}"
        names.add(name)
        found[place] = ExtraRoot(name, text, place)
    return tuple(found.values())


def extra_files(root: ExtraRoot, workspace: str) -> Iterator[tuple[str, str]]:
    """Yield the relative path (empty for a root that is a file) and the absolute path
    of each Markdown file of a root, sorted.

    Names that begin with a dot are left out, and so is every file whose real path is
    outside the root or inside the folder `workspace`.
    """
    if os.path.isfile(root.place):
        if is_markdown(root.place) and not is_below(root.place, workspace):
            yield "", root.place
        return
    count = 0
    for folder, folders, names in os.walk(root.place):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(filter(is_markdown, names)):
            place = os.path.join(folder, name)
            real = os.path.realpath(place)
            is_outside = not is_below(real, root.place) or is_below(real, workspace)
            if is_outside or not os.path.isfile(real):
                continue
            count += 1
            if count > MOST_FILES:
                return
            relative = os.path.relpath(place, root.place)
            yield relative.replace(os.sep, "/"), place


def is_markdown(name: str) -> bool:
    """Return whether a path names a Markdown file that is not hidden."""
    base = os.path.basename(name)
    return base.lower().endswith(".md") and not base.startswith(".")
