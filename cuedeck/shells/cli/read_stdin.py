"""Reading of text from stdin."""

from __future__ import annotations

import sys

from cuedeck.model.errors import UsageError


def read_stdin(*, is_output: bool = False) -> str:
    r"""Return all of stdin as text with `\n` newlines, without a byte order mark.

    `is_output` is for the output of a program: invalid UTF-8 is replaced. Raises:
    UsageError if stdin cannot be read, or for invalid UTF-8 without `is_output`.
    """
    hint = "pipe the text into the command, or give it as an argument"
    if sys.stdin is None:
        raise UsageError(
            "`-` reads the text from stdin, but stdin is closed", hint=hint
        )
    try:
        data = sys.stdin.buffer.read()
    except OSError as error:
        raise UsageError(
            f"stdin cannot be read: {error.strerror}", hint=hint
        ) from error
    try:
        errors = "replace" if is_output else "strict"
        text = data.decode("utf-8-sig", errors)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UsageError(
            f"line {line} of stdin is not valid UTF-8", hint="encode the input as UTF-8"
        ) from None
    return text.replace("\r\n", "\n")
