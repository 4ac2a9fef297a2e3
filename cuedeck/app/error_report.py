"""Serialization of an error for output and for the log: secrets masked, long arguments truncated."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from cuedeck.app.mask_answers import mask_value
from cuedeck.model.display import shorten
from cuedeck.model.errors import CueDeckError
from cuedeck.store.fs.log_file import log

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace

_MOST = 200
"""Maximal number of characters of an argument that an error quotes."""
_LONGEST = 2_000
"""Maximal number of characters of a message."""
_QUOTED = re.compile(rf"`([^`]{{{_MOST + 1},}})`|\S{{{_MOST + 1},}}")


def error_report(error: CueDeckError, workspace: Workspace | None = None) -> dict[str, Any]:
    """Return an error as JSON. Masking precedes truncation, which could otherwise leave a part of a secret."""
    message, hint, *candidates = mask_value([error.message, error.hint, *error.candidates], workspace)
    return {
        "code": error.code,
        "message": _short(message),
        "hint": _short(hint),
        "candidates": [_short(each) for each in candidates],
    }


def log_error(workspace: Workspace, profile: str, job: str, error: CueDeckError | OSError) -> dict[str, Any]:
    """Add the error of a background job to the log; return its code, message and hint, masked."""
    found = error if isinstance(error, CueDeckError) else CueDeckError(str(error))
    row: dict[str, Any] = mask_value({"code": found.code, "message": found.message, "hint": found.hint}, workspace)
    log(workspace.paths, {"event": "error", "profile": profile, "job": job, **row})
    return row


def _short(text: str) -> str:
    return shorten(_QUOTED.sub(lambda found: _cut(found[1], found[0]), text), _LONGEST)


def _cut(quoted: str | None, word: str) -> str:
    return f"`{shorten(quoted, _MOST)}`" if quoted else shorten(word, _MOST)
