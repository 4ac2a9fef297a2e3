"""The part after `#`: which lines of a file an anchor means."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from cuedeck.model.address import format_lines, name_key, parse_lines
from cuedeck.model.node import File, Section, Symbol


class Place(NamedTuple):
    """Lines an anchor means, and how the address names them."""

    start: int
    end: int
    name: str


def find_anchor(file: File, anchor: str) -> Sequence[Place]:
    """Return the places `anchor` means in `file`: none when there is no such place, several when it is ambiguous."""
    lines = parse_lines(anchor)
    if lines is not None and file.kind != "binary":
        start, end = lines
        end = min(end or file.lines, file.lines)
        if not 1 <= start <= end:
            return ()
        return (Place(start, end, format_lines(start, end)),)
    if anchor.startswith("^"):
        return tuple(Place(block.start, block.end, anchor) for block in file.blocks if block.id == anchor[1:])[:1]
    if file.symbols:
        return _symbols(file.symbols, anchor)
    return _sections(file.sections, anchor)


def _sections(sections: Sequence[Section], anchor: str) -> Sequence[Place]:
    steps = [step.strip() for step in anchor.split("#") if step.strip()]
    if not steps:
        return ()
    key = name_key(steps[-1])
    tests: tuple[Callable[[Section], bool], ...] = (
        lambda section: section.title == steps[-1],
        lambda section: section.slug == steps[-1],
        lambda section: name_key(section.title) == key or name_key(section.slug) == key,
    )
    for test in tests:
        hits = [section for section in sections if test(section) and _below(section, sections, steps[:-1])]
        if len(hits) == 1:
            return (Place(hits[0].start, hits[0].end, anchor),)
    return tuple(Place(hit.start, hit.end, hit.slug) for hit in hits)


def _below(section: Section, sections: Sequence[Section], steps: Iterable[str]) -> bool:
    """Tell whether the headings above `section` hold `steps` in their order."""
    above: list[Section] = []
    parent = section.parent
    while parent >= 0:
        above.append(sections[parent])
        parent = sections[parent].parent
    climb = iter(reversed(above))
    return all(any(name_key(step) in (name_key(each.title), name_key(each.slug)) for each in climb) for step in steps)


def _symbols(symbols: Sequence[Symbol], anchor: str) -> Sequence[Place]:
    wanted = anchor.replace("::", ".").strip()
    hits = [symbol for symbol in symbols if symbol.name == wanted]
    if not hits:
        hits = [symbol for symbol in symbols if symbol.name.endswith("." + wanted)]
    if len(hits) > 1 and len({symbol.name for symbol in hits}) == 1:
        # Overloads and redefinitions share a name; the place spans from the first to the last of them
        # only when they touch, else each is a candidate by its lines.
        return tuple(Place(hit.start, hit.end, format_lines(hit.start, hit.end)) for hit in hits)
    return tuple(Place(hit.start, hit.end, hit.name) for hit in hits)
