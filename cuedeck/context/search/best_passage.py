"""Selection of the part of a file that best matches a query: a definition, a section, a
passage, or the whole file.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.context.search.file_scores import Query, name_terms
from cuedeck.graph.anchors import section_name
from cuedeck.model.address import format_lines, join_anchor
from cuedeck.model.file import File, Section, Symbol
from cuedeck.model.formatting import shorten
from cuedeck.model.recall_values import cut
from cuedeck.parse.index_terms import read_words
from cuedeck.parse.literal_query import literal_pattern
from cuedeck.text.fold_text import fold_text
from cuedeck.text.words import terms

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.parse.secrets.mask import Mask
    from cuedeck.store.index import Index
    from cuedeck.store.index.corpus import WorkspaceTexts

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


def title_of(file: File) -> str:
    """Return the title of a card or of another file."""
    return file.card.title if file.card else file.title


def symbol_place(path: str, symbol: Symbol, why: str) -> Place:
    """Return the place of a definition."""
    address = join_anchor(path, symbol.name)
    name = symbol.name
    return Place(address, "symbol", name, symbol.start, symbol.end, why)


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
    index = workspace.index
    title = title_of(file)
    if lines:
        rows = workspace.texts.text(file.path).split("\n")
        return _find_line(
            file, query, rows, lines[:_MOST_COMPARED], words, weights, index
        )
    title_terms = name_terms(f"{title} {file.path}")
    title_weight = _weigh(title_terms, weights)
    enough = _NAME_SHARE * sum(weights.values())
    names: list[tuple[frozenset[str], Symbol | Section]] = []
    for symbol in file.symbols:
        names.append((name_terms(symbol.name.rpartition(".")[2]), symbol))
    names += [(name_terms(each.title), each) for each in file.sections]
    if names:
        part_terms, part = max(names, key=lambda each: _weigh(each[0], weights))
        weight = _weigh(part_terms, weights)
        if weight > title_weight and weight >= enough:
            why = f"its name has {query.quote(part_terms)}"
            if isinstance(part, Symbol):
                return symbol_place(file.path, part, why)
            return _section_place(file, part, index, why)
    if title_weight < enough and file.kind in ("doc", "source", "card"):
        passage = _best_passage(file, workspace.texts.text(file.path), query, weights)
        if passage is not None:
            return passage
    why = f"it is called like `{query.text}`"
    if query.quote(title_terms):
        why = f"its title or path has {query.quote(title_terms)}"
    return Place(file.path, file.kind, title, 1, max(file.lines, 1), why)


def _find_line(
    file: File,
    query: Query,
    rows: Sequence[str],
    lines: Sequence[int],
    words: Sequence[str],
    weights: Mapping[str, float],
    index: Index,
) -> Place:
    """Return the section that is called like the query, or the line of these with the
    heaviest terms.
    """
    text = fold_text(query.text)
    for section in file.sections:
        if fold_text(section.title) == text:
            return _section_place(file, section, index, "it is called so")
    line = _heaviest(rows, lines, weights)
    row = fold_text(rows[line - 1])
    here = [word for word in words if literal_pattern(word).search(row)]
    shown = [shorten(word, _LONGEST_REASON) for word in here or [query.text]]
    why = f"its text has `{'`, `'.join(shown)}`"
    return _lines_place(file, line, line, why)


def _lines_place(file: File, start: int, end: int, why: str, title: str = "") -> Place:
    address = join_anchor(file.path, format_lines(start, end))
    return Place(address, file.kind, title or title_of(file), start, end, why)


def _section_place(file: File, section: Section, index: Index, why: str) -> Place:
    address = join_anchor(file.path, section_name(section, index))
    return Place(address, "section", section.title, section.start, section.end, why)


def snippet(
    texts: WorkspaceTexts,
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
    lines = texts.text(file.path).split("\n")
    # The front matter of a whole file is left out.
    first = file.body if place.start == 1 else place.start
    first = min(first, file.lines)
    last = min(place.end, file.lines, len(lines))
    best = _heaviest(lines, range(first, last + 1) or [first], weights)
    start = max(best - _CONTEXT, first)
    end = max(min(best + _CONTEXT, last), start)
    text = mask.lines(file.path, [(start, end)])[0]
    before = lines[start - 1 : best - 1]
    return cut(text, sum(len(line) + 1 for line in before))


def _heaviest(
    lines: Sequence[str], numbers: Sequence[int], weights: Mapping[str, float]
) -> int:
    """Return the first of these line numbers with the heaviest terms."""
    return max(numbers, key=lambda number: _weigh(terms(lines[number - 1]), weights))


def _weigh(found: Container[str], weights: Mapping[str, float]) -> float:
    return sum(weight for term, weight in weights.items() if term in found)


def _best_passage(
    file: File, text: str, query: Query, weights: Mapping[str, float]
) -> Place | None:
    """Return the passage with the most terms of the query, ties by weight."""
    words = read_words(file, text)
    points: defaultdict[int, float] = defaultdict(float)
    matched: dict[int, list[str]] = {}
    for term, weight in weights.items():
        # Shape of the counts: chunk number, number of occurrences, chunk number, …
        counts = words.counts.get(term, ())
        for number, count in zip(counts[::2], counts[1::2], strict=True):
            points[number] += weight * min(count, _MOST_COUNTED)
            matched.setdefault(number, []).append(term)
    if not points:
        return None
    best = max(points, key=lambda each: (len(matched[each]), points[each], -each))
    chunk = words.chunks[best]
    why = f"its text has {query.quote(matched[best])}"
    return _lines_place(file, chunk.start, chunk.end, why, chunk.name)
