"""Access policy of checks: memory is excluded, because repeated checks could reveal its text word by word."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from cuedeck.model.errors import Invalid
from cuedeck.model.paths import CARDS, CONFIG, DOCS, HOME

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace
    from cuedeck.model.assumption import Check
    from cuedeck.parse.gitignore import Rules

_LOOKING = ("contains", "not_contains", "config", "doc_says")
"""Kinds of checks that read the content of a file."""
_OPEN = (f"{CARDS}/", f"{DOCS}/")


class Privacy:
    """Decides which files of a workspace are private. The settings of the workspace must be up to date."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def check_named(self, check: Check) -> None:
        """Raise Invalid if a check names a private file, whether or not the file exists."""
        from cuedeck.model.address import split_anchor

        if check.kind in _LOOKING:
            self.check(check.word("path") or split_anchor(check.word("address"))[0])

    def check(self, path: str) -> None:
        """Raise Invalid if a path, or the target of its symbolic links, is private."""
        real = os.path.relpath(
            os.path.realpath(self._workspace.paths.absolute(path)), os.path.realpath(self._workspace.paths.root)
        )
        if any(self.is_private(each.replace(os.sep, "/")) for each in (real, os.path.normpath(path))):
            raise Invalid("a check cannot read memory", hint="`cuedeck memory list` lists the records")

    def is_private(self, path: str) -> bool:
        """Return whether a path is memory or another private file of CueDeck."""
        path = path.lower()  # case-insensitive file systems find the file by any case
        if path.startswith(f"{HOME}/"):
            return path != CONFIG and not path.startswith(_OPEN)
        return any(self._rules.verdict(each, each != path) for each in _steps(path))

    @cached_property
    def _rules(self) -> Rules:
        from cuedeck.parse.gitignore import Rules
        from cuedeck.parse.profile_settings import private_patterns

        return Rules(pattern.lower() for pattern in private_patterns(self._workspace.settings))


def _steps(path: str) -> Iterator[str]:
    """Yield the folders above a path, from the top, and the path itself."""
    names = path.split("/")
    yield from ("/".join(names[:end]) for end in range(1, len(names) + 1))
