"""Resolution of anchors: the lines of a file that the part of a ref after `#` names."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from cuedeck.model.address import LineRange, format_lines, name_key, parse_lines
from cuedeck.model.file import Block, File, Section, Symbol
from cuedeck.model.ports import Lookup

_LINK = re.compile(r"\[([^\[\]]*)\]\([^()]*\)")
_LOOSE = re.compile(r"[\s_\-`*~\\]+")
"""Characters ignored in a loose comparison: markup absent from section titles, and separators that people omit."""
_COMPARED = 2_000
"""Maximum names compared in the search for the nearest match."""


class Place(NamedTuple):
    """Lines that an anchor names, with the anchor of the canonical address."""

    start: int
    end: int
    name: str


def find_anchor(file: File, anchor: str) -> Sequence[Place]:
    """Return the places that `anchor` names in `file`: empty if there is none, several if it is ambiguous."""
    if file.kind == "binary":
        return ()
    if anchor.startswith("^") and (blocks := _blocks(file.blocks, anchor)):
        return blocks
    lines = parse_lines(anchor)
    # A heading titled `L1` takes precedence over line 1.
    if lines is not None and not any(anchor in (section.title, section.slug) for section in file.sections):
        return _lines(max(file.lines, 1), lines)
    return _symbols(file.symbols, anchor) if file.symbols else _sections(file.sections, anchor)


def near_anchor(file: File, anchor: str) -> str:
    """Return the anchor of `file` most similar to `anchor`; empty if none is similar."""
    import difflib

    names = [section.title for section in file.sections] + [symbol.name for symbol in file.symbols]
    names += [f"^{block.id}" for block in file.blocks]
    folded = {name_key(name): name for name in reversed(names[:_COMPARED])}
    near = difflib.get_close_matches(name_key(anchor), sorted(folded), 1, 0.5)
    return folded[near[0]] if near else ""


def section_name(section: Section, lookup: Lookup) -> str:
    """Return an anchor of a section that may be shown: its slug, or its lines if the title contains a secret."""
    is_secret = lookup.holds_secret(section.title)
    return format_lines(section.start, section.end) if is_secret else section.slug


def _lines(last: int, lines: LineRange) -> Sequence[Place]:
    start, end = lines.start, min(lines.end or last, last)
    return (Place(start, end, format_lines(start, end)),) if 1 <= start <= end else ()


def _blocks(blocks: Sequence[Block], anchor: str) -> Sequence[Place]:
    hits = [block for block in blocks if block.id == anchor[1:]]
    if len(hits) == 1:
        return (Place(hits[0].start, hits[0].end, anchor),)
    return tuple(Place(hit.start, hit.end, format_lines(hit.start, hit.end)) for hit in hits)


def _sections(sections: Sequence[Section], anchor: str) -> Sequence[Place]:
    """Match the exact anchor first, then a path of headings, then ignore case, whitespace, hyphens and markup."""
    *above, last = [step for step in map(str.strip, anchor.split("#")) if step] or [""]
    if not last:
        return ()
    key = _loose(last)
    tests: tuple[tuple[Callable[[Section], bool], Sequence[str]], ...] = (
        (lambda section: section.title == anchor, ()),
        (lambda section: section.slug == anchor, ()),
        (lambda section: section.title == last, above),
        (lambda section: section.slug == last, above),
        (lambda section: key != "" and key in (_loose(section.title), _loose(section.slug)), above),
    )
    hits: list[Section] = []
    for test, steps in tests:
        hits = [section for section in sections if test(section) and _below(section, sections, steps)]
        if len(hits) == 1:
            return (Place(hits[0].start, hits[0].end, anchor),)
    return tuple(Place(hit.start, hit.end, _name(hit, sections)) for hit in hits)


def _below(section: Section, sections: Sequence[Section], steps: Iterable[str]) -> bool:
    """Return whether the headings above `section` contain `steps` in order."""
    above: list[Section] = []
    parent = section.parent
    while parent >= 0:
        above.append(sections[parent])
        parent = sections[parent].parent
    climb = iter(reversed(above))
    return all(any(_loose(step) in (_loose(each.title), _loose(each.slug)) for each in climb) for step in steps)


def _name(section: Section, sections: Sequence[Section]) -> str:
    """Return an anchor unique to this section: its slug, or else its lines."""
    titled = [other for other in sections if other.title == section.slug]
    if section.slug and (len(titled) != 1 or titled[0] == section):
        return section.slug
    return format_lines(section.start, section.end)


def _symbols(symbols: Sequence[Symbol], anchor: str) -> Sequence[Place]:
    """Return the definitions that an anchor names.

    Matching order: the full name, then the end of a name, then the name without `prototype`.
    """
    wanted = anchor.replace("::", ".")
    hits = [symbol for symbol in symbols if symbol.name == wanted]
    hits = hits or [symbol for symbol in symbols if symbol.name.endswith("." + wanted)]
    # The parser names methods by their class, also those assigned to the prototype.
    hits = hits or [symbol for symbol in symbols if symbol.name == wanted.replace(".prototype.", ".")]
    names = list(dict.fromkeys(hit.name for hit in hits))
    if len(names) > 1:
        return tuple(Place(hit.start, hit.end, hit.name) for hit in hits)
    if len(hits) > 1 and not _together(hits, symbols):
        return tuple(Place(hit.start, hit.end, format_lines(hit.start, hit.end)) for hit in hits)
    return tuple(Place(hits[0].start, max(hit.end for hit in hits), name) for name in names)


def _together(hits: Sequence[Symbol], symbols: Sequence[Symbol]) -> bool:
    """Return whether definitions of the same name are adjacent, such as overloads or a property and its setter."""
    name, first, last = hits[0].name, hits[0].start, hits[-1].start
    between = (symbol.name for symbol in symbols if first < symbol.start < last)
    return all(other == name or other.startswith(name + ".") for other in between)


def _loose(text: str) -> str:
    return _LOOSE.sub("", _LINK.sub(r"\1", text)).casefold()
