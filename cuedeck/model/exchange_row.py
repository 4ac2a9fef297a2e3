"""One entry that copies of a workspace exchange."""

from __future__ import annotations

from typing import NamedTuple


class Row(NamedTuple):
    """An entry as the hub stores it. It never changes, except that a forgotten one
    loses its text.
    """

    id: str
    """Kind and id: `decision:k3f9qa`."""
    digest: str
    """sha256 (hex) of the line."""
    line: str
    """Empty if the entry was forgotten."""
    clock: int
    """Hybrid logical time in microseconds: that of the line, which is later than those
    of all entries its copy knew, limited by the clock of the hub.
    """
    author: str = ""
    """`login@machine`."""
    origin: str = ""
    """Id of another workspace of the team; empty for the own one."""

    @property
    def kind(self) -> str:
        """Kind of the entry."""
        return self.id.partition(":")[0]

    @property
    def name(self) -> str:
        """Id without the kind."""
        return self.id.partition(":")[2]
