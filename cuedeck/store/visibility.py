"""What decides which files are visible: the settings, and ignore files in and above the workspace."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import NamedTuple

from cuedeck.store.disk import read_bytes
from cuedeck.store.ignore import IgnoreRules, outside_rules


class OwnRules(NamedTuple):
    """What the settings say about files, and the bytes that say it."""

    source: Callable[[], bytes]
    """Returns what the patterns are read from; other bytes mean that all rules are to be asked again."""
    patterns: Callable[[], Sequence[str]]


class Visibility:
    """The rules of a workspace, read when they are first asked for."""

    def __init__(self, root: str, own: OwnRules) -> None:
        self._root = root
        self._own = own
        self._read: IgnoreRules | None = None

    def rules(self) -> IgnoreRules:
        """Return the ignore rules."""
        if self._read is None:
            self._read = IgnoreRules(self._root, self._own.patterns())
        return self._read

    def forget(self) -> None:
        """Read the rules again when they are next asked for."""
        self._read = None

    def signature(self) -> str:
        """Spell out what decides about visibility and lies outside the tree that is scanned."""
        parts = [self._own.source()]
        for place in outside_rules(self._root):
            parts.append(os.path.relpath(place, self._root).encode("utf-8", "surrogateescape"))
            parts.append((read_bytes(place) or b"") if os.path.isfile(place) else b"")
        return repr(parts)
