"""Resolved imports, and the protocol of a language family."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

Names = tuple[str, ...]
"""Imported names."""

Found = tuple[str, Names]
"""A path and the names imported from it; no names if the file is imported as a whole.
"""


class Imported(NamedTuple):
    """One file of the workspace that another file imports."""

    path: str
    names: Names
    """Names as defined in `path`, `*` for all of them; empty if the file is imported as
    a whole.
    """
    line: int


class Family(Protocol):
    """Import rules of one family of languages."""

    def find(self, path: str, spec: str, names: Names) -> Sequence[Found]:
        """Return the files and names that `path` imports; empty if the import is
        outside the workspace.
        """
        ...
