"""Selection of the part of a file that best matches a query: a definition, a section, a passage, or the whole file."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.app.search.file_scores import Question, name_terms
from cuedeck.app.search.search_hit import cut
from cuedeck.graph.anchors import section_name
from cuedeck.model.address import format_lines, join_anchor
from cuedeck.parse.index_terms import read_words
from cuedeck.parse.terms import terms

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace
    from cuedeck.model.file import File
    from cuedeck.scene.mask import Mask

_MOST = 3
"""Maximum number of occurrences of a term that count in a passage."""
_ENOUGH = 0.6
"""Share of the total term weight that a name must reach to be the result of a file."""
_AROUND = 1
"""Lines of context around the best line."""


class Place(NamedTuple):
    """A part of a file, with the reason why it matches."""

    address: str
    kind: str
    title: str
    start: int
    end: int
    why: str


def find_place(workspace: Workspace, file: File, question: Question, worth: Mapping[str, float]) -> Place:
    """Return the part of a file that best matches a query; `worth` is the weight (rarity) of each term.

    Order of choice: a symbol or section whose name matches better than title and path, the best passage unless title
    and path match well, the whole file.
    """
    whole = sum(worth.values())
    title = file.card.title if file.card else file.title
    of_file = name_terms(f"{title} {file.path}")
    by_file = sum(worth[term] for term in worth if term in of_file)
    named = max(_named(file), key=lambda each: _weigh(each[1], worth), default=None)
    points = _weigh(named[1], worth) if named else 0.0
    if named is not None and points > by_file and points >= _ENOUGH * whole:
        place, found = named
        if place.kind == "section":
            section = next(each for each in file.sections if each.start == place.start)
            place = place._replace(address=join_anchor(file.path, section_name(section, workspace.index)))
        return place._replace(why=f"its name has {question.said(found & worth.keys())}")
    if whole and by_file < _ENOUGH * whole and file.kind in ("doc", "source", "card"):
        passage = _passage(workspace, file, question, worth, title)
        if passage is not None:
            return passage
    said = question.said(of_file & worth.keys())
    why = f"its title or path has {said}" if said else f"it is called like `{question.text}`"
    return Place(file.path, file.kind, title, 1, max(file.lines, 1), why)


def snippet(workspace: Workspace, mask: Mask, file: File, place: Place, worth: Mapping[str, float]) -> str:
    """Return the best line of a place with its neighbours, masked and joined into one line."""
    if file.kind == "binary" or not file.lines:
        return ""
    lines = workspace.texts.text(file.path).split("\n")
    first = max(place.start, file.body if place.start == 1 else place.start)
    shown = range(min(first, file.lines), min(place.end, file.lines, len(lines)) + 1)
    best = max(shown, key=lambda line: (_weigh(terms(lines[line - 1]).keys(), worth), -line), default=first)
    start, end = max(best - _AROUND, shown.start), min(best + _AROUND, shown.stop - 1)
    text = mask.lines(file.path, [(start, max(start, end))])[0]
    return cut(text, sum(len(lines[line - 1]) + 1 for line in range(start, best)))


def _named(file: File) -> Iterator[tuple[Place, frozenset[str]]]:
    """Yield the symbols of a file, or its sections if it has no symbols, with the terms of their names."""
    for symbol in file.symbols:
        place = Place(join_anchor(file.path, symbol.name), "symbol", symbol.name, symbol.start, symbol.end, "")
        yield place, name_terms(symbol.name.rpartition(".")[2])
    for section in () if file.symbols else file.sections:
        place = Place(file.path, "section", section.title, section.start, section.end, "")  # the caller adds the anchor
        yield place, name_terms(section.title)


def _weigh(found: Container[str], worth: Mapping[str, float]) -> float:
    return sum(each for term, each in worth.items() if term in found)


def _passage(
    workspace: Workspace, file: File, question: Question, worth: Mapping[str, float], title: str
) -> Place | None:
    """Return the passage with the most terms of the query, ties by weight; None if none contains a term."""
    words = workspace.corpus.words(file.path) or read_words(file, workspace.texts.text(file.path))
    points: dict[int, float] = {}
    having: dict[int, set[str]] = {}
    for term, each in worth.items():
        counts = words.counts.get(term, ())
        for at, times in zip(counts[::2], counts[1::2], strict=True):
            points[at] = points.get(at, 0.0) + max(each, 0.1) * min(times, _MOST)
            having.setdefault(at, set()).add(term)
    if not points:
        return None
    best = max(points, key=lambda at: (len(having[at]), points[at], -at))
    chunk = words.chunks[best]
    address = join_anchor(file.path, format_lines(chunk.start, chunk.end))
    said = question.said(having[best])
    return Place(address, file.kind, chunk.name or title, chunk.start, chunk.end, f"its text has {said}")
