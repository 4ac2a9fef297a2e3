"""Paths of CueDeck's files, relative to the workspace."""

from __future__ import annotations

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
SESSION_ARCHIVE = f"{SESSIONS}/archive.jsonl.lz4"
WORKFLOWS = f"{HOME}/workflows"
CORTEX = f"{HOME}/cortex"
"""Tree of resources, memories of users and agents, and timelines of sessions."""
CORTEX_SCHEME = "cortex://"
"""Beginning of the addresses of the tree."""


def is_notebook(path: str) -> bool:
    """Return whether a path is that of a notebook, which is shown as the text of its
    cells.
    """
    return path.lower().endswith(".ipynb")


def ledger_path(name: str) -> str:
    """Return the path of a ledger."""
    return f"{HOME}/{name}.jsonl"
