"""Resolution of anchors: the lines of a file that the part of a ref after `#` names."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple
from urllib.parse import quote

from cuedeck.model.address import (
    format_lines,
    join_anchor,
    name_key,
    nfc,
    parse_lines,
    split_anchor,
)
from cuedeck.model.file import Block, File, Section, Symbol
from cuedeck.model.paths import DOCS
from cuedeck.model.ports import Lookup

_LINK = re.compile(r"\[([^\[\]]*)\]\([^()]*\)")
_LOOSE = re.compile(r"[\s_\-`*~\\]+")
"""Characters ignored in a loose comparison: markup absent from section titles, and
separators that people omit.
"""
_COMPARED = 2_000
"""Maximum names compared in the search for the nearest match."""

_UNQUOTED = "/#.-_~&+()!,;=@:'*"
"""Characters of Markdown links that stay if a blank makes the link quoted."""
Sections = Sequence[Section]


class Place(NamedTuple):
    """Lines that an anchor names, with the anchor of the canonical address."""

    start: int
    end: int
    name: str


Places = Sequence[Place]


def find_anchor(file: File, anchor: str) -> Places:
    """Return the places that `anchor` names in `file`: empty if there is none, several
    if it is ambiguous.
    """
    if file.kind == "binary":
        return ()
    if anchor.startswith("^"):
        blocks = _blocks(file, anchor)
        if blocks:
            return blocks
    lines = parse_lines(anchor)
    # A heading titled `L1` takes precedence over line 1.
    names = [(section.title, section.slug) for section in file.sections]
    if lines is not None and not any(anchor in name for name in names):
        last = max(file.lines, 1)
        start = lines.start
        end = min(lines.end or last, last)
        if start < 1 or end < start:
            return ()
        return (Place(start, end, format_lines(start, end)),)
    # A notebook has both.
    return _symbols(file, anchor) or _sections(file, anchor)


def has_anchors(file: File) -> bool:
    """Return whether an anchor can name a part of a file other than lines."""
    if file.kind in ("card", "doc"):
        return True
    return bool(file.sections or file.symbols)


def near_anchor(file: File, anchor: str) -> str:
    """Return the anchor of `file` most similar to `anchor`."""
    import difflib

    names = [section.title for section in file.sections]
    names += [symbol.name for symbol in file.symbols]
    names += [f"^{block.id}" for block in file.blocks]
    # The first of several names with the same key wins.
    names_by_key = {name_key(name): name for name in reversed(names[:_COMPARED])}
    nearest = difflib.get_close_matches(name_key(anchor), sorted(names_by_key), 1, 0.5)
    if not nearest:
        return ""
    return names_by_key[nearest[0]]


def section_name(section: Section, lookup: Lookup) -> str:
    """Return an anchor of a section that may be shown: its slug, or its lines if the
    title contains a secret.
    """
    if lookup.holds_secret(section.title):
        return format_lines(section.start, section.end)
    return section.slug


def _blocks(file: File, anchor: str) -> Places:
    hits = [block for block in file.blocks if block.id == anchor[1:]]
    if len(hits) == 1:
        return (Place(hits[0].start, hits[0].end, anchor),)
    return _line_places(hits)


def _line_places(parts: Sequence[Block | Symbol]) -> Places:
    spans = [(part.start, part.end) for part in parts]
    return tuple(Place(*span, format_lines(*span)) for span in spans)


def _sections(file: File, anchor: str) -> Places:
    hits: Sections = ()
    for hits in _matches(file.sections, anchor):
        # Of equal headings the first one counts, as on GitHub and in Obsidian.
        if len({hit.title for hit in hits}) == 1:
            return (Place(hits[0].start, hits[0].end, anchor),)
    return tuple(Place(hit.start, hit.end, _name(hit, file)) for hit in hits)


def _matches(sections: Sections, anchor: str) -> Iterator[Sections]:
    """Yield the sections that match each rule, strictest rule first."""
    stripped = (step.strip() for step in anchor.split("#"))
    steps = [step for step in stripped if step]
    if not steps:
        return
    *above, last = steps
    yield [section for section in sections if section.title == anchor]
    yield [section for section in sections if section.slug == anchor]
    inside = _below(sections, above)
    yield [section for section in inside if section.title == last]
    yield [section for section in inside if section.slug == last]
    key = _loose(last)
    yield [section for section in inside if key and _is_similar(section, key)]


def _below(sections: Sections, steps: Sequence[str]) -> Sections:
    """Return the sections whose headings above contain `steps` in order."""
    keys = [_loose(step) for step in steps]
    found = []
    for section in sections:
        remaining = list(keys)
        parent = section.parent
        while remaining and parent >= 0:
            if _is_similar(sections[parent], remaining[-1]):
                remaining.pop()
            parent = sections[parent].parent
        if not remaining:
            found.append(section)
    return found


def _is_similar(section: Section, key: str) -> bool:
    return key in (_loose(section.title), _loose(section.slug))


def _name(section: Section, file: File) -> str:
    """Return an anchor unique to this section: its slug, or else its lines."""
    titled = [other for other in file.sections if other.title == section.slug]
    is_own = not titled or titled[0] == section
    if section.slug and is_own:
        return section.slug
    return format_lines(section.start, section.end)


def _symbols(file: File, anchor: str) -> Places:
    symbols = file.symbols
    hits = _definitions(symbols, anchor.replace("::", "."))
    if len({hit.name for hit in hits}) > 1:
        return tuple(Place(hit.start, hit.end, hit.name) for hit in hits)
    if len(hits) < 2 or _are_adjacent(hits, symbols):
        ends = [hit.end for hit in hits]
        return tuple(Place(hit.start, max(ends), hit.name) for hit in hits[:1])
    return _line_places(hits)


def _definitions(symbols: Sequence[Symbol], wanted: str) -> Sequence[Symbol]:
    """Return the definitions with the full name, else with the end of a name, else
    without `prototype`.
    """
    exact = [symbol for symbol in symbols if symbol.name == wanted]
    if exact:
        return exact
    ending = [symbol for symbol in symbols if symbol.name.endswith("." + wanted)]
    if ending:
        return ending
    # The parser names methods by their class, also those assigned to the prototype.
    method = wanted.replace(".prototype.", ".")
    return [symbol for symbol in symbols if symbol.name == method]


def _are_adjacent(hits: Sequence[Symbol], symbols: Sequence[Symbol]) -> bool:
    name = hits[0].name
    first = hits[0].start
    last = hits[-1].start
    between = [symbol.name for symbol in symbols if first < symbol.start < last]
    return all(each == name or each.startswith(f"{name}.") for each in between)


def _loose(text: str) -> str:
    unlinked = _LINK.sub(r"\1", text)
    return nfc(_LOOSE.sub("", unlinked).casefold())


def written(address: str, form: str, source: str, index: Lookup) -> str:
    """Return an address as it is written in a form of refs in the file `source`."""
    path, anchor = split_anchor(address)
    if form == "mention":
        for folder in (f"{DOCS}/", "docs/"):
            path = path.removeprefix(folder)
        return join_anchor(path.removesuffix(".md"), anchor)
    if form != "markdown":
        return address
    file = index.file(path)
    if file is not None and not index.holds_secret(anchor):
        slugs = {section.title: section.slug for section in file.sections}
        anchor = slugs.get(anchor, anchor)
    near = ""
    if path != source:
        near = posixpath.relpath(path, posixpath.dirname(source) or ".")
    return quoted(join_anchor(near, anchor))


def quoted(ref: str) -> str:
    """Return the destination of a Markdown link without blanks."""
    return quote(ref, safe=_UNQUOTED) if " " in ref else ref
