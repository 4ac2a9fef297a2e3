"""What is piped into a command."""

from __future__ import annotations

import sys

from cuedeck.model.errors import UsageError


def read_stdin() -> str:
    """Return all of it as text with plain newlines; bytes that are no UTF-8 are replaced. Raises: UsageError."""
    hint = "pipe the text in, or give it as an argument"
    if sys.stdin is None:
        raise UsageError("`-` reads stdin, which is closed", hint=hint)
    try:
        data = sys.stdin.buffer.read()
    except OSError as error:
        raise UsageError(f"`-` reads stdin, which cannot be read: {error.strerror}", hint=hint) from error
    return data.decode("utf-8", "replace").replace("\r\n", "\n")
