"""Copying to the clipboard with the system's commands, or with the terminal's OSC 52
sequence.
"""

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
"""Environment variable that a command requires (empty for none), and the command."""
_SECONDS = 5
_LARGEST_SEQUENCE = 100_000
"""Bytes; terminals drop longer OSC 52 sequences."""


def copy(text: str, environ: Mapping[str, str]) -> str:
    """Copy `text` to the clipboard; return a warning if no method works, else an empty
    string.
    """
    data = text.encode("utf-8", "replace")
    for variable, (name, *options) in COMMANDS:
        program = (
            shutil.which(name, path=environ.get("PATH"))
            if not variable or environ.get(variable)
            else None
        )
        if program and _feed([program, *options], data):
            return ""
    encoded = base64.b64encode(data)
    if len(encoded) <= _LARGEST_SEQUENCE and _to_terminal(
        b"\x1b]52;c;" + encoded + b"\x07"
    ):
        return ""
    return "warning: no clipboard was found; use --print or --out"


def _feed(command: list[str], data: bytes) -> bool:
    try:
        # wl-copy and xclip keep running to serve the clipboard: waiting for the end of
        # their output would block.
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
