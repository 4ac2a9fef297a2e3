"""Section tree built from a flat list of headings, independent of the markup language."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from cuedeck.model.file import Section
from cuedeck.parse.slug import Slugger


class Heading(NamedTuple):
    """A heading and its position."""

    level: int
    line: int
    title: str
    """The heading text without markup."""
    slugged: str
    """The text from which the slug is computed."""
    nested: bool
    """Whether the heading is inside a quote or a list, where it does not open a section."""


def nest_sections(headings: Iterable[Heading], last: int) -> tuple[Section, ...]:
    """Return the sections in order; `last` is the number of the last line of the text."""
    slugger = Slugger()
    found: list[tuple[str, str, int, int]] = []
    ends: list[int] = []
    parents: list[int] = []
    open_: list[int] = []
    for heading in headings:
        # GitHub numbers the anchors of nested headings too, although they do not open a section.
        slug = slugger.slug(heading.slugged)
        if heading.nested:
            continue
        while open_ and found[open_[-1]][2] >= heading.level:
            ends[open_.pop()] = heading.line - 1
        parents.append(open_[-1] if open_ else -1)
        open_.append(len(found))
        found.append((heading.title, slug, heading.level, heading.line))
        ends.append(last)
    return tuple(Section(*each, end, parent) for each, end, parent in zip(found, ends, parents, strict=True))
