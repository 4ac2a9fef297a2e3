"""Lines of the log of recall hits, and the hashes in them.

Every search writes hits; `recall_log` reads them.
"""

from __future__ import annotations

import json
import re
from _blake2 import blake2b  # `hashlib` would load OpenSSL
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cuedeck.model.recall_hit import RecallHit

_KEY_BYTES = 8
_WORD = re.compile(r"\w+")


def words_of(text: str) -> list[str]:
    """Return the words of a text by which it is compared: not case, marks and line
    breaks.
    """
    return _WORD.findall(text.casefold())


def text_key(text: str) -> str:
    """Return the hash of a text by its words, so that list marks, line breaks and case
    do not change it.
    """
    return words_key(words_of(text))


def text_keys(lines: Iterable[str]) -> Iterator[str]:
    """Yield the key of the text that ends with each of the lines."""
    digest = blake2b(digest_size=_KEY_BYTES)
    separator = ""
    for line in lines:
        words = " ".join(words_of(line))
        if words:
            digest.update(_encode(separator + words))
            separator = " "
        yield digest.hexdigest()


def words_key(words: Iterable[str]) -> str:
    """Return the hash of a list of words."""
    data = _encode(" ".join(words))
    return blake2b(data, digest_size=_KEY_BYTES).hexdigest()


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


def _encode(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
