"""Headings, in whatever markup they were written, become nested sections."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from cuedeck.model.file import Section
from cuedeck.parse.slug import Slugger


class Heading(NamedTuple):
    """A heading where it stands."""

    level: int
    line: int
    title: str
    """Text without markup."""
    slugged: str
    """What its slug is made of."""
    nested: bool
    """True in a quote or a list, where it divides nothing."""


def nest_sections(headings: Iterable[Heading], last: int) -> tuple[Section, ...]:
    """Return the sections of a text whose last line is `last`, in order."""
    slugger = Slugger()
    found: list[tuple[str, str, int, int]] = []
    ends: list[int] = []
    parents: list[int] = []
    open_: list[int] = []
    for heading in headings:
        # GitHub numbers the anchors of quoted headings too, though they divide nothing.
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
