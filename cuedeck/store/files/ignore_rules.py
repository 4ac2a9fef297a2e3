"""Ignore rules of git and of the workspace, which decide which files are read.

As in git, `.gitignore` rules hide only untracked files and do not apply inside a nested
repository. Rules of the workspace hide every path they match. The ignore file of the
user (`core.excludesFile`) counts last, as in git: it is an input of a scene.

Linked worktrees inside the workspace are always skipped, because they are copies of
files that are read anyway.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.model.paths import CARDS, DOCS
from cuedeck.store.files.disk import look_at
from cuedeck.store.files.nofollow import LARGEST_SMALL_FILE
from cuedeck.store.git.head import core_values, find_repository, worktrees_below

if TYPE_CHECKING:
    from cuedeck.parse.gitignore import Rules
    from cuedeck.store.git.head import Repository

GIT_RULES = ".gitignore"
RULE_FILES = (".cuedeckignore", ".ignore", GIT_RULES)
"""Ignore file names, in order of precedence within one folder."""
NEVER = frozenset({".git", ".hg", ".svn", ".jj"})
ALWAYS_IGNORED = ("node_modules/", "__pycache__/", ".venv/", ".tox/")
"""Patterns ignored unless another rule re-includes them."""
_REPOSITORY = ".git"
HOME_FOLDERS = (CARDS, DOCS)
"""The folders of `.cuedeck/` that are read; no ignore rule hides them."""


class _Rules(NamedTuple):
    """Rules of one ignore file. They are matched against `prefix` plus the part of a
    path from `start` on.
    """

    start: int
    prefix: str
    rules: Rules
    is_git: bool

    def verdict(self, path: str, is_folder: bool) -> bool | None:
        return self.rules.verdict(self.prefix + path[self.start :], is_folder)


class IgnoreRules:
    """All ignore rules of a workspace, read when the scan reaches a folder.

    Precedence: the settings, then the ignore files from the nearest folder up to those
    above the workspace.
    """

    def __init__(
        self, root: str, own: Sequence[str] = (), tracked: Iterable[str] = ()
    ) -> None:
        """Create the rules; `tracked` are the paths that git tracks although its rules
        hide them (`TrackedFiles`).
        """
        from cuedeck.parse.gitignore import Rules

        self._root = root
        self._tracked = frozenset(tracked)
        repository = find_repository(root)
        self._copies = frozenset(worktrees_below(repository, root))
        self._ways = folders_above(self._tracked)
        self._opened: dict[str, bool] = {}
        self._own = Rules(own)
        above = []
        top = os.path.realpath(root)
        for base, place in files_outside(repository, root):
            below = os.path.relpath(top, base).replace(os.sep, "/")
            prefix = "" if below == "." else f"{below}/"
            above.append(_Rules(0, prefix, read_rules(place), is_git=True))
        steps = repository.prefix.split("/")[:-1] if repository else ()
        self._is_hidden = _hide_workspace(above, steps)
        # A workspace in an ignored folder must still be readable.
        self._above = [] if self._is_hidden else above
        self._always = Rules(ALWAYS_IGNORED)
        self._chains: dict[str, list[_Rules]] = {}

    def ignored(self, path: str, is_folder: bool) -> bool:
        """Return whether a rule hides `path`, assuming that its parent folders are
        visible.
        """
        if path == ".cuedeck" or path.startswith(".cuedeck/"):
            return not in_home(path, is_folder)
        if not NEVER.isdisjoint(path.split("/")):
            return True
        if is_folder and path in self._copies:
            return True
        if path in (self._ways if is_folder else self._tracked):
            return self._hides(path, is_folder, is_tracked=True)
        return self._is_opened(path.rpartition("/")[0]) or self._hides(
            path, is_folder, is_tracked=False
        )

    def keep_out(self, path: str) -> bool:
        """Return whether a rule hides a file or a folder above it; the file need not
        exist.
        """
        steps = path.split("/")
        for end in range(1, len(steps)):
            if self.ignored("/".join(steps[:end]), True):
                return True
        return self.ignored(path, False)

    def git_hides(self, path: str, is_folder: bool) -> bool:
        """Return whether an ignore rule hides a path, or a folder above it, from git,
        as long as git does not track it.
        """
        steps = path.split("/")
        for end in range(1, len(steps) + 1):
            part = "/".join(steps[:end])
            for rules in self._chain(part.rpartition("/")[0]):
                verdict = None
                if rules.is_git:
                    verdict = rules.verdict(part, is_folder or end < len(steps))
                if verdict:
                    return True
                if verdict is not None:
                    break
        return self._is_hidden

    def _is_repository(self, folder: str) -> bool:
        return os.path.lexists(os.path.join(self._root, folder, _REPOSITORY))

    def _is_opened(self, folder: str) -> bool:
        """Return whether git's rules hide a folder that is scanned only because tracked
        files are below it.
        """
        if folder not in self._ways:
            return False
        if folder not in self._opened:
            above = self._is_opened(folder.rpartition("/")[0])
            is_hidden = above or self._hides(folder, True, is_tracked=False)
            self._opened[folder] = is_hidden and not self._is_repository(folder)
        return self._opened[folder]

    def _hides(self, path: str, is_folder: bool, *, is_tracked: bool) -> bool:
        """Return whether the rules hide a path; git's rules cannot hide a tracked path
        or a folder above one.
        """
        verdict = self._own.verdict(path, is_folder)
        for rules in self._chain(path.rpartition("/")[0]):
            if verdict is not None:
                break
            verdict = rules.verdict(path, is_folder)
            if verdict and rules.is_git and is_tracked:
                verdict = None
        if verdict is None:
            verdict = self._always.verdict(path, is_folder)
        return bool(verdict)

    def _chain(self, folder: str) -> list[_Rules]:
        """Return the rules of a folder and of those above it, nearest first."""
        if folder not in self._chains:
            above = self._chain(folder.rpartition("/")[0]) if folder else self._above
            if folder and self._is_repository(folder):
                above = [rules for rules in above if not rules.is_git]
            self._chains[folder] = [*self._rules(folder), *above]
        return self._chains[folder]

    def _rules(self, folder: str) -> Iterator[_Rules]:
        start = 0
        if folder:
            start = len(folder) + 1
        for name in RULE_FILES:
            rules = read_rules(os.path.join(self._root, folder, name))
            if rules:
                yield _Rules(
                    start=start, prefix="", rules=rules, is_git=name == GIT_RULES
                )


def in_home(path: str, is_folder: bool) -> bool:
    """Return whether a path of `.cuedeck/` is read: cards, docs, and the folders that
    contain them.
    """
    if is_folder and path in (".cuedeck", *HOME_FOLDERS):
        return True
    return any(path.startswith(f"{folder}/") for folder in HOME_FOLDERS)


def files_outside(repository: Repository | None, root: str) -> list[tuple[str, str]]:
    """Return the ignore files outside the scanned tree that apply to it, each after the
    folder to which its patterns are relative: nearest first, then `info/exclude` and
    the file of the user.
    """
    if repository is None:
        return []
    folder = os.path.realpath(root)
    found = []
    for _ in range(repository.prefix.count("/")):
        folder = os.path.dirname(folder)
        found.append((folder, os.path.join(folder, GIT_RULES)))
    exclude = os.path.join(repository.common, "info", "exclude")
    return [*found, (folder, exclude), (folder, user_excludes())]


def read_rules(place: str) -> Rules:
    """Return the rules of an ignore file; no rules if it is missing or unreadable."""
    from cuedeck.parse.gitignore import parse_rules

    return parse_rules(look_at_rules(place).decode("utf-8", "surrogateescape"))


def look_at_rules(place: str) -> bytes:
    """Return the content of an ignore file; empty if it is missing, unreadable or a
    link that git would not follow.
    """
    # As in git: a symbolic link is not followed for an ignore file, but is followed for
    # `info/exclude`.
    if os.path.basename(place) in RULE_FILES and os.path.islink(place):
        return b""
    if not os.path.isfile(place):
        return b""
    return look_at(place, LARGEST_SMALL_FILE)


def user_excludes() -> str:
    """Return the path of the ignore file of the user; the file may be missing.

    It is the file that `core.excludesFile` names in the user's own settings of git, by
    default `git/ignore` in the folder of settings. Settings of the repository are not
    read: they may name any file. Settings that others include are not read either.
    """
    home = os.path.expanduser("~")
    folder = os.environ.get("XDG_CONFIG_HOME") or os.path.join(home, ".config")
    folder = os.path.join(folder, "git")
    settings = [os.path.join(home, ".gitconfig"), os.path.join(folder, "config")]
    chosen = os.environ.get("GIT_CONFIG_GLOBAL")
    if chosen is not None:
        settings = [chosen]
    for place in settings:
        named = core_values(place, "excludesfile")
        if named and named[-1]:
            return os.path.expanduser(named[-1])
    return os.path.join(folder, "ignore")


def _hide_workspace(rule_files: Sequence[_Rules], steps: Sequence[str]) -> bool:
    """Return whether rules hide one of the folders, from the top of the repository on,
    that lead to the workspace.
    """
    for end in range(1, len(steps) + 1):
        for rules in rule_files:
            base = len(steps) - rules.prefix.count("/")
            verdict = None
            if base < end:  # rules of a folder do not apply to its parents
                verdict = rules.rules.verdict("/".join(steps[base:end]), True)
            if verdict:
                return True
            if verdict is not None:
                break
    return False


def folders_above(paths: Iterable[str]) -> frozenset[str]:
    """Return all folders above some paths."""
    found: set[str] = set()
    for path in paths:
        folder = path.rpartition("/")[0]
        while folder and folder not in found:
            found.add(folder)
            folder = folder.rpartition("/")[0]
    return frozenset(found)
