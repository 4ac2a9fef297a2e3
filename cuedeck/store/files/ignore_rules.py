"""Ignore rules of git and of the workspace, which decide which files are read.

As in git, `.gitignore` rules hide only untracked files and do not apply inside a nested
repository. Rules of the workspace hide every path they match. The ignore file of the
user (`core.excludesFile`) counts last, as in git: it is an input of a scene.

Linked worktrees inside the workspace are always skipped, because they are copies of
files that are read anyway.
"""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.model.paths import CARDS, DOCS
from cuedeck.store.files.disk import look_at
from cuedeck.store.files.nofollow import LARGEST_SMALL_FILE
from cuedeck.store.git.head import find_repository, worktrees_below

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
_SECTION = re.compile(r"(?m)^[ \t]*\[")
_CORE = re.compile(r"core[ \t]*\]", re.I)
_FILE = re.compile(r"(?im)^[ \t]*excludesfile[ \t]*=[ \t]*(.*?)[ \t]*$")
HOME_FOLDERS = (CARDS, DOCS)
"""The folders of `.cuedeck/` that are read; no ignore rule hides them."""


def is_border(path: str) -> bool:
    """Return whether a path is the `.git` of a nested repository, where the git rules
    of parent folders end.
    """
    return posixpath.basename(path) == _REPOSITORY


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
        self._copies = frozenset(worktrees_below(find_repository(root), root))
        self._ways = _folders_above(self._tracked)
        self._opened: dict[str, bool] = {}
        self._own = Rules(own)
        self._above = [
            _Rules(0, prefix, rules, is_git=True)
            for prefix, rules in _rules_above(root)
        ]
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


def outside_rules(root: str) -> list[str]:
    """Return the ignore files outside the scanned tree that apply to it, nearest first,
    `info/exclude` last.
    """
    repository = find_repository(root)
    if not repository:
        return []
    return outside_rules_of(repository, root)


def outside_rules_of(repository: Repository, root: str) -> list[str]:
    """Return the same as `outside_rules`, for a repository that is already known."""
    places: list[str] = []
    folder = os.path.realpath(root)
    for _ in range(repository.prefix.count("/")):
        folder = os.path.dirname(folder)
        places.append(os.path.join(folder, ".gitignore"))
    return [*places, os.path.join(repository.common, "info", "exclude")]


def rules_outside(root: str) -> list[tuple[str, Rules]]:
    """Return (base folder of the patterns, rules) for each file of `outside_rules`, in
    that order, and for the ignore file of the user.
    """
    places = outside_rules(root)
    folders = [os.path.dirname(place) for place in places[:-1]]
    # The patterns of `info/exclude`, the last file, are relative to the top of the
    # repository.
    top = folders[-1] if folders else os.path.realpath(root)
    folders.append(top)
    if places:
        places.append(user_excludes())
        folders.append(top)
    pairs = zip(folders, places, strict=False)
    return [(folder, read_rules(place)) for folder, place in pairs]


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
        named = _named_in(place)
        if named:
            return os.path.expanduser(named)
    return os.path.join(folder, "ignore")


def _named_in(place: str) -> str:
    """Return the value of `core.excludesFile` in a settings file; empty without one."""
    if not os.path.isfile(place):
        return ""
    text = look_at(place, LARGEST_SMALL_FILE).decode("utf-8", "surrogateescape")
    found = ""
    for section in _SECTION.split(text):
        if _CORE.match(section):
            for value in _FILE.findall(section):
                found = value.strip('"')
    return found


def _rules_above(root: str) -> list[tuple[str, Rules]]:
    """Return (path of the workspace relative to the ignore file, its rules), nearest
    first.

    Returns: an empty list if these rules hide the workspace folder itself; a workspace
    created in an ignored folder must still be readable.
    """
    root = os.path.realpath(root)
    outside = rules_outside(root)
    found = [(_below(folder, root), rules) for folder, rules in outside]
    top = outside[-1][0] if outside else root
    steps = _below(top, root).split("/")[:-1]
    for end in range(1, len(steps) + 1):
        if _hides_folder(steps[:end], len(steps), found):
            return []
    return found


def _hides_folder(
    folder: Sequence[str], depth: int, rule_files: Iterable[tuple[str, Rules]]
) -> bool:
    """Return whether rules hide a folder above the workspace, which is `depth` folders
    below the top.
    """
    for prefix, rules in rule_files:
        base = depth - prefix.count("/")  # depth of the ignore file's folder
        if base >= len(folder):
            continue  # rules of a folder do not apply to its parents
        verdict = rules.verdict("/".join(folder[base:]), True)
        if verdict is not None:
            return verdict
    return False


def _folders_above(paths: Iterable[str]) -> frozenset[str]:
    found: set[str] = set()
    for path in paths:
        folder = path.rpartition("/")[0]
        while folder and folder not in found:
            found.add(folder)
            folder = folder.rpartition("/")[0]
    return frozenset(found)


def _below(folder: str, root: str) -> str:
    path = os.path.relpath(root, folder).replace(os.sep, "/")
    if path == ".":
        return ""
    return path + "/"


FOLDER = 0
HIDDEN_FOLDER = 1
SPECIAL = 2
"""Verdict for a visible path that is neither a folder nor a regular file: a symbolic
link, a socket.
"""
HIDDEN = 3
