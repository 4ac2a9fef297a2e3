"""Heading anchors as GitHub makes them."""

from __future__ import annotations

import re
from unicodedata import category

_DROPPED = re.compile(r"[^\w\- ]", re.ASCII)
# What GitHub keeps beside letters and marks: decimal and letter numbers, and `_` with its kin.
_KEPT = ("Nd", "Nl", "Pc")


def slugify(title: str) -> str:
    """Return the slug of a heading's text, not yet numbered.

    Example: slugify("Error Handling & Übung") == "error-handling--übung"
    """
    text = title.strip().lower()
    if text.isascii():
        return _DROPPED.sub("", text).replace(" ", "-")
    return "".join(filter(_keep, text)).replace(" ", "-")


class Slugger:
    """Numbers the slugs of one document so that each is unique: `a`, `a-1`, `a-2`."""

    __slots__ = ("_seen",)

    def __init__(self) -> None:
        self._seen: dict[str, int] = {}

    def slug(self, title: str) -> str:
        """Return the slug of the next heading.

        Example: the headings `A`, `A`, `A-1` give `a`, `a-1`, `a-1-1`.
        """
        base = slug = slugify(title)
        while slug in self._seen:
            self._seen[base] += 1
            slug = f"{base}-{self._seen[base]}"
        self._seen[slug] = 0
        return slug


def _keep(char: str) -> bool:
    if char in " -_":
        return True
    kind = category(char)
    return kind[0] in "LM" or kind in _KEPT
