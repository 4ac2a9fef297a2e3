"""JSON as people write it in settings of tools: with comments and a comma too many."""

from __future__ import annotations

import re

# A string is kept; a comment is dropped, and so is a comma before a closing bracket.
_COMMENT = re.compile(r"(\"(?:\\.|[^\"\\\n])*\")|//[^\n]*|/\*.*?\*/", re.DOTALL)
_LAST_COMMA = re.compile(r"(\"(?:\\.|[^\"\\\n])*\")|,(?=\s*[}\]])")


def plain_json(text: str) -> str:
    """Return the text without comments and such commas; all else stays on its line."""
    text = _COMMENT.sub(lambda found: found[1] or " " + "\n" * found[0].count("\n"), text)
    return _LAST_COMMA.sub(lambda found: found[1] or "", text)
