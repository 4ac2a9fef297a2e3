"""Sections of a document, built from its headings in any markup language, and the
GitHub slugs of headings.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple
from unicodedata import category

from cuedeck.model.file import Section

_DROPPED = re.compile(r"[^\w\- ]", re.ASCII)
# Unicode categories that GitHub keeps in addition to letters and marks: numbers, and
# connectors such as `_`.
_KEPT = ("Nd", "Nl", "Pc")


def slugify(title: str) -> str:
    """Return the slug of a heading text, without a number for uniqueness.

    Example: slugify("Error Handling & Übung") == "error-handling--übung"
    """
    text = title.strip().lower()
    if text.isascii():
        return _DROPPED.sub("", text).replace(" ", "-")
    return text.translate(_SLUG)


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


class _SlugTable(dict[int, str]):
    """Table for `str.translate`, filled with the characters that occur."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        kind = category(char)
        if char == " ":
            char = "-"
        elif char not in "-_" and kind[0] not in "LM" and kind not in _KEPT:
            char = ""
        self[code] = char
        return char


_SLUG = _SlugTable()


class Heading(NamedTuple):
    """A heading and its position."""

    level: int
    line: int
    title: str
    """The heading text without markup."""
    slugged: str
    """The text from which the slug is computed."""
    nested: bool
    """Whether the heading is inside a quote or a list, where it does not open a
    section.
    """


def nest_sections(headings: Iterable[Heading], last: int) -> tuple[Section, ...]:
    """Return the sections in order; `last` is the number of the last line of the
    text.
    """
    slugger = Slugger()
    found: list[tuple[str, str, int, int]] = []
    ends: list[int] = []
    parents: list[int] = []
    open_: list[int] = []
    for heading in headings:
        # GitHub numbers the anchors of nested headings too, although they do not open a
        # section.
        slug = slugger.slug(heading.slugged)
        if heading.nested:
            continue
        while open_ and found[open_[-1]][2] >= heading.level:
            ends[open_.pop()] = heading.line - 1
        parents.append(open_[-1] if open_ else -1)
        open_.append(len(found))
        found.append((heading.title, slug, heading.level, heading.line))
        ends.append(last)
    return tuple(
        Section(*each, end, parent)
        for each, end, parent in zip(found, ends, parents, strict=True)
    )
