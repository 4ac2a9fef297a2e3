"""Private files of CueDeck: checks cannot read them, and each is shown by a command of
its own.

Checks exclude memory, because repeated checks could reveal its text word by word.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from cuedeck.model.address import split_anchor
from cuedeck.model.errors import Invalid
from cuedeck.model.paths import (
    ASSUMPTIONS,
    CACHE,
    CARDS,
    CONFIG,
    DOCS,
    HOME,
    SCENE,
    SESSIONS,
    ledger_path,
)
from cuedeck.parse.gitignore import Rules
from cuedeck.parse.settings_checks import private_patterns

if TYPE_CHECKING:
    from cuedeck.model.assumption import Check
    from cuedeck.model.settings_schema import Settings
    from cuedeck.store.workspace_paths import WorkspacePaths

_CONTENT_CHECKS = ("contains", "not_contains", "config", "doc_says")
"""Kinds of checks that read the content of a file."""
_PUBLIC_FOLDERS = (f"{CARDS}/", f"{DOCS}/")

_LIST_MEMORY = "cuedeck memory list"
_COMMANDS = (
    (SCENE, "cuedeck scene --print"),
    (CONFIG, "cuedeck config show"),
    (f"{HOME}/MEMORY.md", _LIST_MEMORY),
    (f"{HOME}/LONGMEMORY.md", "cuedeck memory context"),
    (f"{HOME}/USER.md", "cuedeck memory read USER.md"),
    (f"{HOME}/DREAMS.md", "cuedeck dream diary"),
    (f"{HOME}/memory/", _LIST_MEMORY),
    (ledger_path("experiences"), "cuedeck experience list"),
    (ledger_path("decisions"), "cuedeck decision list"),
    (ledger_path("attempts"), "cuedeck attempt list"),
    (ASSUMPTIONS, "cuedeck assumption list"),
    (f"{SESSIONS}/", "cuedeck session list"),
    (f"{CACHE}/", "cuedeck clean --dry-run"),
)
"""Pairs of a path prefix and the command that shows or lists its files."""


def command_for(paths: WorkspacePaths, settings: Settings, path: str) -> str:
    """Return the command that shows or lists a private file; empty if `path` is
    not private or has no command.
    """
    for prefix, command in _COMMANDS:
        if path.startswith(prefix):
            return command
    if path.startswith(f"{HOME}/"):
        return ""
    if not Privacy(paths, settings).is_private(path):
        return ""
    return _LIST_MEMORY


class Privacy:
    """Decides which files of a workspace are private. The settings of the workspace
    must be up to date.
    """

    def __init__(self, paths: WorkspacePaths, settings: Settings) -> None:
        self._paths = paths
        self._settings = settings

    def check_named(self, check: Check) -> None:
        """Raise Invalid if a check names a private file, whether or not the file
        exists.
        """
        if check.kind in _CONTENT_CHECKS:
            path, _ = split_anchor(check.word("address"))
            self.check(check.word("path") or path)

    def check(self, path: str) -> None:
        """Raise Invalid if a path, or the target of its symbolic links, is private."""
        target = os.path.realpath(self._paths.absolute(path))
        relative = os.path.relpath(target, os.path.realpath(self._paths.root))
        names = [
            name.replace(os.sep, "/") for name in (relative, os.path.normpath(path))
        ]
        if any(map(self.is_private, names)):
            raise Invalid(
                "a check must not read memory files",
                hint="`cuedeck memory list` lists the records",
            )

    def is_private(self, path: str) -> bool:
        """Return whether a path is memory or another private file of CueDeck."""
        path = path.lower()  # case-insensitive file systems find the file by any case
        if path.startswith(f"{HOME}/"):
            return path != CONFIG and not path.startswith(_PUBLIC_FOLDERS)
        if any(self._rules.verdict(folder, True) for folder in _parents(path)):
            return True
        return bool(self._rules.verdict(path, False))

    @cached_property
    def _rules(self) -> Rules:
        return Rules(pattern.lower() for pattern in private_patterns(self._settings))


def _parents(path: str) -> Iterator[str]:
    names = path.split("/")
    for end in range(1, len(names)):
        yield "/".join(names[:end])
