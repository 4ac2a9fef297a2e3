"""Paths of agent host files in the home folder. Hooks import this module, so it imports
nothing heavy.
"""

from __future__ import annotations

import os

HOME = "~/"
_MOVED = {
    ".claude": "CLAUDE_CONFIG_DIR",
    ".claude.json": "CLAUDE_CONFIG_DIR",
    ".codex": "CODEX_HOME",
    ".copilot": "COPILOT_HOME",
}
"""Files and folders of the home folder that an environment variable can relocate."""


def home_place(path: str) -> str:
    """Return the absolute path of a path that begins with `~/`."""
    folder, inside = split_home(path)
    return os.path.join(folder, *inside.split("/"))


def split_home(path: str) -> tuple[str, str]:
    """Return (folder, path in it) for a path that begins with `~/`, part of which may
    be relocated.
    """
    inside = path.removeprefix(HOME)
    name, _, rest = inside.partition("/")
    relocated = os.environ.get(_MOVED.get(name, ""), "")
    if relocated:
        return relocated, rest or name
    return os.path.expanduser("~"), inside
