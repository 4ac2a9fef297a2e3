"""Lines of the workspace that contain what a query says: a text as written, an
identifier in any of its spellings, or words that the index does not contain.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from cuedeck.context.scene.occurrences_section import LONGEST_ROW, cut_row
from cuedeck.parse.literal_query import (
    find_literal,
    has_spaceless,
    literal_pattern,
    literal_words,
    read_literal,
)
from cuedeck.text.fold_text import fold_text, unmark
from cuedeck.text.identifiers import (
    Parts,
    files_with_terms,
    find_lines,
    find_offsets,
    identifier_stems,
    last_step,
    split_identifier,
)
from cuedeck.text.words import terms

if TYPE_CHECKING:
    from cuedeck.parse.secrets.mask import Mask
    from cuedeck.store.index import Index
    from cuedeck.store.index.corpus import WorkspaceCorpus, WorkspaceTexts

_MOST_WORDS = 20
"""Maximum number of words of a query that are searched as written."""

_MOST_ALONE = 5
"""Maximum number of words that are searched each by itself."""

Lines = Mapping[str, Sequence[int]]
"""Line numbers by path."""


class Occurrences(NamedTuple):
    """The lines that contain what a query says."""

    written: Lines
    """Lines with the text `words` as written."""
    spelled: Lines
    """Lines with the identifier of the query in any spelling."""
    words: tuple[str, ...]
    """The whole text of the query, or else its words that index terms do not represent.
    """


def find_occurrences(
    corpus: WorkspaceCorpus,
    index: Index,
    texts: WorkspaceTexts,
    query: str,
    keep: Callable[[Sequence[str]], Sequence[str]],
) -> Occurrences:
    """Return the lines with the text of a query as written, and those with its
    identifier in any spelling.

    A query of words has such lines only if index terms do not represent some of them:
    stop words if there are no other words, single letters, numbers, words with a digit
    or punctuation. `keep` filters the paths.
    """

    search = partial(_search, corpus, index, texts, keep)

    def search_words(words: Sequence[str]) -> Lines:
        needed = _plain_terms(" ".join(words))
        return search(needed, partial(find_literal, literals=words))

    literal = read_literal(query)
    parts = _identifier_parts(query)
    stems = identifier_stems(parts)
    if not literal and not parts and not terms(query):
        literal = query
    whole: tuple[str, ...] = (query.strip(),)
    written = search_words([literal]) if literal else {}
    words = literal_words(query)[:_MOST_WORDS]
    if not words and not _plain_terms(literal):
        words = literal.split()[:_MOST_WORDS]
    if not written and words not in ([], [literal]):
        whole = tuple(words)
        written = search_words(words) or _merge(
            [search_words([word]) for word in words[:_MOST_ALONE]]
        )
    spelled: Lines = {}
    if parts and (stems or not literal):
        spelled = search(stems, partial(_find_spelled, parts))
    return Occurrences(written, spelled, whole)


def _search(
    corpus: WorkspaceCorpus,
    index: Index,
    texts: WorkspaceTexts,
    keep: Callable[[Sequence[str]], Sequence[str]],
    needed: Sequence[str],
    find: Callable[[str], Sequence[int]],
) -> Lines:
    """Return the lines that `find` gives for the texts of the files with the terms
    `needed`, and of those without stored terms.
    """
    ranked: Iterable[str] = corpus.lengths()
    if needed:
        ranked = files_with_terms(corpus.postings, needed)
    paths = (*ranked, *index.paths_of_kind("card"), *corpus.unranked())
    kept = keep(list(dict.fromkeys(paths)))
    found = {path: find(texts.text(path)) for path in kept}
    return {path: lines for path, lines in found.items() if lines}


def _find_spelled(parts: Parts, text: str) -> Sequence[int]:
    if text.isascii():
        return find_lines(text, parts)
    folded = find_literal(text, list(parts)) if len(parts) == 1 else ()
    return sorted({*find_lines(unmark(text), parts), *folded})


def _merge(found: Sequence[Lines]) -> Lines:
    """Return the lines with any of some words."""
    merged: dict[str, list[int]] = {}
    for lines in found:
        for path, numbers in lines.items():
            merged[path] = sorted({*merged.get(path, ()), *numbers})
    return merged


def _identifier_parts(query: str) -> Parts:
    """Return the parts of the identifier that a query consists of, for example of
    `push` in `AppContext.push()`; else none.
    """
    name = query.strip().strip("`'\"")
    if "/" in name or any(character.isspace() for character in name):
        return ()
    return tuple(map(fold_text, split_identifier(last_step(unmark(name)))))


def rows_of(
    lines: Sequence[tuple[str, int]], query: str, words: Sequence[str], mask: Mask
) -> list[dict[str, Any]]:
    """Return occurrences of a query."""
    text_of_words = query if len(words) > 1 else words[0]
    literal = literal_pattern(read_literal(text_of_words) or text_of_words)
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
        rows.append({"path": path, "line": line, "text": row})
    return rows


def _plain_terms(literal: str) -> Sequence[str]:
    """Return the index terms of the words of a literal."""
    if has_spaceless(literal):
        return ()
    return [term for term in terms(literal) if not term.startswith("=")]
