"""What changed on disk since the index was written: one pass over the tree that only looks, and reads nothing.

A fingerprint is a hint, the content hash is the truth. A file whose times are as young as the moment it was
last hashed may have changed again unseen within one tick of the clock, so it is hashed once more
(git's rule for its own index).
"""

from __future__ import annotations

import os
import posixpath
import stat
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from cuedeck.model.node import Diagnostic
from cuedeck.store.ignore import NEVER, RULE_FILES, IgnoreRules

_TICK_NS = 20_000_000
"""Longest tick of a file system that keeps parts of a second."""
_WHOLE_SECONDS_NS = 2_000_000_000
"""Tick assumed when a time has no parts of a second."""


class Print(NamedTuple):
    """Fingerprint of a file, and the hash its content had at `checked_ns`."""

    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int
    checked_ns: int
    hash: str

    def trusts(self, now: os.stat_result) -> bool:
        """Tell whether the content must still be what was hashed."""
        if (self.size, self.mtime_ns, self.ctime_ns, self.inode) != (
            now.st_size,
            now.st_mtime_ns,
            now.st_ctime_ns,
            now.st_ino,
        ):
            return False
        tick = _TICK_NS if self.mtime_ns % 1_000_000_000 else _WHOLE_SECONDS_NS
        return max(self.mtime_ns, self.ctime_ns) + tick < self.checked_ns


@dataclass(slots=True)
class Scan:
    """The outcome of a look at the tree."""

    suspects: list[str] = field(default_factory=list)
    """New files, and files whose fingerprint is not to be trusted."""
    gone: list[str] = field(default_factory=list)
    verdicts: dict[str, bool] = field(default_factory=dict)
    """What the ignore rules say of folders and of hidden paths, so that the next look need not ask again."""
    problems: list[Diagnostic] = field(default_factory=list)


class RulesChanged(Exception):
    """An ignore file is not the one the stored verdicts come from; look again, asking the rules each time."""


class Scanner:
    """One look at the tree, compared with what is known of it.

    `verdicts` holds, for folders and for hidden paths, what the ignore rules said last time: True hides.
    With `ask` every path is put to the rules again; without it only paths without a verdict, so that a
    tree in which nothing changed never loads them.
    """

    def __init__(
        self,
        root: str,
        known: Mapping[str, Print],
        verdicts: Mapping[str, bool],
        rules: Callable[[], IgnoreRules],
        *,
        ask: bool,
    ) -> None:
        self._root = root
        self._known = known
        self._old = {} if ask else verdicts
        self._rules = rules
        self._ask = ask
        self._seen: set[str] = set()
        self._folders: list[str] = []
        self._found = Scan()

    def look(self, folder: str = "") -> Scan:
        """Look at everything below `folder`.

        Raises: RulesChanged when an ignore file changed and `ask` is not set.
        """
        self._folders = [folder]
        while self._folders:
            self._look_into(self._folders.pop())
        inside = folder + "/" if folder else ""
        found = self._found
        found.gone = sorted(path for path in self._known if path not in self._seen and path.startswith(inside))
        if not self._ask and any(posixpath.basename(path) in RULE_FILES for path in found.gone):
            raise RulesChanged
        found.suspects.sort()
        found.problems.sort()
        return found

    def _look_into(self, folder: str) -> None:
        prefix = folder + "/" if folder else ""
        known, old, seen = self._known, self._old, self._seen
        try:
            with os.scandir(os.path.join(self._root, folder)) as entries:
                for entry in entries:
                    path = prefix + entry.name
                    before = known.get(path)
                    if before is not None and not self._ask and entry.is_file(follow_symlinks=False):
                        seen.add(path)
                        if not before.trusts(entry.stat(follow_symlinks=False)):
                            self._suspect(path)
                        continue
                    hidden = old.get(path)
                    if hidden is None:
                        self._judge(entry, path)
                    elif hidden:
                        self._found.verdicts[path] = True
                    else:
                        self._enter(entry, path)
        except OSError as error:
            if folder:
                message = f"cannot list the folder: {error.strerror}"
                self._found.problems.append(
                    Diagnostic(folder, 0, "warning", "unreadable", message, "check its permissions")
                )

    def _judge(self, entry: os.DirEntry[str], path: str) -> None:
        """Put a path to the rules."""
        if entry.name in NEVER:
            self._found.verdicts[path] = True
            return
        if not _is_utf8(path):
            shown = path.encode("utf-8", "replace").decode()
            self._found.problems.append(
                Diagnostic(
                    shown, 0, "warning", "bad-name", "the file name is not valid UTF-8", "rename it; it is not read"
                )
            )
            return
        is_folder = entry.is_dir(follow_symlinks=False)
        # Ignore files are always read: what they say decides about everything else, even about themselves.
        is_rule = entry.name in RULE_FILES and not is_folder and not path.startswith(".cuedeck/")
        if is_rule and not self._ask and path not in self._known:
            raise RulesChanged
        if not is_rule and self._rules().ignored(path, is_folder):
            self._found.verdicts[path] = True
            return
        self._enter(entry, path)

    def _enter(self, entry: os.DirEntry[str], path: str) -> None:
        """Take in a visible entry: remember a folder for later, suspect a file."""
        if entry.is_dir(follow_symlinks=False):
            self._found.verdicts[path] = False
            self._folders.append(path)
            return
        if entry.is_symlink() and not self._follows(path):
            return
        try:
            now = entry.stat()
        except OSError:
            return
        if not stat.S_ISREG(now.st_mode):
            return
        self._seen.add(path)
        before = self._known.get(path)
        if before is None or not before.trusts(now):
            self._suspect(path)

    def _suspect(self, path: str) -> None:
        if not self._ask and posixpath.basename(path) in RULE_FILES:
            raise RulesChanged
        self._found.suspects.append(path)

    def _follows(self, path: str) -> bool:
        """Read a link only when it leads to a visible file of the same workspace; folders are never followed."""
        real = os.path.realpath(os.path.join(self._root, path))
        if os.path.isdir(real):
            return False
        inside = real.startswith(self._root + os.sep)
        if inside and os.path.isfile(real):
            parts = os.path.relpath(real, self._root).split(os.sep)
            steps = ("/".join(parts[:end]) for end in range(1, len(parts) + 1))
            hidden = any(self._rules().ignored(step, at < len(parts) - 1) for at, step in enumerate(steps))
            return not hidden and not NEVER.intersection(parts)
        reason = "leads nowhere" if inside or not os.path.exists(real) else "leaves the workspace"
        self._found.problems.append(
            Diagnostic(
                path,
                0,
                "info",
                "link",
                f"the symbolic link {reason}; it is not read",
                "point it at a file of the workspace",
            )
        )
        return False


def _is_utf8(path: str) -> bool:
    try:
        path.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
