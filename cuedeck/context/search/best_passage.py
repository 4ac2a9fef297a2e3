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
    from cuedeck.model.file import File
    from cuedeck.parse.secrets.mask import Mask
    from cuedeck.store.index import Index
    from cuedeck.store.index.corpus import WorkspaceCorpus
    from cuedeck.store.index.texts import WorkspaceTexts

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
    if lines:
        rows = workspace.texts.text(file.path).split("\n")
        line = _heaviest(rows, lines[:_MOST_COMPARED], weights)
        row = fold_text(rows[line - 1])
        here = [word for word in words if literal_pattern(word).search(row)]
        return _find_line(file, query, line, here or [query.text], workspace.index)
    total = sum(weights.values())
    title = file.card.title if file.card else file.title
    title_terms = name_terms(f"{title} {file.path}")
    title_weight = _weigh(title_terms, weights)
    part = _best_named_part(file, weights)
    if part is not None:
        place, part_terms = part
        part_weight = _weigh(part_terms, weights)
        if part_weight > title_weight and part_weight >= _NAME_SHARE * total:
            address = (
                _section_address(file, place, workspace.index)
                if place.kind == "section"
                else place.address
            )
            return place._replace(
                address=address, why=f"its name has {query.quote(part_terms)}"
            )
    if (
        total
        and title_weight < _NAME_SHARE * total
        and file.kind in ("doc", "source", "card")
    ):
        passage = _best_passage(
            workspace.corpus, workspace.texts, file, query, weights, title
        )
        if passage is not None:
            return passage
    words = query.quote(title_terms)
    why = (
        f"its title or path has {words}"
        if words
        else f"it is called like `{query.text}`"
    )
    return Place(
        address=file.path,
        kind=file.kind,
        title=title,
        start=1,
        end=max(file.lines, 1),
        why=why,
    )


def _find_line(
    file: File, query: Query, line: int, texts: Sequence[str], index: Index
) -> Place:
    title = file.card.title if file.card else file.title
    words = fold_text(query.text)
    for section in file.sections:
        if fold_text(section.title) == words:
            address = join_anchor(file.path, section_name(section, index))
            return Place(
                address=address,
                kind="section",
                title=section.title,
                start=section.start,
                end=section.end,
                why="it is called so",
            )
    return Place(
        address=join_anchor(file.path, format_lines(line, line, file.cells)),
        kind=file.kind,
        title=title,
        start=line,
        end=line,
        why=f"its text has {', '.join(f'`{shorten(each, _LONGEST_REASON)}`' for each in texts)}",
    )


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
    best = _best_line(lines, first, last, weights)
    start = max(best - _CONTEXT, first)
    end = max(min(best + _CONTEXT, last), start)
    text = mask.lines(file.path, [(start, end)])[0]
    before = lines[start - 1 : best - 1]
    position = sum(len(line) + 1 for line in before)
    return cut(text, position)


def _best_line(
    lines: Sequence[str], first: int, last: int, weights: Mapping[str, float]
) -> int:
    """Return the number of the line with the heaviest terms; the first of equals."""
    if first > last:
        return first
    return _heaviest(lines, range(first, last + 1), weights)


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


def _best_named_part(
    file: File, weights: Mapping[str, float]
) -> tuple[Place, Set[str]] | None:
    """Return the symbol or section whose name matches best, with the terms of its name;
    None if a file has neither.
    """
    return max(
        _named_parts(file), key=lambda part: _weigh(part[1], weights), default=None
    )


def _named_parts(file: File) -> Iterator[tuple[Place, Set[str]]]:
    """Yield the symbols and sections of a file, with the terms of their names."""
    for symbol in file.symbols:
        address = join_anchor(file.path, symbol.name)
        place = Place(
            address=address,
            kind="symbol",
            title=symbol.name,
            start=symbol.start,
            end=symbol.end,
            why="",
        )
        yield place, name_terms(symbol.name.rpartition(".")[2])
    for section in file.sections:
        place = Place(
            address=file.path,
            kind="section",
            title=section.title,
            start=section.start,
            end=section.end,
            why="",
        )
        yield place, name_terms(section.title)


def _section_address(file: File, place: Place, index: Index) -> str:
    section = next(section for section in file.sections if section.start == place.start)
    return join_anchor(file.path, section_name(section, index))


def _weigh(found: Container[str], weights: Mapping[str, float]) -> float:
    return sum(weight for term, weight in weights.items() if term in found)


def _best_passage(
    corpus: WorkspaceCorpus,
    texts: WorkspaceTexts,
    file: File,
    query: Query,
    weights: Mapping[str, float],
    title: str,
) -> Place | None:
    """Return the passage with the most terms of the query, ties by weight."""
    words = corpus.words(file.path) or read_words(file, texts.text(file.path))
    points: dict[int, float] = {}
    matched: dict[int, set[str]] = {}
    for term, weight in weights.items():
        # Shape of the counts: chunk number, number of occurrences, chunk number, …
        counts = words.counts.get(term, ())
        for chunk_number, count in zip(counts[::2], counts[1::2], strict=True):
            gained = weight * min(count, _MOST_COUNTED)
            points[chunk_number] = points.get(chunk_number, 0.0) + gained
            matched.setdefault(chunk_number, set()).add(term)
    if not points:
        return None

    def rank(number: int) -> tuple[int, float, int]:
        return len(matched[number]), points[number], -number

    best = max(points, key=rank)
    chunk = words.chunks[best]
    lines = format_lines(chunk.start, chunk.end, file.cells)
    address = join_anchor(file.path, lines)
    why = f"its text has {query.quote(matched[best])}"
    return Place(
        address=address,
        kind=file.kind,
        title=chunk.name or title,
        start=chunk.start,
        end=chunk.end,
        why=why,
    )
