"""Recognition of commands that run CueDeck, for every way of installation (path, uvx,
pipx, `python -m`).
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

from cuedeck.agents.hosts.base import PROGRAM

_NAME = r"cuedeck(?:\.exe)?(?:@[^\s\"']+)?"
_PROGRAM = rf"""(?:"(?:[^"]*[\\/])?{_NAME}"|'(?:[^']*[\\/])?{_NAME}'|(?:[^\s"']*[\\/])?{_NAME})"""
_RUNNER = r"(?:(?:\S*[\\/])?(?:uvx|uv\s+tool\s+run|uv\s+run|pipx\s+run)\s+(?:--from\s+\S+\s+|-\S+\s+)*)?"
_MODULE = r"""(?:"[^"]+"|'[^']+'|\S+)\s+-m\s+cuedeck"""
_CALL = rf"""\s*(?:{_RUNNER}{_PROGRAM}|{_MODULE})"""
_HOOK = re.compile(rf"""{_CALL}\s+(?:-C\s+(?:"[^"]*"|\S+)\s+)?hook(?:\s|$)""")
_PLAIN = re.compile(
    rf"""{_CALL}(\s+-C\s+(?:"[^"]*"|[\w./\\~:-]+))?\s+(hook(?:\s+[\w-]+)*)\s*"""
)
_FIRST = re.compile(r"""\s*(?:"([^"]*)"|'([^']*)'|(\S+))""")
_BASE = re.compile(rf"(?:.*[\\/])?{_NAME}", re.DOTALL)
_STARTERS = re.compile(r"(?:.*[\\/])?(?:uvx|uv|pipx)(?:\.exe)?", re.DOTALL)
_FOLDER = ("-C", "--directory", "--cwd")
_GUARD = "command -v cuedeck >/dev/null 2>&1 && {} || true"
"""A command that does nothing, without a message, where the program is missing; in sh,
bash, zsh and fish.
"""
_GUARDED = re.compile(re.escape(_GUARD).replace(r"\{\}", "(.*)"), re.DOTALL)


def guarded(command: str) -> str:
    """Return a hook command that does nothing where CueDeck is not installed."""
    return _GUARD.format(command)


def is_guarded(command: str) -> bool:
    """Return whether a command has the guard of `guarded`."""
    return _GUARDED.fullmatch(command) is not None


def is_guarded_text(text: str) -> bool:
    """Return whether a settings file contains a guarded command."""
    return _GUARD.partition("{}")[0] in text


def _unguarded(command: str) -> str:
    found = _GUARDED.fullmatch(command)
    return found[1] if found else command


def is_own_hook(command: Any) -> bool:
    """Return whether a command runs `cuedeck hook`, possibly followed by other
    commands.
    """
    return isinstance(command, str) and _HOOK.match(_unguarded(command)) is not None


def is_plain_hook(command: str) -> bool:
    """Return whether a command runs `cuedeck hook` and nothing else."""
    return _PLAIN.fullmatch(_unguarded(command)) is not None


def hook_words(command: str) -> tuple[str, ...]:
    """Return the arguments of a plain hook command; none for a command that runs more
    or sets `-C`.
    """
    found = _PLAIN.fullmatch(_unguarded(command))
    return () if found is None or found[1] else tuple(found[2].split())


def is_written_hook(command: str) -> bool:
    """Return whether a hook command was written by this or another version of
    set-up.
    """
    is_plain = _unguarded(command).startswith(f"{PROGRAM} hook ")
    return is_plain and bool(hook_words(command))


def program_of(command: str) -> str:
    """Return the program of a command without quotes; empty if there is none."""
    found = _FIRST.match(_unguarded(command))
    return next(filter(None, found.groups()), "") if found else ""


def server_words(entry: Any) -> tuple[str, ...] | None:
    """Return the arguments of CueDeck in a server entry, or None if the entry does not
    run CueDeck.
    """
    words = _words(entry)
    if not words:
        return None
    if "-m" in words[1:]:
        module = words.index("-m", 1) + 1
        return words[module + 1 :] if words[module:][:1] == (PROGRAM,) else None
    if not _STARTERS.fullmatch(words[0]):
        return words[1:] if _BASE.fullmatch(words[0]) else None
    for at, word in enumerate(words):
        # `--from cuedeck cuedeck mcp` names the package before the program.
        if _BASE.fullmatch(word) and words[at - 1] != "--from":
            return words[at + 1 :]
    return None


def started_program(entry: Any) -> str:
    """Return the program that a server entry starts; empty if the entry has no
    command.
    """
    words = _words(entry)
    return words[0] if words else ""


def folder_of(entry: Any) -> str:
    """Return the working folder in a server entry (`-C`, `--directory`, `--cwd` or
    `cwd`); empty if it has none.
    """
    if not isinstance(entry, dict):
        return ""
    arguments = entry.get("args", entry.get("command"))
    if isinstance(arguments, list | tuple):
        for option, value in pairwise(arguments):
            if option in _FOLDER and isinstance(value, str):
                return value
    folder = entry.get("cwd")
    return folder if isinstance(folder, str) else ""


def _words(entry: Any) -> tuple[str, ...]:
    """Return the command and arguments of a server entry; empty if they are not all
    strings.
    """
    if not isinstance(entry, dict):
        return ()
    command = entry.get("command")
    arguments = entry.get("args", [])
    if not isinstance(arguments, list):
        return ()
    words = [*(command if isinstance(command, list) else [command]), *arguments]
    if not words[:1] or not all(isinstance(word, str) for word in words):
        return ()
    return tuple(words) if words[0] else ()
