"""The person's editor: `$VISUAL`, `$EDITOR`, with arguments as in a shell."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping

from cuedeck.model.errors import UsageError


def run_editor(place: str, line: int, environ: Mapping[str, str]) -> None:
    """Open a file in the editor and wait. Raises: UsageError without a terminal or an editor."""
    if not sys.stdin.isatty():
        raise UsageError("there is no terminal to run an editor in", hint=f"the file is {place}")
    command = shlex.split(environ.get("VISUAL") or environ.get("EDITOR") or "vi")
    if not command or shutil.which(command[0]) is None:
        raise UsageError(
            f"the editor {command[0] if command else ''!r} was not found",
            hint="set EDITOR, for example EDITOR='code --wait'",
        )
    position = [f"+{line}"] if line and os.path.basename(command[0]) in ("vi", "vim", "nvim", "nano", "emacs") else []
    subprocess.run([*command, *position, place], check=False)
