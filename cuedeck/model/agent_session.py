"""What is known of a session of a host: what it was given, and what must change before there is news for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from cuedeck.model.session import Role

StatRow = list[int] | None
"""`stat_row` a file; an empty list where there is none; None where what is known must not be trusted."""


class Shown(NamedTuple):
    """A file of the scene."""

    tier: str
    hash: str
    """sha256 (hex) of its content."""


class Given(NamedTuple):
    """What a session was last told of the scene."""

    receipt: str
    card: str
    """Path of the root card; empty when none was active."""
    files: Mapping[str, Shown]
    """By path."""
    decisions: tuple[str, ...]
    """Ids of those that stood."""
    assumptions: tuple[str, ...]
    """Ids of those that failed."""


class Touched(NamedTuple):
    """A file the agent itself read or wrote, and how it was then."""

    role: Role
    print: StatRow


@dataclass(frozen=True, slots=True)
class HostSession:
    """The state of a session of a host."""

    host: str
    given: Given | None = None
    """None before it was given anything."""
    compacted: bool = False
    """Whether its context was compacted since it was last given the whole."""
    experiences: tuple[str, ...] = ()
    """Ids of those it was shown, and of the records it was given."""
    asks: bool = False
    """Whether there are further experiences that a prompt may ask for."""
    progress_at: float = 0
    """Seconds since the epoch at which it was last told how far its work is."""
    turn: str = ""
    """Hash of what was last remembered of a turn."""
    said: str = ""
    """Hash of the words of the agent that were recorded last."""
    saved: tuple[str, ...] = ()
    """Hashes of the messages that were recorded before a compaction, since a turn ended last."""
    touched: Mapping[str, Touched] = field(default_factory=dict)
    """By path, in the order in which the files came in."""
    prints: Mapping[str, StatRow] = field(default_factory=dict)
    """By place, relative to the workspace where it lies inside; while all are as they were there is no news."""
    ended: bool = False
    compression: str = ""
    """Id of the last compression that was seen in the conversation, by a host that announces none."""
    recovered: bool = False
    """Whether a prompt gave it the whole since the last compaction, before any start did."""
