"""A statement of a conversation: a passage with speaker, kind, time and place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

Speaker = Literal["user", "agent", "tool"]
KINDS = (
    "rule",
    "correction",
    "choice",
    "decision",
    "failed",
    "finding",
    "done",
    "open",
    "message",
)
"""Kinds of statements. Only the user states rules; `message` has no cue word."""
LONGEST = 300
"""Characters of the longest statement."""


@dataclass(frozen=True, slots=True)
class Statement:
    """One passage of a conversation with an agent."""

    kind: str
    speaker: Speaker
    text: str
    turn: int
    """Number of the user's prompt in the session, from 1."""
    timestamp: str = ""
    files: tuple[str, ...] = ()
    """Files that a structured step names: edited files, files of a commit."""
    key: str = ""
    """Name of a fact of the tools whose last state counts; empty if the text names
    it."""


@dataclass(frozen=True, slots=True)
class ToolStep:
    """A call of a tool with its result."""

    name: str
    given: Mapping[str, Any]
    result: str = ""
    is_failed: bool = False


@dataclass(frozen=True, slots=True)
class Spoken:
    """One exchange: what the user wrote, and what the agent said and did after it."""

    turn: int
    prompt: str
    """The user's own words, without text of the host; empty for a turn without."""
    replies: tuple[str, ...] = ()
    """Texts of the agent in order."""
    timestamp: str = ""
    options: str = ""
    """The last text of the agent before the prompt, in which options are looked up."""
    steps: tuple[ToolStep, ...] = ()
    """Calls of tools in order."""
    is_ended: bool = True
    """Whether the agent spoke after its last step, so that the turn came to its end."""
