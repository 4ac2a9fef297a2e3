"""JSON with comments and trailing commas (JSONC), as used in tool settings."""

from __future__ import annotations

import re

_STRING = r"\"(?:\\.|[^\"\\\n])*+\"?"
# Both patterns match strings first, so that comment marks and commas inside strings are
# kept. They match a string or a comment without an end, too: if it failed, its rest
# would be searched again from each quotation mark.
_COMMENT = re.compile(rf"({_STRING})|//[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
_LAST_COMMA = re.compile(rf"({_STRING})|,(?=\s*[}}\]])", re.DOTALL)


def plain_json(text: str) -> str:
    """Return plain JSON: comments and trailing commas are removed, line numbers stay
    the same.
    """
    text = _COMMENT.sub(_blank, text)
    return _LAST_COMMA.sub(lambda found: found[1] or "", text)


def _blank(found: re.Match[str]) -> str:
    """Return a string unchanged, and a comment as a blank with its line breaks."""
    newlines = "\n" * found[0].count("\n")
    return found[1] or " " + newlines
