"""The clipboard: the system's own commands, else the terminal's OSC 52 sequence."""

from __future__ import annotations

import base64
import os
import shutil
import subprocess
from collections.abc import Mapping

COMMANDS = (
    ("WAYLAND_DISPLAY", ("wl-copy",)),
    ("DISPLAY", ("xclip", "-selection", "clipboard")),
    ("", ("pbcopy",)),
    ("", ("clip.exe",)),
)
"""The variable that must be set for a command to make sense, and the command."""
_SECONDS = 5
_LARGEST_SEQUENCE = 100_000
"""Bytes; terminals drop longer OSC 52 sequences."""


def copy(text: str, environ: Mapping[str, str]) -> str:
    """Put `text` on the clipboard; return a warning when no way works, else an empty text."""
    data = text.encode("utf-8", "replace")
    for variable, (name, *options) in COMMANDS:
        program = shutil.which(name, path=environ.get("PATH")) if not variable or environ.get(variable) else None
        if program and _feed([program, *options], data):
            return ""
    encoded = base64.b64encode(data)
    if len(encoded) <= _LARGEST_SEQUENCE and _to_terminal(b"\x1b]52;c;" + encoded + b"\x07"):
        return ""
    return "warning: no clipboard was found; use --print or --out"


def _feed(command: list[str], data: bytes) -> bool:
    try:
        # wl-copy and xclip stay behind to serve the clipboard, so their output must not be waited for.
        subprocess.run(
            command,
            input=data,
            check=True,
            timeout=_SECONDS,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
    except (OSError, subprocess.SubprocessError):
        return False
    return True


def _to_terminal(sequence: bytes) -> bool:
    try:
        with open("/dev/tty", "wb", buffering=0) as terminal:
            terminal.write(sequence)
    except OSError:
        return False
    return os.name == "posix"
