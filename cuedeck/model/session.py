"""A session as a value: one stretch of work, and all that is needed to go on with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

Role = Literal["read", "write", "both"]
State = Literal["done", "doing", "todo"]

SCHEMA = 1
COMPRESS_KIB = 64
"""KiB from which on a session file is compressed, where the settings say nothing else."""


class WorkingFile(NamedTuple):
    """A file that was read or written during the session."""

    hash: str
    """sha256 (hex) of what it held then; empty when it was gone."""
    role: Role
    timestamp: str


class Item(NamedTuple):
    """One thing that is done, being done, or to do."""

    text: str
    state: State
    timestamp: str


class Note(NamedTuple):
    """What somebody said of the work, in one sentence."""

    text: str
    timestamp: str


class Chosen(NamedTuple):
    """A decision of the session; the log of decisions is where it lives."""

    id: str
    title: str
    timestamp: str
    step: int


class Checkpoint(NamedTuple):
    """What was accomplished since the one before it, seen from outside."""

    timestamp: str
    written: tuple[str, ...]
    """Paths."""
    checked: tuple[str, ...]
    """Boxes of the active card that were checked."""
    decisions: tuple[str, ...]
    """Ids."""
    commits: tuple[str, ...]
    """Subjects, oldest first."""
    text: str = ""
    """What was said with it."""
    done: tuple[str, ...] = ()
    """Texts of the progress, as it was said: what got done, is being done, is to do."""
    doing: tuple[str, ...] = ()
    todo: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Session:
    """The state of a session; times are RFC 3339, hashes sha256 (hex)."""

    id: str
    created_at: str
    last_access: str
    workflow: str = ""
    current_step: int = 0
    """1-based; 0 without a workflow."""
    working_set: Mapping[str, WorkingFile] = field(default_factory=dict)
    """By path, in the order in which the files came in."""
    decisions: tuple[Chosen, ...] = ()
    context_checksum: str = ""
    """Over the working set and the receipt: equal as long as nothing changed."""
    card: str = ""
    """Id of the card."""
    title: str = ""
    """Of the card, when its scene was last looked at."""
    status: Literal["open", "closed"] = "open"
    progress: tuple[Item, ...] = ()
    notes: tuple[Note, ...] = ()
    next: str = ""
    branch: str = ""
    commit: str = ""
    attempts: tuple[str, ...] = ()
    """Ids."""
    checkpoints: tuple[Checkpoint, ...] = ()
    receipt: str = ""
    """Of the scene that was last known."""
    shown: Mapping[str, str] = field(default_factory=dict)
    """Hash of each file that scene showed, by path."""
    dirty: Mapping[str, str] = field(default_factory=dict)
    """Hash of each file that was changed but not committed when the session began, by path."""
    rest: Mapping[str, Any] = field(default_factory=dict)
    """Keys of the file that mean nothing here; they survive."""
