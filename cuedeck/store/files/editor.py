"""Runs the user's editor: `$VISUAL` or `$EDITOR`, with arguments quoted as in a
shell.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping

from cuedeck.model.errors import UsageError

_HINT = "set EDITOR, for example EDITOR='code --wait'"
_TAKE_LINES = frozenset({"vi", "vim", "nvim", "nano", "emacs"})
"""Editors that accept `+LINE` before the file name."""


def run_editor(place: str, line: int, environ: Mapping[str, str]) -> None:
    """Open a file in the editor and wait. Raises: UsageError if there is no terminal or
    no editor.
    """
    if not sys.stdin.isatty():
        raise UsageError(
            "there is no terminal to run an editor in", hint=f"the file is {place}"
        )
    text = environ.get("VISUAL") or environ.get("EDITOR") or "vi"
    try:
        command = shlex.split(text)
    except ValueError as error:
        raise UsageError(
            f"the editor `{text}` cannot be read: {error}", hint=_HINT
        ) from None
    if not command or shutil.which(command[0]) is None:
        raise UsageError(f"the editor `{text}` was not found", hint=_HINT)
    position = (
        [f"+{line}"] if line and os.path.basename(command[0]) in _TAKE_LINES else []
    )
    try:
        subprocess.run([*command, *position, place], check=False)
    except OSError as error:
        raise UsageError(
            f"the editor `{text}` cannot be run: {error.strerror}", hint=_HINT
        ) from error
