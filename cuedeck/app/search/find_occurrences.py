"""Lines of the workspace that contain what a query says: a text as written, an
identifier in any of its spellings, or words that the index does not contain.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from cuedeck.model.fold_text import fold_text, unmark
from cuedeck.model.formatting import in_cell
from cuedeck.parse.identifiers import (
    Parts,
    files_with_terms,
    find_lines,
    find_offsets,
    identifier_stems,
    last_step,
    split_identifier,
)
from cuedeck.parse.literal_query import (
    find_literal,
    has_spaceless,
    literal_pattern,
    read_literal,
)
from cuedeck.parse.search_terms import terms
from cuedeck.scene.occurrences_section import LONGEST_ROW, cut_row

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace
    from cuedeck.scene.mask import Mask

_MOST_WORDS = 20
"""Maximum number of words of a query that are searched as written."""

Lines = Mapping[str, Sequence[int]]
"""Line numbers by path."""


def find_occurrences(
    workspace: Workspace, query: str, keep: Callable[[Sequence[str]], Sequence[str]]
) -> tuple[Lines, Lines]:
    """Return the lines with the text of a query as written, and those with its
    identifier in any spelling.

    A query of words has such lines only if the index contains none of them: stop words,
    single letters, numbers. `keep` filters the paths.
    """
    literal = read_literal(query)
    parts = _identifier_parts(query)
    stems = identifier_stems(parts)
    if not literal and not parts and not terms(query):
        literal = query
    written: Lines = {}
    if literal:
        written = _search(
            workspace,
            keep,
            needed=_plain_terms(literal),
            find=lambda text: find_literal(text, [literal]),
        )
    words = literal.split()[:_MOST_WORDS]
    if len(words) > 1 and not written and not _plain_terms(literal):
        written = _search(
            workspace,
            keep,
            needed=(),
            find=lambda text: find_literal(text, words),
        )
    if not parts or (literal and not stems):
        return written, {}
    spelled = _search(
        workspace,
        keep,
        needed=stems,
        find=lambda text: _identifier_lines(text, parts),
    )
    return written, spelled


def _identifier_parts(query: str) -> Parts:
    return tuple(map(fold_text, split_identifier(identifier_of(query))))


def identifier_of(query: str) -> str:
    """Return the identifier that a query consists of, for example `push` of
    `AppContext.push()`; else empty.
    """
    name = query.strip().strip("`'\"")
    if "/" in name or any(character.isspace() for character in name):
        return ""
    return last_step(unmark(name))


def rows_of(
    lines: Sequence[tuple[str, int]], query: str, mask: Mask
) -> list[dict[str, Any]]:
    """Return occurrences with their masked texts."""
    literal = literal_pattern(read_literal(query) or query)
    parts = _identifier_parts(query)
    rows = []
    for path, line in lines:
        text = mask.lines(path, [(line, line)])[0].strip()
        found = literal.search(fold_text(text))
        at = found.start() if found else 0
        if parts and not found:
            at = next(find_offsets(text, parts), 0)
        length = min(len(query), LONGEST_ROW // 2)
        row = cut_row(text, at, length, LONGEST_ROW)
        place = {"path": path, "line": line, **in_cell(line, mask.cells(path))}
        rows.append({**place, "text": row})
    return rows


def _search(
    workspace: Workspace,
    keep: Callable[[Sequence[str]], Sequence[str]],
    needed: Sequence[str],
    find: Callable[[str], Sequence[int]],
) -> Lines:
    """Return the lines that `find` finds in the texts with all index terms `needed`."""
    corpus = workspace.corpus
    ranked: Iterable[str] = corpus.lengths()
    if needed:
        ranked = files_with_terms(corpus.postings, needed)
    cards = workspace.index.paths_of_kind("card")
    searched = dict.fromkeys((*ranked, *cards, *corpus.unranked()))
    paths = keep(list(searched))
    found = {path: find(workspace.texts.text(path)) for path in paths}
    return {path: lines for path, lines in found.items() if lines}


def _plain_terms(literal: str) -> Sequence[str]:
    """Return the index terms of the words of a literal; none if the index has other
    words of its script.
    """
    if has_spaceless(literal):
        return ()
    return [term for term in terms(literal) if not term.startswith("=")]


def _identifier_lines(text: str, parts: Parts) -> Sequence[int]:
    if text.isascii():
        return find_lines(text, parts)
    unmarked = find_lines(unmark(text), parts)
    folded: Sequence[int] = []
    if len(parts) == 1:
        folded = find_literal(text, ["_".join(parts)])
    return sorted({*unmarked, *folded})
