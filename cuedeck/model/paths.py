"""Paths of CueDeck's files, relative to the workspace, and the folders of memory
profiles.
"""

from __future__ import annotations

from typing import NamedTuple

HOME = ".cuedeck"
CARDS = f"{HOME}/cards"
DOCS = f"{HOME}/docs"
CONFIG = f"{HOME}/config.toml"
ACTIVE = f"{HOME}/active"
SCENE = f"{HOME}/SCENE.md"
CACHE = f"{HOME}/cache"
ASSUMPTIONS = f"{HOME}/assumptions.toml"
SESSIONS = f"{HOME}/sessions"
OPEN_SESSION = f"{SESSIONS}/open"
"""File that names the open session."""
PENDING = f"{SESSIONS}/pending"
"""Folder of the queue of hook events."""
SESSION_ARCHIVE = f"{SESSIONS}/archive.jsonl.lz4"
WORKFLOWS = f"{HOME}/workflows"
CORTEX = f"{HOME}/cortex"
"""Tree of resources, memories of users and agents, and timelines of sessions."""
CORTEX_SCHEME = "cortex://"
"""Beginning of the addresses of the tree."""


PRIVATE_LINES = (
    "sessions/",
    "MEMORY.md",
    "memory/",
    "LONGMEMORY.md",
    "USER.md",
    "DREAMS.md",
    "experiences.jsonl",
    "cortex/user/",
    "cortex/agent/",
    "cortex/session/",
)
"""Lines of `.cuedeck/.gitignore` for private memory, which the worktrees of a
repository share.
"""
_OF_ONE_WORKTREE = (OPEN_SESSION, PENDING)


def is_private_memory(path: str) -> bool:
    """Return whether a workspace-relative path belongs to the private memory, which is
    in the main worktree. The open session and queued events belong to one worktree.
    """
    inside = path.removeprefix(f"{HOME}/")
    if inside == path or _is_at(path, _OF_ONE_WORKTREE):
        return False
    return _is_at(inside, PRIVATE_LINES)


def _is_at(path: str, places: tuple[str, ...]) -> bool:
    folded = f"{path}/"
    return any(folded.startswith(f"{place.rstrip('/')}/") for place in places)


def is_notebook(path: str) -> bool:
    """Return whether a path is that of a notebook, which is shown as the text of its
    cells.
    """
    return path.lower().endswith(".ipynb")


def ledger_path(name: str) -> str:
    """Return the path of a ledger."""
    return f"{HOME}/{name}.jsonl"


EXCHANGE = "memory/exchange"
"""Folder of the entries of other copies, below that of a ledger."""
EXCHANGE_STATE = f"{HOME}/{EXCHANGE}/state.json"
EXCHANGED_LOGS = ("decisions", "attempts")
"""Ledgers whose readers also see the entries of other copies."""
EXCHANGED = tuple(f"{HOME}/{EXCHANGE}/{name}.jsonl" for name in EXCHANGED_LOGS)


DEFAULT_PROFILE = "default"


class Profile(NamedTuple):
    """One memory: MEMORY.md, daily logs, archive, long memory and experiences below one
    folder.
    """

    id: str
    root: str
    """Workspace-relative POSIX path; empty for the workspace folder."""


OWN = Profile(DEFAULT_PROFILE, ".cuedeck")
"""The workspace's own memory."""
