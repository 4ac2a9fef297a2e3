"""Scan of the workspace tree by directory listings and stat, without reading files."""

from __future__ import annotations

import os
import posixpath
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping

from cuedeck.model.diagnostic import Diagnostic
from cuedeck.model.errors import StorageError
from cuedeck.store.files.fingerprint import FileStamp
from cuedeck.store.files.ignore_rules import (
    FOLDER,
    HIDDEN,
    HIDDEN_FOLDER,
    NEVER,
    RULE_FILES,
    SPECIAL,
    IgnoreRules,
    is_border,
)
from cuedeck.store.files.nofollow import is_below


class Scan:
    """Result of scanning the tree or parts of it."""

    __slots__ = ("problems", "seen", "suspects", "verdicts")

    def __init__(self) -> None:
        self.seen: set[str] = set()
        """All visible files."""
        self.suspects: list[str] = []
        """Visible files that are new or whose fingerprint does not prove them
        unchanged.
        """
        self.verdicts: dict[str, int] = {}
        self.problems: list[Diagnostic] = []


class RulesChanged(Exception):
    """Raised if an ignore file or a nested repository changed: stored verdicts are
    invalid for all paths.
    """


class Scanner:
    """One scan of the tree, compared with the known state.

    `verdicts` are the stored results of the ignore rules. With `ask` the rules are
    evaluated again for every path, otherwise only for unknown paths.
    """

    def __init__(
        self,
        root: str,
        known: Mapping[str, FileStamp],
        verdicts: Mapping[str, int],
        rules: Callable[[], IgnoreRules],
        *,
        ask: bool,
    ) -> None:
        self._root = root
        self._known = known
        self._old = {} if ask else verdicts
        self._rules = rules
        self._ask = ask
        self._folders: list[str] = []
        self._links: list[str] = []
        self._found = Scan()

    def look(self) -> Scan:
        """Scan the whole tree.

        Raises: RulesChanged if an ignore file changed or a nested repository appeared
        and `ask` is not set; StorageError if the root cannot be listed.
        """
        self._folders = [""]
        self._walk()
        self._follow_links(self._found.seen.__contains__)
        return self._finish()

    def look_at(
        self, areas: Iterable[str], links: Iterable[str], visible: Callable[[str], bool]
    ) -> Scan:
        """Scan the given paths with everything below them, and the given links outside
        them, without `ask`.

        The parent folders of an area must be visible. `visible` returns whether a file
        outside the areas is visible. Raises: RulesChanged.
        """
        for path in areas:
            entry = LoneEntry(self._root, path)
            if not entry.exists:
                continue
            if path in self._known and entry.is_file(follow_symlinks=False):
                # Visible as long as the rules are the same.
                self._take_in(path, entry.stat(follow_symlinks=False))
            else:
                self._consider(entry, path)
        self._walk()
        self._links += links
        self._follow_links(lambda path: path in self._found.seen or visible(path))
        return self._finish()

    def _finish(self) -> Scan:
        self._found.suspects.sort()
        self._found.problems.sort()
        return self._found

    def _walk(self) -> None:
        while self._folders:
            folder = self._folders.pop()
            try:
                with os.scandir(os.path.join(self._root, folder)) as entries:
                    self._look_into(folder + "/" if folder else "", entries)
            except (FileNotFoundError, NotADirectoryError):
                if not folder:
                    raise StorageError(
                        f"{self._root} does not exist",
                        hint="go to a folder that exists",
                    ) from None
            except OSError as error:
                if not folder:
                    raise StorageError(
                        f"cannot list {self._root}: {error.strerror}",
                        hint="check its permissions",
                    ) from error
                self._report(
                    folder,
                    "unreadable",
                    f"cannot list the folder: {error.strerror}",
                    "check its permissions",
                )

    def _look_into(self, prefix: str, entries: Iterator[os.DirEntry[str]]) -> None:
        known, seen, ask = self._known, self._found.seen, self._ask
        for entry in entries:
            path = prefix + entry.name
            before = known.get(path)
            try:
                if before is None or ask or not entry.is_file(follow_symlinks=False):
                    self._consider(entry, path)
                    continue
                now = entry.stat(follow_symlinks=False)
            except FileNotFoundError:  # deleted during the scan
                continue
            seen.add(path)
            if not before.trusts(now):
                self._suspect(path)

    def _consider(self, entry: os.DirEntry[str] | LoneEntry, path: str) -> None:
        """Evaluate the rules for a path, or reuse the stored verdict if the path is
        still of the same kind.
        """
        is_folder = entry.is_dir(follow_symlinks=False)
        verdict = self._old.get(path)
        if verdict is None or (verdict in (FOLDER, HIDDEN_FOLDER)) is not is_folder:
            if self._is_hidden(entry, path, is_folder):
                verdict = HIDDEN_FOLDER if is_folder else HIDDEN
            else:
                verdict = FOLDER if is_folder else SPECIAL
        if not _is_utf8(path):
            if verdict in (FOLDER, SPECIAL):
                shown = os.fsencode(path).decode("utf-8", "backslashreplace")
                self._report(
                    shown,
                    "bad-name",
                    "the file name is not valid UTF-8",
                    "rename it; it is not read",
                )
        elif verdict in (HIDDEN, HIDDEN_FOLDER):
            self._found.verdicts[path] = verdict
        elif is_folder:
            self._found.verdicts[path] = FOLDER
            self._folders.append(path)
        elif entry.is_file(follow_symlinks=False):
            self._take_in(path, entry.stat(follow_symlinks=False))
        else:
            self._found.verdicts[path] = SPECIAL
            self._links.append(path)

    def _is_hidden(
        self, entry: os.DirEntry[str] | LoneEntry, path: str, is_folder: bool
    ) -> bool:
        if entry.name in NEVER:
            if not self._ask and is_border(path):
                raise RulesChanged
            return True
        # Ignore files are always read, even if a rule hides them: their rules apply to
        # all other files.
        if is_rule_file(path) and entry.is_file(follow_symlinks=False):
            if not self._ask and path not in self._known:
                raise RulesChanged
            return False
        return self._rules().ignored(path, is_folder)

    def _take_in(self, path: str, now: os.stat_result) -> None:
        """Record a visible file, and mark it as suspect if it may have changed."""
        self._found.seen.add(path)
        before = self._known.get(path)
        if before is None or not before.trusts(now):
            self._suspect(path)

    def _suspect(self, path: str) -> None:
        if not self._ask and is_rule_file(path):
            raise RulesChanged
        self._found.suspects.append(path)

    def _follow_links(self, visible: Callable[[str], bool]) -> None:
        # Resolve all links before adding any: a link is read only if its final target
        # is a visible file, not a link.
        targets = [(path, follow(self._root, path, visible)) for path in self._links]
        for path, found in targets:
            if isinstance(found, os.stat_result):
                self._take_in(path, found)
            elif found is not None:
                self._found.problems.append(found)

    def _report(self, path: str, code: str, message: str, hint: str) -> None:
        self._found.problems.append(Diagnostic(path, 0, "warning", code, message, hint))


def is_rule_file(path: str) -> bool:
    """Return whether a path is an ignore file whose rules apply (those in `.cuedeck/`
    do not).
    """
    if posixpath.basename(path) not in RULE_FILES:
        return False
    return not path.startswith(".cuedeck/")


def _is_utf8(path: str) -> bool:
    if path.isascii():
        return True
    try:
        path.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


class LoneEntry:
    """A stand-in for `os.DirEntry` for one path, without listing its folder."""

    def __init__(self, root: str, path: str) -> None:
        self.name = posixpath.basename(path)
        try:
            self._now: os.stat_result | None = os.lstat(os.path.join(root, path))
        except (OSError, ValueError):
            self._now = None

    @property
    def exists(self) -> bool:
        """Whether the path exists."""
        return self._now is not None

    def is_dir(self, *, follow_symlinks: bool) -> bool:
        """Return whether the path is a folder."""
        return stat.S_ISDIR(self.stat(follow_symlinks=follow_symlinks).st_mode)

    def is_file(self, *, follow_symlinks: bool) -> bool:
        """Return whether the path is a regular file."""
        return stat.S_ISREG(self.stat(follow_symlinks=follow_symlinks).st_mode)

    def stat(self, *, follow_symlinks: bool) -> os.stat_result:
        """Return the status of an existing path; links are never followed."""
        assert self._now is not None and not follow_symlinks
        return self._now


def follow(
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
    if not stat.S_ISREG(found.st_mode) or not visible(
        os.path.relpath(real, root).replace(os.sep, "/")
    ):
        return _unread(path, "leads to a file that is not read")
    return found


def _unread(path: str, reason: str) -> Diagnostic:
    message = f"the symbolic link {reason}; it is not read"
    return Diagnostic(
        path,
        0,
        "info",
        "link",
        message,
        "point it at a file of the workspace that is read",
    )
