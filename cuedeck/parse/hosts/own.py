"""The commands that are CueDeck's own, however the program was installed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

_PROGRAM = (
    r"""(?:"(?:[^"]*[\\/])?cuedeck(?:\.exe)?"|'(?:[^']*[\\/])?cuedeck(?:\.exe)?'|(?:[^\s"']*[\\/])?cuedeck(?:\.exe)?)"""
)
_RUNNER = r"(?:(?:\S*[\\/])?(?:uvx|uv\s+tool\s+run|uv\s+run|pipx\s+run)\s+(?:-\S+\s+)*)?"
_MODULE = r"""(?:"[^"]+"|\S+)\s+-m\s+cuedeck"""
_HOOK = re.compile(rf"""\s*(?:{_RUNNER}{_PROGRAM}|{_MODULE})\s+(?:-C\s+(?:"[^"]*"|\S+)\s+)?hook(?:\s|$)""")
_FOLDER = ("-C", "--directory", "--cwd")


def is_own_hook(command: Any) -> bool:
    """Tell whether a command runs `cuedeck hook`."""
    return isinstance(command, str) and _HOOK.match(command) is not None


def folder_of(entry: Any) -> str:
    """Return the folder that a server's entry names for its work; empty where it names none."""
    if not isinstance(entry, dict):
        return ""
    arguments = entry.get("args")
    arguments = arguments if isinstance(arguments, Sequence) and not isinstance(arguments, str) else ()
    for at, each in enumerate(arguments):
        if each in _FOLDER and at + 1 < len(arguments) and isinstance(arguments[at + 1], str):
            return str(arguments[at + 1])
    working = entry.get("cwd")
    return working if isinstance(working, str) else ""
