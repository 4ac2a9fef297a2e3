"""Index terms of a file for full-text ranking, and the form in which the index stores
them.

The index has the terms of whole files. Where they are in a file is computed when it is
asked: a text is split into chunks, windows of lines that respect definitions and
sections, each with its terms.
"""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from cuedeck.model.file import NO_WORDS, Chunk, File, Words
from cuedeck.model.formatting import replace_surrogates
from cuedeck.model.paths import DOCS, HOME
from cuedeck.text.fold_text import fold_text
from cuedeck.text.words import read_terms, terms

# Prefixes of the term fields. Terms of the text itself have no prefix.
NAME = "n:"
"""Prefix of words in the names of definitions and sections."""
PATH = "p:"
"""Prefix of words in the path; those of the base name count twice."""
DEFINED = "d:"
"""Prefix of whole definition names, in lower case and without outer underscores."""
IMPORTED = "i:"
"""Prefix of the names that the file imports."""
PROJECT = "r:"
"""Term of the files that declare import roots."""

_STEP = re.compile(r"[^\w-]+")
_SCENE = re.compile(
    r"# Scene: [^\n]*\n\n> Context (?:built by CueDeck\.|made by CueDeck: )"
)
"""The beginning of a scene that was saved in the workspace; scenes are not indexed, to
avoid feedback.
"""
WINDOW = 20
"""Lines per chunk."""
_SHORTEST = 6
"""Minimum lines of the last chunk of a definition; a shorter remainder is added to the
chunk before it.
"""
_MOST_CHARACTERS = 300_000
"""Maximum length of a file that is chunked; a longer file is treated as data."""
_MOST_NAMES = 30
"""Maximum number of names per import that are indexed as possible modules."""


class IndexTerms(NamedTuple):
    """The stored index terms of a file."""

    terms: str
    """All terms, plain and prefixed, one on a line, each as often as it occurs."""
    length: int
    """Number of terms in the text."""
    names: int
    """Number of terms in the names of definitions or sections."""

    @property
    def counts(self) -> Counter[str]:
        """The terms with their counts."""
        return Counter(self.terms.split("\n"))


def build_index_terms(file: File, text: str) -> IndexTerms | None:
    """Return the index terms of a file, or None if the file is not indexed (card,
    binary, noise, saved scene).
    """
    if file.kind not in ("doc", "source") or is_noise(file.path) or _SCENE.match(text):
        return None
    words = terms(text) if is_chunked(text) else Counter()
    names = _name_terms(file)
    fields = {NAME + term: count for term, count in names.items()}
    for term, count in path_terms(file.path).items():
        fields[PATH + term] = count
    for symbol in file.symbols:
        fields[DEFINED + _one_line(defined_key(symbol.name))] = 1
    for key in _imported_keys(file):
        fields[IMPORTED + _one_line(key)] = 1
    if file.roots:
        fields[PROJECT] = 1
    found = Counter({**words, **fields})
    listed = replace_surrogates("\n".join(found.elements()))
    return IndexTerms(listed, words.total(), names.total())


def is_chunked(text: str) -> bool:
    """Return whether the words of a text are searched; a very long one is data."""
    return len(text) <= _MOST_CHARACTERS


def path_terms(path: str) -> Counter[str]:
    """Return the terms of a path with their counts; those of the base name count
    twice.
    """
    base = posixpath.basename(path)
    found = read_terms(path.replace("_", " ").replace("-", " "))
    stem = base.partition(".")[0]
    found += read_terms(stem.replace("-", "_"))
    return Counter(found)


def defined_key(name: str) -> str:
    """Return the index key of a definition: its unqualified name in lower case, without
    marks and outer underscores.
    """
    return fold_text(name.rpartition(".")[2].strip("_"))


def import_keys(path: str) -> tuple[str, ...]:
    """Return the names by which other files may import this one: its stem and its
    folder.
    """
    folder, _, base = path.rpartition("/")
    stem = base.lstrip(".").partition(".")[0]
    folder_name = folder.rpartition("/")[2]
    keys: dict[str, None] = {}
    for name in (stem, folder_name):
        if name:
            keys[name.lower()] = None
    return tuple(keys)


def spec_keys(spec: str) -> tuple[str, ...]:
    """Return the names in an import specifier, in lower case."""
    return tuple(dict.fromkeys(step.lower() for step in _STEP.split(spec) if step))


def _one_line(name: str) -> str:
    return replace_surrogates(name).replace("\n", " ")


def _name_terms(file: File) -> Counter[str]:
    names = [symbol.name.rpartition(".")[2] for symbol in file.symbols]
    names += [section.title for section in file.sections]
    return terms("\n".join(names))


def _imported_keys(file: File) -> Iterable[str]:
    keys: dict[str, None] = {}
    for each in file.imports:
        for key in spec_keys(each.spec):
            keys[key] = None
        for name in each.names[:_MOST_NAMES]:
            keys[name.lower()] = None
    return keys


_CODE = r"\.(?:pyi?|[cm]?[jt]sx?|vue|svelte|go|rs|java|kt|scala|swift|cs|rb|php|sh|[ch](?:c|h|pp|xx)?|mm?)$"
"""Suffixes of source files. `history.py` and `notice.go` are modules, not change logs
or notices.
"""
_GENERATED = re.compile(
    r"""(?:^|/)(?:
        (?:vendor|vendored|third_party|node_modules|bower_components|dist|deno_dist|_vendor|build|generated
          |__snapshots__|__pycache__)/
        |(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|go\.sum|bun\.lockb?)$
    )
    |\.(?:lock|snap|map|svg|csv|tsv|po|pot|min\.js|min\.css|pb\.go)$
    |_pb2\.pyi?$
    """,
    re.IGNORECASE | re.VERBOSE,
)
_LISTS = re.compile(
    rf"""(?:^|/)(?:
        (?:changes|changelog|history|news|release[-_ ]?notes|releases)(?!{_CODE})(?:\.[a-z]+)?$
        |(?:changelog|changes|news|release-notes)/
        |requirements[^/]*\.txt$
    )""",
    re.IGNORECASE | re.VERBOSE,
)
"""Change logs and lists of requirements."""
_COPIES = re.compile(
    rf"""(?:^|/)(?:
        locales?/
        |(?:licen[cs]es?|authors|contributors|copying|maintainers|codeowners|notice)(?![a-z]|[^/]*{_CODE})[^/]*$
    )""",
    re.IGNORECASE | re.VERBOSE,
)
"""Translations, licences and lists of people."""
_DOCS = f"{DOCS}/"


def is_noise(path: str) -> bool:
    """Return whether a path is a lock file, change log or licence, or a generated,
    vendored or hidden file.
    """
    path = path.removeprefix(_DOCS)
    is_hidden = path.startswith(".") or "/." in path
    patterns = (_GENERATED, _LISTS, _COPIES)
    if is_hidden:
        return True
    return any(pattern.search(path) for pattern in patterns)


def is_changelog(path: str) -> bool:
    """Return whether a path is a change log or a list of requirements."""
    return _LISTS.search(path.removeprefix(_DOCS)) is not None


def is_generated(path: str) -> bool:
    """Return whether a path is a lock file, or a generated or vendored file."""
    return _GENERATED.search(path) is not None


def is_unranked_text(path: str) -> bool:
    """Return whether a path is noise for ranking but worth a search: a change log or a
    hidden configuration file.
    """
    is_excluded = (
        path.startswith(f"{HOME}/")
        or is_generated(path)
        or _COPIES.search(path) is not None
    )
    return is_noise(path) and not is_excluded


def read_chunks(file: File, text: str) -> list[tuple[Chunk, list[str]]]:
    """Return the chunks of a parsed file, each with its terms in text order."""
    if file.kind == "binary" or not text or not is_chunked(text):
        return []
    lines = text.split("\n")
    found: list[tuple[Chunk, list[str]]] = []
    count = min(len(lines), max(file.lines, 1))
    for start, end, head, name in split(file, count):
        terms = read_terms("\n".join(lines[start - 1 : end]))
        if not terms and found:
            # A chunk without terms (blank lines between two definitions) is added to
            # the one before it.
            before, before_terms = found[-1]
            found[-1] = (before._replace(end=end), before_terms)
        else:
            found.append(
                (
                    Chunk(start=start, end=end, head=head, name=name, words=len(terms)),
                    terms,
                )
            )
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
    """Yield (start, end, head, name) of windows that cover all lines and never cross
    the border of a definition.
    """
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
    """Return (head, name) of the innermost definition or section that contains each
    line; index 1 is line 1.
    """
    owners: list[tuple[int, str] | None] = [None] * (lines + 2)
    spans = [
        (symbol.start, symbol.end, symbol.head, symbol.name) for symbol in file.symbols
    ]
    spans += [
        (section.start, section.end, section.start, section.title)
        for section in file.sections
    ]
    # The longest span comes first, so that inner ones overwrite it.
    spans.sort(key=lambda span: (span[0] - span[1], span[0]))
    for start, end, head, name in spans:
        first = max(start, 1)
        last = min(end, lines)
        if first <= last:
            owners[first : last + 1] = [(head, name)] * (last - first + 1)
    return owners
