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
    from cuedeck.store.index.corpus import WorkspaceCorpus
    from cuedeck.store.index.texts import WorkspaceTexts

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
    whole: tuple[str, ...] = (query.strip(),)
    literal = read_literal(query)
    parts = _identifier_parts(query)
    stems = identifier_stems(parts)
    if not literal and not parts and not terms(query):
        literal = query
    search = partial(_search, corpus, index, texts, keep)
    written: Lines = {}
    if literal:
        needed = _plain_terms(literal)
        written = search(needed, lambda text: find_literal(text, [literal]))
    words = literal_words(query)[:_MOST_WORDS]
    if not words and not _plain_terms(literal):
        words = literal.split()[:_MOST_WORDS]
    if not written and words not in ([], [literal]):
        whole = tuple(words)
        written = _search_words(search, words)
    if not parts or (literal and not stems):
        return Occurrences(written, {}, whole)

    def find_spelled(text: str) -> Sequence[int]:
        if text.isascii():
            return find_lines(text, parts)
        folded = find_literal(text, list(parts)) if len(parts) == 1 else ()
        return sorted({*find_lines(unmark(text), parts), *folded})

    return Occurrences(written, search(stems, find_spelled), whole)


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


def _search_words(search: Callable[..., Lines], words: Sequence[str]) -> Lines:
    """Return the lines with all of some words, or else those with any of them."""
    groups = [words, *([word] for word in words[:_MOST_ALONE])]
    found: dict[str, list[int]] = {}
    for group in groups:
        needed = _plain_terms(" ".join(group))
        lines = search(needed, partial(find_literal, literals=group))
        for path, numbers in lines.items():
            found[path] = sorted({*found.get(path, ()), *numbers})
        if found and group is words:
            break
    return found


def _search(
    corpus: WorkspaceCorpus,
    index: Index,
    texts: WorkspaceTexts,
    keep: Callable[[Sequence[str]], Sequence[str]],
    needed: Sequence[str],
    find: Callable[[str], Sequence[int]],
) -> Lines:
    ranked: Iterable[str] = corpus.lengths()
    if needed:
        ranked = files_with_terms(corpus.postings, needed)
    cards = index.paths_of_kind("card")
    searched = dict.fromkeys((*ranked, *cards, *corpus.unranked()))
    paths = keep(list(searched))
    found = {path: find(texts.text(path)) for path in paths}
    return {path: lines for path, lines in found.items() if lines}


def _plain_terms(literal: str) -> Sequence[str]:
    """Return the index terms of the words of a literal."""
    if has_spaceless(literal):
        return ()
    return [term for term in terms(literal) if not term.startswith("=")]
