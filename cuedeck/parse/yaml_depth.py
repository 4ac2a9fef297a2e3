"""How deep YAML may be nested, guessed before it is read."""

from __future__ import annotations

import re

_MAX_BRACKETS = 200
_MAX_INDENT = 400
_STEPS = re.compile(r"(?:[-?:][ \t]+){20}")


def may_be_deep(text: str) -> bool:
    """Tell whether a text may be nested too deeply for the C loader, which has no limit and ends the process.

    The Python loader raises RecursionError.
    """
    if text.count("[") + text.count("{") > _MAX_BRACKETS or "\n" + " " * _MAX_INDENT in text:
        return True
    return _STEPS.search(text) is not None
