"""Lines of the log of recall hits, and the hashes in them.

Every search writes hits; `recall_log` reads them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping

from cuedeck.model.light_sha256 import sha256
from cuedeck.model.light_typing import TYPE_CHECKING, Any
from cuedeck.parse.search_terms import read_terms

if TYPE_CHECKING:
    from cuedeck.model.recall_hit import RecallHit

_KEY_CHARS = 16
_WORD = re.compile(r"\w+")
_NUMBER = re.compile(r"\d+")


def words_of(text: str) -> list[str]:
    """Return the words of a text by which it is compared: not case, marks and line
    breaks.
    """
    return _WORD.findall(text.casefold())


def text_key(text: str) -> str:
    """Return the hash of a text by its words, so that list marks, line breaks and case
    do not change it.
    """
    return _hash(words_of(text))


def text_keys(lines: Iterable[str]) -> Iterator[str]:
    """Yield the key of the text that ends with each of the lines."""
    digest = sha256()
    separator = ""
    for line in lines:
        words = " ".join(words_of(line))
        if words:
            digest.update(_encode(separator + words))
            separator = " "
        yield digest.hexdigest()[:_KEY_CHARS]


def query_key(query: str) -> str:
    """Return the hash of the words of a query; word order, endings and stop words do
    not change it.
    """
    terms = {*read_terms(query), *_NUMBER.findall(query)}
    return _hash(sorted(terms or words_of(query)))


def format_hits(hits: Iterable[RecallHit]) -> bytes:
    """Return the lines of hits."""
    lines = []
    for hit in hits:
        row = {
            "address": hit.address,
            "path": hit.path,
            "line": hit.line,
            "text": hit.text_key,
            "query": hit.query_key,
            "score": round(hit.score, 4),
            "date": hit.date,
        }
        lines.append(format_line(row))
    return b"".join(lines)


def format_line(row: Mapping[str, Any]) -> bytes:
    """Return one line of the log."""
    text = json.dumps(row, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "backslashreplace") + b"\n"


def _hash(words: Iterable[str]) -> str:
    joined = " ".join(words)
    return sha256(_encode(joined)).hexdigest()[:_KEY_CHARS]


def _encode(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
