"""Recognition of commands that run CueDeck, for every way of installation (path, uvx, pipx, `python -m`)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from cuedeck.hosts.base import PROGRAM

_NAME = r"cuedeck(?:\.exe)?(?:@[^\s\"']+)?"
_PROGRAM = rf"""(?:"(?:[^"]*[\\/])?{_NAME}"|'(?:[^']*[\\/])?{_NAME}'|(?:[^\s"']*[\\/])?{_NAME})"""
_RUNNER = r"(?:(?:\S*[\\/])?(?:uvx|uv\s+tool\s+run|uv\s+run|pipx\s+run)\s+(?:--from\s+\S+\s+|-\S+\s+)*)?"
_MODULE = r"""(?:"[^"]+"|'[^']+'|\S+)\s+-m\s+cuedeck"""
_CALL = rf"""\s*(?:{_RUNNER}{_PROGRAM}|{_MODULE})"""
_HOOK = re.compile(rf"""{_CALL}\s+(?:-C\s+(?:"[^"]*"|\S+)\s+)?hook(?:\s|$)""")
_PLAIN = re.compile(rf"""{_CALL}(\s+-C\s+(?:"[^"]*"|[\w./\\~:-]+))?\s+(hook(?:\s+[\w-]+)*)\s*""")
_FIRST = re.compile(r"""\s*(?:"([^"]*)"|'([^']*)'|(\S+))""")
_BASE = re.compile(rf"(?:.*[\\/])?{_NAME}", re.DOTALL)
_STARTERS = re.compile(r"(?:.*[\\/])?(?:uvx|uv|pipx)(?:\.exe)?", re.DOTALL)
_FOLDER = ("-C", "--directory", "--cwd")


def is_own_hook(command: Any) -> bool:
    """Return whether a command runs `cuedeck hook`, possibly followed by other commands."""
    return isinstance(command, str) and _HOOK.match(command) is not None


def is_plain_hook(command: Any) -> bool:
    """Return whether a command runs `cuedeck hook` and nothing else."""
    return isinstance(command, str) and _PLAIN.fullmatch(command) is not None


def hook_words(command: Any) -> tuple[str, ...]:
    """Return the arguments of a plain hook command; none for a command that runs more or sets `-C`."""
    found = _PLAIN.fullmatch(command) if isinstance(command, str) else None
    return tuple(found[2].split()) if found and not found[1] else ()


def is_written_hook(command: Any) -> bool:
    """Return whether a hook command was written by this or another version of set-up."""
    return isinstance(command, str) and command.startswith(f"{PROGRAM} hook ") and bool(hook_words(command))


def program_of(command: Any) -> str:
    """Return the program of a command without quotes; empty if there is none."""
    found = _FIRST.match(command) if isinstance(command, str) else None
    return next((each for each in found.groups() if each is not None), "") if found else ""


def server_words(entry: Any) -> tuple[str, ...] | None:
    """Return the arguments of CueDeck in a server entry, or None if the entry does not run CueDeck."""
    words = _words(entry)
    if not words:
        return None
    if "-m" in words[1:]:
        at = words.index("-m", 1)
        return words[at + 2 :] if words[at + 1 : at + 2] == (PROGRAM,) else None
    if not _STARTERS.fullmatch(words[0]):
        return words[1:] if _BASE.fullmatch(words[0]) else None
    # `--from cuedeck cuedeck mcp` names the package before the program.
    named = [at for at, each in enumerate(words) if _BASE.fullmatch(each) and words[at - 1] != "--from"]
    return words[named[0] + 1 :] if named else None


def started_program(entry: Any) -> str:
    """Return the program that a server entry starts; empty if the entry has no command."""
    return next(iter(_words(entry)), "")


def folder_of(entry: Any) -> str:
    """Return the working folder in a server entry (`-C`, `--directory`, `--cwd` or `cwd`); empty if it has none."""
    if not isinstance(entry, dict):
        return ""
    arguments = entry.get("args", entry.get("command"))
    arguments = arguments if isinstance(arguments, Sequence) and not isinstance(arguments, str) else ()
    for at, each in enumerate(arguments):
        if each in _FOLDER and at + 1 < len(arguments) and isinstance(arguments[at + 1], str):
            return str(arguments[at + 1])
    working = entry.get("cwd")
    return working if isinstance(working, str) else ""


def _words(entry: Any) -> tuple[str, ...]:
    """Return the command and arguments of a server entry; empty if they are not all strings."""
    if not isinstance(entry, dict):
        return ()
    command, arguments = entry.get("command"), entry.get("args", [])
    command = command if isinstance(command, list) else [command]
    words = [*command, *arguments] if isinstance(arguments, list) else []
    return tuple(words) if words and words[0] and all(isinstance(each, str) for each in words) else ()
