"""Log of recall hits of a memory: JSON Lines, appended by every recall.

The counts cannot be derived from other files, so the log is not in the cache. Appends
are not synced: a recall must not wait for the disk, and a power failure costs at most
the newest counts. The older half of a long log is dropped: dreaming counts recent hits.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from typing import NamedTuple

from cuedeck.ledger.records.memory_files import RECALLS, MemoryFiles
from cuedeck.model.recall_values import STRONG_SCORE, RecallHit, RecallTotal
from cuedeck.store.files.append import appending

MAX_BYTES = 8 << 20
"""Size of the log from which its older half is dropped."""
MAX_DAYS = 32
"""Maximum number of days kept for a text; consolidation needs five."""
MAX_QUERIES = 32
"""Maximum number of queries kept for a text; diversity needs five."""
PATIENCE_SECONDS = 2.0
"""Maximum time that a recall waits for another writer of the memory."""
_KEY_BYTES = 8
_WORD = re.compile(r"\w+")
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
    data = format_hits(hits)
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
                found = _parse_line(raw)
                if found is None or found.key not in gone:
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
        line = json.dumps(row, ensure_ascii=False, separators=(",", ":"))
        lines.append(line.encode("utf-8", "backslashreplace") + b"\n")
    return b"".join(lines)


def parse_recall_log(data: bytes) -> RecallLog:
    """Parse a log. A malformed line loses only the hits of that line."""
    totals: dict[str, RecallTotal] = {}
    malformed = 0
    for raw in filter(bytes.strip, data.split(b"\n")):
        found = _parse_line(raw)
        if found is None:
            malformed += 1
            continue
        before = totals.pop(found.key, None)
        totals[found.key] = found if before is None else _sum(before, found)
    return RecallLog(totals, malformed)


def _sum(before: RecallTotal, found: RecallTotal) -> RecallTotal:
    days: Counter[str] = Counter()
    last: dict[str, str] = {}
    hits: Counter[str] = Counter()
    for total in (before, found):
        days.update(dict(total.days))
        for query, day, count in total.queries:
            last[query] = max(day, last.get(query, ""))
            hits[query] += count
    newest = sorted(last, key=lambda query: (last[query], query))[-MAX_QUERIES:]
    return RecallTotal(
        address=found.address,
        path=found.path,
        line=found.line,
        text_key=found.text_key,
        count=before.count + found.count,
        score_sum=before.score_sum + found.score_sum,
        days=tuple(sorted(days.items())[-MAX_DAYS:]),
        queries=tuple((query, last[query], hits[query]) for query in newest),
    )


def _parse_line(raw: bytes) -> RecallTotal | None:
    """Return the total of one hit; None for any other line."""
    try:
        row = json.loads(raw)
        score = row["score"]
        day = date.fromisoformat(row["date"]).isoformat()
        texts = [row[name] for name in ("address", "path", "text", "query")]
        line = row["line"]
        is_valid = type(line) is int and type(score) in (int, float)
        is_valid = is_valid and 0 <= line < _LARGEST and 0 <= score <= 1
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    if not is_valid or not all(isinstance(each, str) and each for each in texts):
        return None
    address, path, text, query = texts
    is_strong = score >= STRONG_SCORE
    days = ((day, 1),) if is_strong else ()
    queries = ((query, day, 1),) if is_strong else ()
    return RecallTotal(address, path, line, text, 1, float(score), days, queries)
