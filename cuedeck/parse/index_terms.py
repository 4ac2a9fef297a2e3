"""Index terms of a file for full-text ranking, in the form in which the index stores them."""

from __future__ import annotations

import json
import posixpath
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from cuedeck.model.chunk import Chunk, Words
from cuedeck.model.display import replace_surrogates
from cuedeck.model.file import File
from cuedeck.model.paths import DOCS
from cuedeck.parse.chunking import gather, read_chunks
from cuedeck.parse.line_table import line_sums
from cuedeck.parse.terms import read_terms, terms

# Prefixes of the term fields. Terms of the text itself have no prefix.
NAME = "n:"
"""Prefix of words in the names of definitions and sections."""
PATH = "p:"
"""Prefix of words in the path; those of the base name count twice."""
DEFINED = "d:"
"""Prefix of whole definition names, in lower case and without outer underscores."""
TAKEN = "i:"
"""Prefix of the names that the file imports."""
PROJECT = "r:"
"""Term of the files that declare import roots."""

_JSON = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
_STEP = re.compile(r"[^\w-]+")
_SCENE = re.compile(r"# Scene: [^\n]*\n\n> Context built by CueDeck\.")
"""The beginning of a scene that was saved in the workspace; scenes are not indexed, to avoid feedback."""
_MOST_NAMES = 30
"""Maximum number of names per import that are indexed as possible modules."""


class Facts(NamedTuple):
    """The stored index terms of a file."""

    words: str
    """JSON of the chunks on the first line, then one line of terms per chunk, in text order."""
    fields: str
    """JSON of the prefixed terms with their counts."""
    length: int
    """Number of terms in the text."""
    names: int
    """Number of terms in the names of definitions or sections."""
    sums: bytes
    """The bytes of `line_sums` of the text."""
    postings: dict[str, int]
    """All terms of the file, plain and prefixed, with their counts."""


def read_facts(file: File, text: str) -> Facts | None:
    """Return the index terms of a file, or None if the file is not indexed (card, binary, noise, saved scene)."""
    if file.kind not in ("doc", "source") or is_noise(file.path) or _SCENE.match(text):
        return None
    chunks = read_chunks(file, text)
    names = _names(file)
    fields = _fields(file, names)
    words = Counter(chain.from_iterable(terms for _, terms in chunks))
    sums = line_sums(text).tobytes() if chunks else b""
    stored = replace_surrogates(_JSON.encode(fields))
    return Facts(encode_words(chunks), stored, words.total(), names.total(), sums, {**words, **fields})


def encode_words(chunks: Sequence[tuple[Chunk, Iterable[str]]]) -> str:
    """Serialise chunks and their terms; the inverse of `decode_words`."""
    rows = [_JSON.encode([chunk for chunk, _ in chunks]), *(" ".join(terms) for _, terms in chunks)]
    return replace_surrogates("\n".join(rows))


def decode_words(data: str) -> Words:
    """Deserialise the result of `encode_words`."""
    chunks, *rows = data.split("\n")
    return gather([Chunk(*row) for row in json.loads(chunks)], [Counter(row.split()) for row in rows])


def decode_terms(words: str, fields: str) -> dict[str, int]:
    """Return all terms of a file with their counts, from `Facts.words` and `Facts.fields`."""
    return {**Counter(words.partition("\n")[2].split()), **json.loads(fields)}


def path_terms(path: str) -> Counter[str]:
    """Return the terms of a path with their counts; those of the base name count twice."""
    base = posixpath.basename(path)
    found = read_terms(path.replace("_", " ").replace("-", " "))
    return Counter(found + read_terms(base.partition(".")[0].replace("-", "_")))


def defined_key(name: str) -> str:
    """Return the index key of a definition: its unqualified name in lower case, without outer underscores."""
    return name.rpartition(".")[2].strip("_").lower()


def import_keys(path: str) -> tuple[str, ...]:
    """Return the names by which other files may import this one: its stem and its folder."""
    folder, _, base = path.rpartition("/")
    own = base.lstrip(".").partition(".")[0].lower()
    above = folder.rpartition("/")[2].lower()
    return tuple(dict.fromkeys(key for key in (own, above) if key))


def spec_keys(spec: str) -> tuple[str, ...]:
    """Return the names in an import specifier, in lower case."""
    return tuple(dict.fromkeys(step.lower() for step in _STEP.split(spec) if step))


def _fields(file: File, names: Mapping[str, int]) -> dict[str, int]:
    found = {NAME + term: times for term, times in names.items()}
    found.update({PATH + term: times for term, times in path_terms(file.path).items()})
    found.update(dict.fromkeys([DEFINED + replace_surrogates(defined_key(symbol.name)) for symbol in file.symbols], 1))
    found.update(dict.fromkeys([TAKEN + replace_surrogates(key) for key in _taken(file)], 1))
    if file.roots:
        found[PROJECT] = 1
    return found


def _names(file: File) -> Counter[str]:
    titles = [symbol.name.rpartition(".")[2] for symbol in file.symbols] or [each.title for each in file.sections]
    return terms("\n".join(titles))


def _taken(file: File) -> Iterable[str]:
    found: dict[str, None] = {}
    for each in file.imports:
        found.update(dict.fromkeys(spec_keys(each.spec)))
        found.update(dict.fromkeys([name.lower() for name in each.names[:_MOST_NAMES]]))
    return found


_CODE = r"\.(?:pyi?|[cm]?[jt]sx?|vue|svelte|go|rs|java|kt|scala|swift|cs|rb|php|sh|[ch](?:c|h|pp|xx)?|mm?)$"
"""Suffixes of source files. `history.py` and `notice.go` are modules, not change logs or notices."""
_NOISE = re.compile(
    rf"""(?:^|/)(?:
        (?:vendor|vendored|third_party|node_modules|bower_components|dist|deno_dist|_vendor|build|generated
          |__snapshots__|locales?|__pycache__)/
        |(?:changes|changelog|history|news|release[-_ ]?notes|releases)(?!{_CODE})(?:\.[a-z]+)?$
        |(?:changelog|changes|news|release-notes)/
        |(?:licen[cs]es?|authors|contributors|copying|maintainers|codeowners|notice)(?![a-z]|[^/]*{_CODE})[^/]*$
        |(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|go\.sum|bun\.lockb?)$
        |requirements[^/]*\.txt$
    )
    |\.(?:lock|snap|map|svg|csv|tsv|po|pot|min\.js|min\.css|pb\.go)$
    |_pb2\.pyi?$
    """,
    re.IGNORECASE | re.VERBOSE,
)
_DOCS = f"{DOCS}/"


def is_noise(path: str) -> bool:
    """Return whether a path is a lock file, change log or licence, or a generated, vendored or hidden file."""
    if path.startswith(_DOCS):
        path = path[len(_DOCS) :]
    return path.startswith(".") or "/." in path or _NOISE.search(path) is not None
