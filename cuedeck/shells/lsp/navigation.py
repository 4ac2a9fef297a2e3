"""Places: targets of refs, links to a place, links and symbols of a document, and
symbols of the workspace.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from cuedeck.context.search.fuzzy_find import match_file
from cuedeck.graph.resolve_ref import whole_file
from cuedeck.model.address import split_anchor
from cuedeck.model.ports import Json
from cuedeck.model.scene_values import Target

if TYPE_CHECKING:
    from cuedeck.context.search.link_index import LinkTo
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
    target = target_at(view, view.offset(params.position))
    return view.place_of(target) if target is not None else None


def target_at(view: View, offset: int) -> Target | None:
    """Return the target of the ref at an offset; None without one."""
    span = view.span_at(offset)
    if span is None:
        return None
    found = view.resolve(span)
    return found if isinstance(found, Target) else None


def place_at(view: View, offset: int) -> Target | None:
    """Return what an offset is about: the target of a ref, else the heading or
    definition that begins on its line, else the whole file on its first lines.
    """
    target = target_at(view, offset)
    if target is not None or view.file is None:
        return target
    line = view.document.position(offset)["line"] + 1
    for section in view.file.sections:
        if section.start == line and section.level > 1:
            return _part(view.file, section.slug, section)
    symbol = symbol_at(view, offset)
    if symbol is not None:
        return _part(view.file, symbol.name, symbol)
    return whole_file(view.file) if _is_title(view.file, line) else None


def _is_title(file: File, line: int) -> bool:
    titles = [section.start for section in file.sections if section.level == 1]
    return line <= file.body or line in titles


def symbol_at(view: View, offset: int) -> Symbol | None:
    """Return the definition of the file whose name is at an offset."""
    number = view.document.position(offset)["line"]
    column = offset - view.document.starts[number]
    word = ""
    for each in _NAME.finditer(view.document.line(number)):
        if each.start() <= column <= each.end():
            word = each[0]
    for symbol in view.file.symbols if view.file else ():
        is_head = symbol.start <= number + 1 <= symbol.head
        _, _, name = symbol.name.rpartition(".")
        if is_head and name == word:
            return symbol
    return None


def _part(file: File, anchor: str, lines: Section | Symbol) -> Target:
    return Target(
        address=f"{file.path}#{anchor}",
        path=file.path,
        kind=file.kind,
        start=lines.start,
        end=lines.end,
        whole=False,
    )


def references(view: View, params: Any) -> list[Json]:
    """Return the links to the place at a position: to a heading with its subsections,
    to a definition, or to a file with all its parts.
    """
    target = place_at(view, view.offset(params.position))
    if target is None:
        return []
    found = [_location(view, each) for each in links_to_place(view, target)]
    if params.context.include_declaration:
        place = view.place_of(target)
        found += [place] if place is not None else []
    return found


def links_to_place(view: View, target: Target) -> list[LinkTo]:
    """Return the links to a target; those to a part of it only if it is a part, too."""
    found = []
    for each in view.links_to(target.path):
        inside = target.start <= each.target.start and each.target.end <= target.end
        if target.whole or (inside and not each.target.whole):
            found.append(each)
    return found


def _location(view: View, link: LinkTo) -> Json:
    document = view.document_of(link.path)
    place = document.line_range(link.link.line)
    for span in view.spans_of(link.path, document):
        if span.link == link.link:
            place = document.range(*span.label)
    return {
        "uri": view.uri(link.path),
        "range": place,
    }


def document_links(view: View, params: Any) -> list[Json]:
    """Return the refs of a document that have a target."""
    found = []
    for span in view.spans:
        target = view.resolve(span)
        if not isinstance(target, Target):
            continue
        place = view.place_of(target)
        if place is None:
            continue
        address = place["uri"]
        line = place["range"]["start"]["line"]
        if line:
            address = f"{address}#L{line + 1}"
        found.append(
            {
                "range": view.document.range(*span.label),
                "target": address,
            }
        )
    return found


def document_symbols(view: View, params: Any) -> list[Json]:
    """Return the headings and definitions of a document as a tree."""
    if view.file is None:
        return []
    rows = [*_heading_rows(view.file.sections), *_symbol_rows(view.file.symbols)]
    roots: list[Json] = []
    open_: list[tuple[int, Json]] = []
    for start, end, name, kind in sorted(rows, key=lambda row: (row[0], -row[1])):
        first = view.document.line_range(start)
        whole = {
            "start": first["start"],
            "end": view.document.line_range(end)["end"],
        }
        row = {
            "name": name or "—",
            "kind": kind,
            "range": whole,
            "selectionRange": first,
            "children": [],
        }
        while open_ and open_[-1][0] < end:
            open_.pop()
        siblings = open_[-1][1]["children"] if open_ else roots
        siblings.append(row)
        open_.append((end, row))
    return roots


_Row = tuple[int, int, str, int]


def _heading_rows(sections: Sequence[Section]) -> Iterator[_Row]:
    for each in sections:
        yield each.start, each.end, each.title, _STRING


def _symbol_rows(symbols: Sequence[Symbol]) -> Iterator[_Row]:
    for each in symbols:
        name = each.name.rpartition(".")[2]
        yield each.head, each.end, name, _SYMBOL_KINDS.get(each.kind, _FUNCTION)


def workspace_symbols(view: View, query: str) -> list[Json]:
    """Return the cards, docs, headings and definitions that match a query, best
    first.
    """
    words = query.casefold().split()
    rows: list[tuple[int, str, str, int, int]] = []
    for path in view.links.named(words)[:_MOST_FILES]:
        file = view.index.file(path)
        if file is None or not (words or file.kind in ("card", "doc")):
            continue
        for score, address, row in match_file(words, file, view.index):
            kind = _STRING if "#" in row["address"] else _FILE
            rows.append((score, address, row["title"] or path, row["line"], kind))
        rows += _symbols_named(words, file)
    found = []
    for _, address, name, line, kind in sorted(rows)[:_MOST_SYMBOLS]:
        path = split_anchor(address)[0]
        start = {
            "line": line - 1,
            "character": 0,
        }
        place = {
            "uri": view.uri(path),
            "range": {
                "start": start,
                "end": start,
            },
        }
        found.append(
            {
                "name": name,
                "kind": kind,
                "location": place,
                "containerName": path,
            }
        )
    return found


def _symbols_named(
    words: Sequence[str], file: File
) -> Iterator[tuple[int, str, str, int, int]]:
    for each in file.symbols:
        name = each.name.casefold()
        if words and all(word in name for word in words):
            score = -10 if name.rpartition(".")[2] == words[0] else -5
            kind = _SYMBOL_KINDS.get(each.kind, _FUNCTION)
            yield score, f"{file.path}#{each.name}", each.name, each.head, kind
