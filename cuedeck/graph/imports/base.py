"""Resolved imports, and the protocol of a language family."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

Names = tuple[str, ...]
"""Imported names."""


class Imported(NamedTuple):
    """One file of the workspace that another file imports."""

    path: str
    line: int


class Family(Protocol):
    """Import rules of one family of languages."""

    def find(self, path: str, spec: str, names: Names) -> Sequence[str]:
        """Return the files that `path` imports; empty if the import is outside the
        workspace.
        """
        ...
