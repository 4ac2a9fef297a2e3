"""Selection of the part of a file that best matches a query: a definition, a section, a
passage, or the whole file.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence, Set
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.context.search.file_scores import Query, name_terms
from cuedeck.graph.anchors import section_name
from cuedeck.model.address import format_lines, join_anchor
from cuedeck.model.formatting import shorten
from cuedeck.model.search_hit import cut
from cuedeck.parse.index_terms import read_words
from cuedeck.parse.literal_query import literal_pattern
from cuedeck.text.fold_text import fold_text
from cuedeck.text.words import terms

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.model.file import File, Section
    from cuedeck.parse.secrets.mask import Mask
    from cuedeck.store.index import Index

_MOST_COUNTED = 3
"""Maximum number of occurrences of a term that count in a passage."""
_NAME_SHARE = 0.6
"""Share of the total term weight that a name must reach to be the result of a file."""
_LONGEST_REASON = 100
_MOST_COMPARED = 100
"""Maximum number of lines with the text of a query that are compared."""
_CONTEXT = 1
"""Lines of context around the best line."""


class Place(NamedTuple):
    """A part of a file, with the reason why it matches."""

    address: str
    kind: str
    title: str
    start: int
    end: int
    why: str


def find_place(
    workspace: Workspace,
    file: File,
    query: Query,
    weights: Mapping[str, float],
    lines: Sequence[int] = (),
    words: Sequence[str] = (),
) -> Place:
    """Return the part of a file that best matches a query; `weights` contains the
    weight of each term, and `lines` the lines with the texts `words` of the query.

    Order of choice: the first of these lines, a symbol or section whose name matches
    better than title and path, the best passage unless title and path match well, the
    whole file.
    """
    title = file.card.title if file.card else file.title
    title = file.card.title if file.card else file.title
    if lines:
        rows = workspace.texts.text(file.path).split("\n")
        line = _heaviest(rows, lines[:_MOST_COMPARED], weights)
        row = fold_text(rows[line - 1])
        here = filter(lambda word: literal_pattern(word).search(row), words)
        return _find_line(file, query, line, tuple(here), workspace.index)
    total = sum(weights.values())
    title_terms = name_terms(f"{title} {file.path}")
    title_weight = _weigh(title_terms, weights)
    part, part_terms = max(
        _named_parts(file),
        key=lambda part: _weigh(part[1], weights),
        default=(None, frozenset()),
    )
    part_weight = _weigh(part_terms, weights)
    if part and part_weight > title_weight and part_weight >= _NAME_SHARE * total:
        if part.kind == "section":
            section = next(each for each in file.sections if each.start == part.start)
            part = _section_place(file, section, workspace.index)
        return part._replace(why=f"its name has {query.quote(part_terms)}")
    has_text = file.kind in ("doc", "source", "card")
    if total and title_weight < _NAME_SHARE * total and has_text:
        passage = _best_passage(workspace, file, query, weights, title)
        if passage is not None:
            return passage
    why = f"it is called like `{query.text}`"
    if query.quote(title_terms):
        why = f"its title or path has {query.quote(title_terms)}"
    return Place(file.path, file.kind, title, 1, max(file.lines, 1), why)


def _find_line(
    file: File, query: Query, line: int, texts: Sequence[str], index: Index
) -> Place:
    words = fold_text(query.text)
    for section in file.sections:
        if fold_text(section.title) == words:
            return _section_place(file, section, index)._replace(why="it is called so")
    title = file.card.title if file.card else file.title
    address = join_anchor(file.path, format_lines(line, line))
    shown = [shorten(text, _LONGEST_REASON) for text in texts or [query.text]]
    why = f"its text has `{'`, `'.join(shown)}`"
    return Place(address, file.kind, title, line, line, why)


def snippet(
    workspace: Workspace,
    mask: Mask,
    file: File,
    place: Place,
    weights: Mapping[str, float],
) -> str:
    """Return the best line of a place with its neighbours, masked and joined into one
    line.
    """
    if file.kind == "binary" or not file.lines:
        return ""
    lines = workspace.texts.text(file.path).split("\n")
    # The front matter of a whole file is left out.
    first = file.body if place.start == 1 else place.start
    first = min(first, file.lines)
    last = min(place.end, file.lines, len(lines))
    best = first
    if first <= last:
        best = _heaviest(lines, range(first, last + 1), weights)
    start = max(best - _CONTEXT, first)
    end = max(min(best + _CONTEXT, last), start)
    text = mask.lines(file.path, [(start, end)])[0]
    before = lines[start - 1 : best - 1]
    position = sum(len(line) + 1 for line in before)
    return cut(text, position)


def _heaviest(
    lines: Sequence[str], numbers: Sequence[int], weights: Mapping[str, float]
) -> int:
    """Return the one of these line numbers with the heaviest terms."""
    best = numbers[0]
    best_weight = -1.0
    for number in numbers:
        weight = _weigh(terms(lines[number - 1]), weights)
        if weight > best_weight:
            best = number
            best_weight = weight
    return best


def _named_parts(file: File) -> Iterator[tuple[Place, Set[str]]]:
    """Yield the symbols and sections of a file, with the terms of their names.

    The address of a section is that of the file.
    """
    for symbol in file.symbols:
        address, name = join_anchor(file.path, symbol.name), symbol.name
        place = Place(address, "symbol", name, symbol.start, symbol.end, "")
        yield place, name_terms(name.rpartition(".")[2])
    for section in file.sections:
        title = section.title
        place = Place(file.path, "section", title, section.start, section.end, "")
        yield place, name_terms(title)


def _section_place(file: File, section: Section, index: Index) -> Place:
    address = join_anchor(file.path, section_name(section, index))
    return Place(address, "section", section.title, section.start, section.end, "")


def _weigh(found: Container[str], weights: Mapping[str, float]) -> float:
    return sum(weight for term, weight in weights.items() if term in found)


def _best_passage(
    workspace: Workspace,
    file: File,
    query: Query,
    weights: Mapping[str, float],
    title: str,
) -> Place | None:
    """Return the passage with the most terms of the query, ties by weight."""
    words = workspace.corpus.words(file.path)
    if words is None:
        words = read_words(file, workspace.texts.text(file.path))
    points: dict[int, float] = {}
    matched: dict[int, set[str]] = {}
    for term, weight in weights.items():
        # Shape of the counts: chunk number, number of occurrences, chunk number, …
        counts = words.counts.get(term, ())
        for number, count in zip(counts[::2], counts[1::2], strict=True):
            gained = weight * min(count, _MOST_COUNTED)
            points[number] = points.get(number, 0.0) + gained
            matched.setdefault(number, set()).add(term)
    if not points:
        return None
    best = max(points, key=lambda each: (len(matched[each]), points[each], -each))
    chunk = words.chunks[best]
    lines = format_lines(chunk.start, chunk.end)
    address = join_anchor(file.path, lines)
    why = f"its text has {query.quote(matched[best])}"
    return Place(address, file.kind, chunk.name or title, chunk.start, chunk.end, why)
