"""An import whose target is known, and what every family of languages offers to find it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

Found = tuple[str, tuple[str, ...]]
"""A path, and the names taken from it; no names when the file is taken as a whole."""


class Imported(NamedTuple):
    """One file of the workspace that another one imports."""

    path: str
    names: tuple[str, ...]
    """As they are called in `path`, `*` for all of them; empty when it is taken as a whole."""
    line: int
    exported: bool
    """True when the names are handed on to those who import the importing file."""


class Family(Protocol):
    """The rules of one family of languages."""

    def find(self, path: str, spec: str, names: tuple[str, ...]) -> Sequence[Found]:
        """Return what the file `path` takes by an import; nothing when that lies outside of the workspace."""
        ...
