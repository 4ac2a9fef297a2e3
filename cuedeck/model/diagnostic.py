"""A problem in a file of the workspace."""

from __future__ import annotations

from typing import Literal, NamedTuple

Level = Literal["error", "warning", "info"]

UNREADABLE = "unreadable"
"""Code of the diagnostic for a file that the system does not allow to read.

Also the reason why a ref to it is unresolved.
"""


class Diagnostic(NamedTuple):
    """A problem in a file that a person should fix; it is not an exception and does not
    affect other files.
    """

    path: str
    line: int
    """1-based; 0 for the whole file."""
    level: Level
    code: str
    """A stable kebab-case word, for example `bad-yaml`."""
    message: str
    hint: str
