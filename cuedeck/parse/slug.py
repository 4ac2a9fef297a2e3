"""GitHub-compatible slugs of headings."""

from __future__ import annotations

import re
from unicodedata import category

_DROPPED = re.compile(r"[^\w\- ]", re.ASCII)
# Unicode categories that GitHub keeps in addition to letters and marks: numbers, and connectors such as `_`.
_KEPT = ("Nd", "Nl", "Pc")


def slugify(title: str) -> str:
    """Return the slug of a heading text, without a number for uniqueness.

    Example: slugify("Error Handling & Übung") == "error-handling--übung"
    """
    text = title.strip().lower()
    if text.isascii():
        return _DROPPED.sub("", text).replace(" ", "-")
    return "".join(filter(_keep, text)).replace(" ", "-")


class Slugger:
    """Generator of unique slugs for the headings of one document: `a`, `a-1`, `a-2`."""

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
