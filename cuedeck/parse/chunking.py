"""Chunking for full-text ranking: windows of lines that respect definitions and sections, with their terms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from cuedeck.model.chunk import NO_WORDS, Chunk, Words
from cuedeck.model.file import File
from cuedeck.parse.terms import read_terms

WINDOW = 20
"""Lines per chunk."""
_SHORTEST = 6
"""Minimum lines of the last chunk of a definition; a shorter remainder is added to the chunk before it."""
_MOST_CHARACTERS = 300_000
"""Maximum length of a file that is chunked; a longer file is treated as data."""


def read_chunks(file: File, text: str) -> list[tuple[Chunk, list[str]]]:
    """Return the chunks of a parsed file, each with its terms in text order."""
    if file.kind == "binary" or not text or len(text) > _MOST_CHARACTERS:
        return []
    lines = text.split("\n")
    found: list[tuple[Chunk, list[str]]] = []
    count = min(len(lines), max(file.lines, 1))
    for start, end, head, name in split(file, count):
        terms = read_terms("\n".join(lines[start - 1 : end]))
        if not terms and found:
            # A chunk without terms (blank lines between two definitions) is added to the one before it.
            before, before_terms = found[-1]
            found[-1] = (before._replace(end=end), before_terms)
        else:
            found.append((Chunk(start, end, head, name, len(terms)), terms))
    return found


def read_words(file: File, text: str) -> Words:
    """Return the chunks of a parsed file with their term counts."""
    found = read_chunks(file, text)
    chunks = [chunk for chunk, _ in found]
    counts = [Counter(terms) for _, terms in found]
    return gather(chunks, counts)


def gather(chunks: Sequence[Chunk], counts: Sequence[Mapping[str, int]]) -> Words:
    """Return `Words` built from chunks and the term counts of each chunk."""
    if not chunks:
        return NO_WORDS
    pairs: dict[str, list[int]] = {}
    for at, found in enumerate(counts):
        for term, times in found.items():
            pairs.setdefault(term, []).extend((at, times))
    postings = {term: tuple(each) for term, each in pairs.items()}
    return Words(tuple(chunks), postings)


def split(file: File, lines: int) -> Iterator[tuple[int, int, int, str]]:
    """Yield (start, end, head, name) of windows that cover all lines and never cross the border of a definition."""
    owners = _owners(file, lines)
    start = 1
    for line in range(1, lines + 1):
        if line < lines and owners[line + 1] == owners[line]:
            continue
        head, name = owners[line] or (0, "")
        while start <= line:
            end = start + WINDOW - 1
            if line - end < _SHORTEST:
                end = line
            yield start, end, head, name
            start = end + 1


def _owners(file: File, lines: int) -> Sequence[tuple[int, str] | None]:
    """Return (head, name) of the innermost definition or section that contains each line; index 1 is line 1."""
    owners: list[tuple[int, str] | None] = [None] * (lines + 2)
    spans = [(symbol.start, symbol.end, symbol.head, symbol.name) for symbol in file.symbols]
    if not spans:
        spans = [(section.start, section.end, section.start, section.title) for section in file.sections]
    # The longest span comes first, so that inner ones overwrite it.
    spans.sort(key=lambda span: (span[0] - span[1], span[0]))
    for start, end, head, name in spans:
        first = max(start, 1)
        last = min(end, lines)
        if first <= last:
            owners[first : last + 1] = [(head, name)] * (last - first + 1)
    return owners
