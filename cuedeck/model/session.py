"""A session: one stretch of work with the state needed to resume it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

Role = Literal["read", "write", "both"]
State = Literal["done", "doing", "todo"]

SCHEMA = 1

COMPRESS_KIB = 64
"""Default size in KiB from which a session file is compressed."""


class WorkingFile(NamedTuple):
    """A file read or written during the session."""

    hash: str
    """sha256 (hex) of the content at that time; empty if the file did not exist."""
    role: Role
    timestamp: str


class Item(NamedTuple):
    """One item of progress: done, doing or to do."""

    text: str
    state: State
    timestamp: str


class Note(NamedTuple):
    """One sentence about the work, written by a person or an agent."""

    text: str
    timestamp: str


class Chosen(NamedTuple):
    """A decision of the session; the decision log has the full entry."""

    id: str
    title: str
    timestamp: str
    step: int


class Checkpoint(NamedTuple):
    """Work since the previous checkpoint, observed from files, card and commits."""

    timestamp: str
    written: tuple[str, ...]
    """Paths."""
    checked: tuple[str, ...]
    """Checkboxes of the active card that were ticked."""
    decisions: tuple[str, ...]
    """Ids."""
    commits: tuple[str, ...]
    """Commit subjects, oldest first."""
    text: str = ""
    """Text given with the checkpoint."""
    done: tuple[str, ...] = ()
    """Progress items given with the checkpoint, by state."""
    doing: tuple[str, ...] = ()
    todo: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Session:
    """State of a session; times are RFC 3339, hashes are sha256 (hex)."""

    id: str
    created_at: str
    last_access: str
    workflow: str = ""
    current_step: int = 0
    """1-based; 0 without a workflow."""
    working_set: Mapping[str, WorkingFile] = field(default_factory=dict)
    """Files by path, in the order in which they were first used."""
    decisions: tuple[Chosen, ...] = ()
    context_checksum: str = ""
    """Hash of the working set and the receipt; unchanged while neither changes."""
    card: str = ""
    """Id of the card."""
    title: str = ""
    """Title of the card when its scene was last read."""
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
    """Receipt of the last known scene."""
    shown: Mapping[str, str] = field(default_factory=dict)
    """Hash of each file shown in that scene, by path."""
    dirty: Mapping[str, str] = field(default_factory=dict)
    """Hash of each file with uncommitted changes when the session began, by path."""
    rest: Mapping[str, Any] = field(default_factory=dict)
    """Unknown keys of the file, preserved on rewrite."""
