"""Resolved imports, and the protocol of a language family."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

Found = tuple[str, tuple[str, ...]]
"""A path and the names imported from it; no names if the file is imported as a whole."""


class Imported(NamedTuple):
    """One file of the workspace that another file imports."""

    path: str
    names: tuple[str, ...]
    """Names as defined in `path`, `*` for all of them; empty if the file is imported as a whole."""
    line: int
    exported: bool
    """Whether the importing file re-exports the names."""


class Family(Protocol):
    """Import rules of one family of languages."""

    def find(self, path: str, spec: str, names: tuple[str, ...]) -> Sequence[Found]:
        """Return the files and names that `path` imports; empty if the import is outside the workspace."""
        ...
