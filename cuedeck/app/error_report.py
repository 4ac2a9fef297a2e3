"""What is told of an error, wherever it is told: masked, and no argument is given back at full length."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from cuedeck.app.mask_answers import mask_value
from cuedeck.model.display import shorten

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace
    from cuedeck.model.errors import CueDeckError

_MOST = 200
"""Characters of an argument that an error quotes."""
_LONGEST = 2_000
"""Characters of a message."""
_QUOTED = re.compile(rf"`([^`]{{{_MOST + 1},}})`|\S{{{_MOST + 1},}}")


def error_report(error: CueDeckError, project: Workspace | None = None) -> dict[str, Any]:
    """Return an error as JSON. What was quoted is cut behind the search for secrets, so that no half of one is left."""
    message, hint, *candidates = mask_value([error.message, error.hint, *error.candidates], project)
    return {
        "code": error.code,
        "message": _short(message),
        "hint": _short(hint),
        "candidates": [_short(each) for each in candidates],
    }


def _short(text: str) -> str:
    return shorten(_QUOTED.sub(lambda found: _cut(found[1], found[0]), text), _LONGEST)


def _cut(quoted: str | None, word: str) -> str:
    return f"`{shorten(quoted, _MOST)}`" if quoted else shorten(word, _MOST)
