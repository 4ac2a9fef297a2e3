"""What ranking knows of one file, as it is stored: its words, and by which terms the file is found."""

from __future__ import annotations

import json
import posixpath
import re
from collections import Counter
from typing import NamedTuple

from cuedeck.model.node import File
from cuedeck.model.words import NO_WORDS, Chunk, Words
from cuedeck.parse.chunks import read_words
from cuedeck.parse.lines import line_sums
from cuedeck.parse.noise import is_noise
from cuedeck.parse.words import terms

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
    """JSON of chunks and counts."""
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
    words = read_words(file, text)
    fields: Counter[str] = Counter()
    names = _names(file)
    for term, times in names.items():
        fields[NAME + term] += times
    for term, times in path_terms(file.path).items():
        fields[PATH + term] += times
    for symbol in file.symbols:
        fields[DEFINED + _sound(defined_key(symbol.name))] = 1
    for key in _taken(file):
        fields[TAKEN + _sound(key)] = 1
    if file.roots:
        fields[PROJECT] = 1
    sums = line_sums(text).tobytes() if words.chunks else b""
    postings = {term: sum(pairs[1::2]) for term, pairs in words.counts.items()}
    postings.update(fields)
    return Facts(encode_words(words), _sound(_JSON.encode(fields)), words.length, names.total(), sums, postings)


def encode_words(words: Words) -> str:
    """Return the JSON of words."""
    return _sound(_JSON.encode([words.chunks, words.counts]))


def decode_words(data: str) -> Words:
    """Return the words that `encode_words` was given."""
    chunks, counts = json.loads(data)
    return Words(tuple(Chunk(*row) for row in chunks), counts) if chunks else NO_WORDS


def path_terms(path: str) -> Counter[str]:
    """Return the terms of a path."""
    base = posixpath.basename(path)
    found = terms(path.replace("_", " ").replace("-", " "))
    found.update(terms(base.partition(".")[0].replace("-", "_")))
    return found


def defined_key(name: str) -> str:
    """Return the key of a definition: its own name, without what holds it."""
    return name.rpartition(".")[2].strip("_").lower()


def import_keys(path: str) -> tuple[str, ...]:
    """Return the names by which other files may import this one."""
    folder, _, base = path.rpartition("/")
    own = base.lstrip(".").partition(".")[0].lower()
    above = folder.rpartition("/")[2].lower()
    return tuple(dict.fromkeys(key for key in (own, above) if key))


def _names(file: File) -> Counter[str]:
    titles = [symbol.name.rpartition(".")[2] for symbol in file.symbols] or [each.title for each in file.sections]
    return terms("\n".join(titles))


def _taken(file: File) -> set[str]:
    found: set[str] = set()
    for each in file.imports:
        found.update(step.lower() for step in _STEP.split(each.spec) if step)
        found.update(name.lower() for name in each.names[:_MOST_NAMES])
    return found


def _sound(text: str) -> str:
    # A text can spell half of a surrogate pair, which no database takes.
    return text if text.isascii() else text.encode("utf-8", "replace").decode()
