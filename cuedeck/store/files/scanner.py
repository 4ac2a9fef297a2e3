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
        return self._finish(lambda path: False)

    def look_at(
        self, areas: Iterable[str], links: Iterable[str], visible: Callable[[str], bool]
    ) -> Scan:
        """Scan the given paths with everything below them, and the given links outside
        them, without `ask`.

        The parent folders of an area must be visible. `visible` returns whether a file
        outside the areas is visible. Raises: RulesChanged.
        """
        for path in areas:
            now = _status(os.path.join(self._root, path))
            if now is not None:
                self._see(path, now)
        self._walk()
        self._links += links
        return self._finish(visible)

    def _finish(self, visible: Callable[[str], bool]) -> Scan:
        self._follow_links(lambda path: path in self._found.seen or visible(path))
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
        for entry in entries:
            try:
                now = entry.stat(follow_symlinks=False)
            except FileNotFoundError:  # deleted during the scan
                continue
            self._see(prefix + entry.name, now)

    def _see(self, path: str, now: os.stat_result) -> None:
        """Take in a known file, which is visible as long as the rules are the same;
        evaluate the rules for any other path, or reuse the stored verdict if the path
        is still of the same kind.
        """
        is_file = stat.S_ISREG(now.st_mode)
        if is_file and not self._ask and path in self._known:
            self._take_in(path, now)
            return
        is_folder = stat.S_ISDIR(now.st_mode)
        verdict = self._old.get(path)
        if verdict is None or (verdict in (FOLDER, HIDDEN_FOLDER)) is not is_folder:
            if self._is_hidden(path, is_file=is_file, is_folder=is_folder):
                verdict = HIDDEN_FOLDER if is_folder else HIDDEN
            else:
                verdict = FOLDER if is_folder else SPECIAL
        if not _is_utf8(path):
            if verdict in (FOLDER, SPECIAL):
                shown = os.fsencode(path).decode("utf-8", "backslashreplace")
                message = "the file name is not valid UTF-8"
                self._report(shown, "bad-name", message, "rename it; it is not read")
        elif verdict in (HIDDEN, HIDDEN_FOLDER):
            self._found.verdicts[path] = verdict
        elif is_folder:
            self._found.verdicts[path] = FOLDER
            self._folders.append(path)
        elif is_file:
            self._take_in(path, now)
        else:
            self._found.verdicts[path] = SPECIAL
            self._links.append(path)

    def _is_hidden(self, path: str, *, is_file: bool, is_folder: bool) -> bool:
        if posixpath.basename(path) in NEVER:
            if not self._ask and is_border(path):
                raise RulesChanged
            return True
        # Ignore files are always read, even if a rule hides them: their rules apply to
        # all other files.
        if is_file and is_rule_file(path):
            if not self._ask and path not in self._known:
                raise RulesChanged
            return False
        return self._rules().ignored(path, is_folder)

    def _take_in(self, path: str, now: os.stat_result) -> None:
        """Record a visible file, and mark it as suspect if it may have changed."""
        self._found.seen.add(path)
        before = self._known.get(path)
        if before is not None and before.trusts(now):
            return
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


def _status(place: str) -> os.stat_result | None:
    try:
        return os.lstat(place)
    except (OSError, ValueError):
        return None


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
