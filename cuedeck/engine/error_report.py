"""Serialization of an error for output and for the log: secrets masked, long arguments
truncated.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from cuedeck.engine.mask_answers import mask_value
from cuedeck.model.errors import CueDeckError
from cuedeck.model.formatting import shorten
from cuedeck.store.files.log_file import log

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace

_LONGEST_ARGUMENT = 200
"""Maximal number of characters of an argument that an error quotes."""
_LONGEST_MESSAGE = 2_000
"""Maximal number of characters of a message."""
_LONG_ARGUMENT = re.compile(
    rf"`([^`]{{{_LONGEST_ARGUMENT + 1},}})`|\S{{{_LONGEST_ARGUMENT + 1},}}"
)


def error_report(
    error: CueDeckError, workspace: Workspace | None = None
) -> dict[str, Any]:
    """Return an error as JSON. Masking precedes truncation, which could otherwise leave
    a part of a secret.
    """
    message, hint, *candidates = mask_value(
        [error.message, error.hint, *error.candidates], workspace
    )
    return {
        "code": error.code,
        "message": _short(message),
        "hint": _short(hint),
        "candidates": [_short(each) for each in candidates],
    }


def log_error(
    workspace: Workspace, profile: str, job: str, error: CueDeckError | OSError
) -> dict[str, Any]:
    """Add the error of a background job to the log; return its code, message and hint,
    masked.
    """
    known = error if isinstance(error, CueDeckError) else CueDeckError(str(error))
    fields: dict[str, Any] = {
        "code": known.code,
        "message": known.message,
        "hint": known.hint,
    }
    row = mask_value(fields, workspace)
    log(workspace.paths, {"event": "error", "profile": profile, "job": job, **row})
    return row


def _short(text: str) -> str:
    return shorten(_LONG_ARGUMENT.sub(_shorten_argument, text), _LONGEST_MESSAGE)


def _shorten_argument(match: re.Match[str]) -> str:
    if match[1]:
        return f"`{shorten(match[1], _LONGEST_ARGUMENT)}`"
    return shorten(match[0], _LONGEST_ARGUMENT)
