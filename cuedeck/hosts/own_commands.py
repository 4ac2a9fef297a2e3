"""The commands that are CueDeck's own, however the program was installed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from cuedeck.model.host import PROGRAM

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
    """Tell whether a command runs `cuedeck hook`, and maybe more."""
    return isinstance(command, str) and _HOOK.match(command) is not None


def is_plain_hook(command: Any) -> bool:
    """Tell whether a command runs `cuedeck hook` and nothing else."""
    return isinstance(command, str) and _PLAIN.fullmatch(command) is not None


def hook_words(command: Any) -> tuple[str, ...]:
    """Return the words behind the program; none for what runs more, or works in a folder that it names."""
    found = _PLAIN.fullmatch(command) if isinstance(command, str) else None
    return tuple(found[2].split()) if found and not found[1] else ()


def is_written_hook(command: Any) -> bool:
    """Tell whether a command is one that set-up writes, or wrote in another version."""
    return isinstance(command, str) and command.startswith(f"{PROGRAM} hook ") and bool(hook_words(command))


def program_of(command: Any) -> str:
    """Return what a command starts, without quotes."""
    found = _FIRST.match(command) if isinstance(command, str) else None
    return next((each for each in found.groups() if each is not None), "") if found else ""


def server_words(entry: Any) -> tuple[str, ...] | None:
    """Return the words behind the program in a server's entry; None for an entry that does not run CueDeck."""
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
    """Return the program that a server's entry starts; empty for an entry that is no list of words."""
    return next(iter(_words(entry)), "")


def folder_of(entry: Any) -> str:
    """Return the folder that a server's entry names for its work; empty where it names none."""
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
    """Return what an entry starts, word by word; none where that is no list of words."""
    if not isinstance(entry, dict):
        return ()
    command, arguments = entry.get("command"), entry.get("args", [])
    command = command if isinstance(command, list) else [command]
    words = [*command, *arguments] if isinstance(arguments, list) else []
    return tuple(words) if words and words[0] and all(isinstance(each, str) for each in words) else ()
