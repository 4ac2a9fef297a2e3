"""Names in the text of a record: paths, code, people."""

from __future__ import annotations

import re

MAX_ENTITIES = 20
"""Entities that are kept of one text."""
_MIN_NAME, _MAX_NAME = 2, 120
_ENTITY = re.compile(
    r"""`(?P<quoted>[^`\n]{1,120})`
    |(?P<address>https?://[^\s`"'<>()\]]+)
    |(?<![\w/@.-])(?P<path>(?:\.{0,2}/)?(?:[\w.-]+/)*[\w-]*\.[A-Za-z]\w{0,9}(?:\#[\w.:-]*\w)?(?![\w/]))
    |(?<![\w/@.-])(?P<folder>(?:[\w.-]+/){2,}[\w.-]*\w|(?:[\w.-]+/)+[\w.-]+\#[\w.:-]*\w)
    |(?<![\w@.])(?P<person>@[A-Za-z][\w-]*(?:/[\w-]+)?)
    |(?<![\w.@])(?P<code>[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+|_*[A-Za-z0-9]+(?:_[A-Za-z0-9]+)+_*|__\w+__
      |[A-Za-z]*[a-z0-9][A-Z]\w*|[A-Z]{2,}[a-z]{2,}\w*)(?:\(\))?""",
    re.VERBOSE | re.ASCII,
)
_HINT = re.compile(r"[`/@_]|\.[A-Za-z_]|[a-z0-9][A-Z]|[A-Z]{2}[a-z]{2}")
"""Matches every text with an entity; it is much faster than the full expression."""
_VERSION = re.compile(r"v?\d[\d.]*")
_ABBREVIATIONS = ("e.g", "i.e", "a.m", "p.m", "z.b", "d.h", "u.a", "etc")


def find_entities(text: str) -> tuple[str, ...]:
    """Return the names in a text: `src/auth.py#Login.verify`, `verify_token`,
    `verifyToken`, text in backticks, @names.

    Order: of the text, each once.
    """
    if not _HINT.search(text):
        return ()
    found: dict[str, None] = {}
    for match in _ENTITY.finditer(text):
        name = match[match.lastgroup or 0].strip().rstrip(".,;:").removesuffix("()")
        if _is_entity(name):
            found.setdefault(name)
    return tuple(found)[:MAX_ENTITIES]


def _is_entity(name: str) -> bool:
    if not _MIN_NAME <= len(name) <= _MAX_NAME:
        return False
    if _VERSION.fullmatch(name):
        return False
    return name.lower() not in _ABBREVIATIONS
