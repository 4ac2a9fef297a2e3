"""Log of recall hits of a memory: JSON Lines, appended by every recall.

The counts cannot be derived from other files, so the log is not in the cache. Appends
are not synced: a recall must not wait for the disk, and a power failure costs at most
the newest counts. The older half of a long log is dropped: dreaming counts recent hits.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from typing import NamedTuple

from cuedeck.ledger.records.memory_files import RECALLS, MemoryFiles
from cuedeck.model.recall_values import RecallHit, RecallTotal
from cuedeck.store.files.append import appending

MAX_BYTES = 8 << 20
"""Size of the log from which its older half is dropped."""
PATIENCE_SECONDS = 2.0
"""Maximum time that a recall waits for another writer of the memory."""
_KEY_BYTES = 8
_WORD = re.compile(r"\w+")
_KEYS = ("address", "path", "line", "text", "query", "score", "date")
"""Keys of a line, in the order of the fields of a hit."""
_LARGEST = 1_000_000_000
"""Largest number of a line of a file."""


class RecallLog(NamedTuple):
    """A parsed log."""

    totals: Mapping[str, RecallTotal]
    """Totals by the key of their text; the text that was recalled last is the last."""
    malformed: int
    """Number of lines that are no hit."""


def append_hits(memory: MemoryFiles, hits: Sequence[RecallHit]) -> None:
    """Append hits to the log. Raises: Locked, StorageError."""
    if not hits:
        return
    lines = []
    for hit in hits:
        values = (*hit[:5], round(hit.score, 4), hit.date)
        row = dict(zip(_KEYS, values, strict=True))
        line = json.dumps(row, ensure_ascii=False, separators=(",", ":"))
        lines.append(line.encode("utf-8", "backslashreplace") + b"\n")
    data = b"".join(lines)
    with memory.writing(PATIENCE_SECONDS):
        with appending(memory.place(RECALLS), synced=False) as end:
            end.add(data)
            size = end.before + len(data)
        if size > MAX_BYTES:
            newest = (memory.data(RECALLS) or b"")[-MAX_BYTES // 2 :]
            memory.write(RECALLS, newest.partition(b"\n")[2])


def read_recalls(memory: MemoryFiles) -> RecallLog:
    """Return the totals of all recalled texts. Raises: StorageError."""
    return parse_recall_log(memory.data(RECALLS) or b"")


def remove_recalls(memory: MemoryFiles, is_kept: Callable[[RecallTotal], bool]) -> int:
    """Remove the hits of the texts that are not kept; return the number of texts.

    The log is unchanged if all are kept. Raises: Locked, StorageError.
    """
    with memory.writing():
        data = memory.data(RECALLS) or b""
        totals = parse_recall_log(data).totals.values()
        gone = {total.key for total in totals if not is_kept(total)}
        if gone:
            kept = []
            for raw in data.splitlines(keepends=True):
                hit = _parse_line(raw)
                if hit is None or RecallTotal((hit,)).key not in gone:
                    kept.append(raw)
            memory.write(RECALLS, b"".join(kept))
    return len(gone)


def words_of(text: str) -> list[str]:
    """Return the words of a text by which it is compared: not case, marks and line
    breaks.
    """
    return _WORD.findall(text.casefold())


def words_key(words: Iterable[str]) -> str:
    """Return the hash of a list of words."""
    data = " ".join(words).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(data, digest_size=_KEY_BYTES).hexdigest()


def text_key(text: str) -> str:
    """Return the hash of a text by its words, so that list marks, line breaks and case
    do not change it.
    """
    return words_key(words_of(text))


def parse_recall_log(data: bytes) -> RecallLog:
    """Parse a log. A malformed line loses only the hits of that line."""
    totals: dict[str, list[RecallHit]] = {}
    malformed = 0
    for raw in filter(bytes.strip, data.split(b"\n")):
        hit = _parse_line(raw)
        if hit is None:
            malformed += 1
            continue
        key = RecallTotal((hit,)).key
        hits = totals.pop(key, [])
        hits.append(hit)
        totals[key] = hits
    found = {key: RecallTotal(tuple(hits)) for key, hits in totals.items()}
    return RecallLog(found, malformed)


def _parse_line(raw: bytes) -> RecallHit | None:
    try:
        row = json.loads(raw)
        address, path, line, text, query, score, day = [row[name] for name in _KEYS]
        day = date.fromisoformat(day).isoformat()
        is_valid = type(line) is int and type(score) in (int, float)
        is_valid = is_valid and 0 <= line < _LARGEST and 0 <= score <= 1
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    texts = (address, path, text, query)
    if not is_valid or not all(isinstance(each, str) and each for each in texts):
        return None
    return RecallHit(
        address,
        path,
        line,
        text,
        query,
        float(score),
        day,
    )
