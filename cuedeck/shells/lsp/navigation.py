"""Places: targets of refs, links to a place, links and symbols of a document, and
symbols of the workspace.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from cuedeck.context.search.fuzzy_find import match_file
from cuedeck.graph.resolve_ref import whole_file
from cuedeck.model.address import split_anchor
from cuedeck.model.ports import Json
from cuedeck.model.scene_values import Target
from cuedeck.shells.lsp.view import title_line

if TYPE_CHECKING:
    from cuedeck.model.file import File, Section, Symbol
    from cuedeck.shells.lsp.view import View

_NAME = re.compile(r"[^\W\d]\w*")
_FILE, _CLASS, _METHOD, _FUNCTION, _CONSTANT, _STRING = 1, 5, 6, 12, 14, 15
"""Kinds of symbols of the protocol; a heading is a string, as in other servers."""
_MOST_FILES, _MOST_SYMBOLS = 200, 100
"""Most files whose names are compared with a query, and most answers to it."""
_SYMBOL_KINDS = {
    "class": _CLASS,
    "type": _CLASS,
    "method": _METHOD,
    "constant": _CONSTANT,
}


def definition(view: View, params: Any) -> Json | None:
    """Return the place of the ref at a position."""
    return view.place_of(view.target_at(view.offset(params.position)))


def place_at(view: View, offset: int) -> Target | None:
    """Return what an offset is about: the target of a ref, else the heading or
    definition that begins on its line, else the whole file on its first lines.
    """
    file = view.file
    target = view.target_at(offset)
    if target is not None or file is None:
        return target
    line = view.document.position(offset)["line"] + 1
    title = title_line(file)
    parts: list[tuple[str, Section | Symbol]] = []
    parts += [(each.slug, each) for each in file.sections if each.start == line]
    parts += [(each.name, each) for each in _symbols_at(view, file, offset)]
    for anchor, part in parts:
        if line != title:
            place = f"{file.path}#{anchor}", file.path, file.kind
            return Target(
                *place,
                part.start,
                part.end,
                whole=False,
            )
    return whole_file(file) if line <= file.body or line == title else None


def _symbols_at(view: View, file: File, offset: int) -> Iterator[Symbol]:
    """Yield the definitions whose name is at an offset."""
    number = view.document.position(offset)["line"]
    column = offset - view.document.starts[number]
    words = _NAME.finditer(view.document.line(number))
    names = [each[0] for each in words if each.start() <= column <= each.end()]
    for symbol in file.symbols:
        is_head = symbol.start <= number + 1 <= symbol.head
        if is_head and symbol.name.rpartition(".")[2] in names:
            yield symbol


def references(view: View, params: Any) -> list[Json]:
    """Return the links to the place at a position: to a heading with its subsections,
    to a definition, or to a file with all its parts.
    """
    place = place_at(view, view.offset(params.position))
    if place is None:
        return []
    found = []
    for path, link, target in view.links.links_to(view.index, place.path):
        is_inside = place.start <= target.start and target.end <= place.end
        if not place.whole and (target.whole or not is_inside):
            continue
        document = view.document_of(path)
        where = document.line_range(link.line)
        for span in view.spans_of(path):
            if span.link == link:
                where = document.range(*span.label)
        found.append(
            {
                "uri": view.uri(path),
                "range": where,
            }
        )
    if params.context.include_declaration:
        found += filter(None, [view.place_of(place)])
    return found


def document_links(view: View, params: Any) -> list[Json]:
    """Return the refs of a document that have a target."""
    found = []
    for span in view.spans:
        target = view.resolve(span.link)
        place = view.place_of(target) if isinstance(target, Target) else None
        if place is None:
            continue
        line = place["range"]["start"]["line"]
        address = f"{place['uri']}#L{line + 1}" if line else place["uri"]
        where = view.document.range(*span.label)
        found.append(
            {
                "range": where,
                "target": address,
            }
        )
    return found


def document_symbols(view: View, params: Any) -> list[Json]:
    """Return the headings and definitions of a document as a tree."""
    roots: list[Json] = []
    open_: list[tuple[int, Json]] = []
    for start, end, name, kind in sorted(_rows(view.file)):
        first = view.document.line_range(start)
        whole = {
            "start": first["start"],
            "end": view.document.line_range(-end)["end"],
        }
        row = {
            "name": name or "—",
            "kind": kind,
            "range": whole,
            "selectionRange": first,
            "children": [],
        }
        while open_ and open_[-1][0] > end:
            open_.pop()
        siblings = open_[-1][1]["children"] if open_ else roots
        siblings.append(row)
        open_.append((end, row))
    return roots


def _rows(file: File | None) -> Iterator[tuple[int, int, str, int]]:
    """Yield first line, negative last line, name and kind of each part of a file."""
    if file is None:
        return
    for section in file.sections:
        yield section.start, -section.end, section.title, _STRING
    for each in file.symbols:
        name = each.name.rpartition(".")[2]
        yield each.head, -each.end, name, _SYMBOL_KINDS.get(each.kind, _FUNCTION)


def workspace_symbols(view: View, params: Any) -> list[Json]:
    """Return the cards, docs, headings and definitions that match a query, best
    first.
    """
    words = params.query.casefold().split()
    matches: list[_Match] = []
    for path in view.links.named(words)[:_MOST_FILES]:
        file = view.index.file(path)
        if file is not None and (words or file.kind in ("card", "doc")):
            matches += match_file(words, file, view.index)
            matches += _symbols_named(words, file)
    matches.sort(key=itemgetter(0, 1))
    found = []
    for _, address, row in matches[:_MOST_SYMBOLS]:
        path, anchor = split_anchor(address)
        symbol = {
            "name": row["title"] or path,
            "kind": row.get("symbol") or (_STRING if anchor else _FILE),
            "location": view.location(path, row["line"]),
            "containerName": path,
        }
        found.append(symbol)
    return found


_Match = tuple[int, str, Json]
"""Negative score, address, and row with title and line."""


def _symbols_named(words: Sequence[str], file: File) -> Iterator[_Match]:
    for each in file.symbols:
        name = each.name.casefold()
        if words and all(word in name for word in words):
            score = -10 if name.rpartition(".")[2] == words[0] else -5
            kind = _SYMBOL_KINDS.get(each.kind, _FUNCTION)
            row = {
                "title": each.name,
                "line": each.head,
                "symbol": kind,
            }
            yield score, f"{file.path}#{each.name}", row
