"""What ranking knows of one file, as it is stored: its words, and by which terms the file is found."""

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

# Fields of terms beside the words of the text, which have none.
NAME = "n:"
"""Words in the names of definitions and sections."""
PATH = "p:"
"""Words in the path; those of the base name count twice."""
DEFINED = "d:"
"""Whole names of definitions, without case and outer underscores."""
TAKEN = "i:"
"""Names by which the file may import others."""
PROJECT = "r:"
"""Carried by files that say where imports lead."""

_JSON = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
_STEP = re.compile(r"[^\w-]+")
_SCENE = re.compile(r"# Scene: [^\n]*\n\n> Context built by CueDeck\.")
"""How a scene begins that somebody keeps in the workspace; it must not feed on itself."""
_MOST_NAMES = 30
"""Names of one import that are looked at as possible modules."""


class Facts(NamedTuple):
    """A file as the corpus stores it."""

    words: str
    """JSON of the chunks on one line, then the terms of each on a line, in the order of the text."""
    fields: str
    """JSON of the terms that are no words of the text, with their counts."""
    length: int
    """Words of the text."""
    names: int
    """Words in names of definitions."""
    sums: bytes
    """`line_sums` of the text."""
    postings: dict[str, int]
    """Every term by which the file is found, with its count."""


def read_facts(file: File, text: str) -> Facts | None:
    """Return what ranking knows of a file; None for one that is never looked for."""
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
    """Return chunks and their terms as one text."""
    rows = [_JSON.encode([chunk for chunk, _ in chunks]), *(" ".join(terms) for _, terms in chunks)]
    return replace_surrogates("\n".join(rows))


def decode_words(data: str) -> Words:
    """Return the words of what `encode_words` was given."""
    chunks, *rows = data.split("\n")
    return gather([Chunk(*row) for row in json.loads(chunks)], [Counter(row.split()) for row in rows])


def decode_terms(words: str, fields: str) -> dict[str, int]:
    """Return every term by which a file is found, with its count, of what `Facts` has of it."""
    return {**Counter(words.partition("\n")[2].split()), **json.loads(fields)}


def path_terms(path: str) -> Counter[str]:
    """Return the terms of a path."""
    base = posixpath.basename(path)
    found = read_terms(path.replace("_", " ").replace("-", " "))
    return Counter(found + read_terms(base.partition(".")[0].replace("-", "_")))


def defined_key(name: str) -> str:
    """Return the key of a definition: its own name, without what holds it."""
    return name.rpartition(".")[2].strip("_").lower()


def import_keys(path: str) -> tuple[str, ...]:
    """Return the names by which other files may import this one."""
    folder, _, base = path.rpartition("/")
    own = base.lstrip(".").partition(".")[0].lower()
    above = folder.rpartition("/")[2].lower()
    return tuple(dict.fromkeys(key for key in (own, above) if key))


def spec_keys(spec: str) -> tuple[str, ...]:
    """Return the names that an import of this spec takes."""
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
"""A module may be called `history.py` or `notice.go`; it explains something."""
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
    """Tell whether a path is that of a lock file, a change log, a licence, of generated, vendored or hidden text."""
    if path.startswith(_DOCS):
        path = path[len(_DOCS) :]
    return path.startswith(".") or "/." in path or _NOISE.search(path) is not None
