"""State of one agent session: the context it has received and the file stats that
decide whether there is news.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from cuedeck.model.session import Role

StatRow = list[int] | None
"""`stat_row` of a file: an empty list if the file does not exist, None if the stored
value must not be trusted.
"""


class Shown(NamedTuple):
    """One file of the scene that a session received."""

    tier: str
    hash: str
    """sha256 (hex) of the file content."""


class Given(NamedTuple):
    """The state of the scene that was last sent to a session."""

    receipt: str
    card: str
    """Path of the root card; empty if none was active."""
    files: Mapping[str, Shown]
    """Files shown, by path."""
    decisions: tuple[str, ...]
    """Ids of the decisions in force."""
    assumptions: tuple[str, ...]
    """Ids of the assumptions that failed."""


class Touched(NamedTuple):
    """A file that the agent itself read or wrote, with its stat at that time."""

    role: Role
    print: StatRow


_NONE: Mapping[str, Any] = {}
"""Value of a mapping without entries; nothing changes it."""


class HostSession(NamedTuple):
    """State of one session of an agent host, kept between hook calls."""

    host: str
    given: Given | None = None
    """Scene state last sent; None before the first one."""
    compacted: bool = False
    """Whether the context was compacted after the last full brief."""
    recalled: tuple[str, ...] = ()
    """Ids of the records already sent, and keys of the lines of digests."""
    asks: bool = False
    """Whether prompts are searched in the memory."""
    progress_at: float = 0
    """Seconds since the epoch at which the progress of the work was last sent."""
    turn: str = ""
    """Hash of the last recorded turn."""
    touched: Mapping[str, Touched] = _NONE
    """Files by path, in the order in which they were first touched."""
    prints: Mapping[str, StatRow] = _NONE
    """Stats by place (workspace-relative if inside the workspace); nothing is new while
    all of them are unchanged.
    """
    ended: bool = False
    compression: str = ""
    """Id of the last compression found in the transcript; only for hosts that do not
    announce compactions.
    """
    recovered: bool = False
    """Whether a prompt received the full brief after the last compaction, before a
    session start did.
    """
