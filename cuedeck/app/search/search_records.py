"""Keyword search of memory records (BM25)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from cuedeck.app.memory.record_lookup import Found, every_record, file_names
from cuedeck.app.search.file_scores import check_query
from cuedeck.app.search.search_hit import Hit, answer_of, cut, to_score
from cuedeck.parse.plain_text import plain_line
from cuedeck.ranking.bm25 import middle, part, rarity
from cuedeck.records.experiences.rank_texts import occurrences, query_terms, searchable
from cuedeck.records.supersession import superseded

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace
    from cuedeck.model.memory_record import Record
    from cuedeck.records.experiences.rank_texts import SearchTerm
    from cuedeck.scene.mask import Mask
    from cuedeck.store.memory.memory_files import MemoryFiles

LIMIT = 10
_SLOPE = 0.5
_LEAST_RARITY = 0.25
"""Minimum weight of a term, so that a term contained in every record still counts."""
_CACHE = "_recall"
_Cached = tuple[Sequence[object], Mapping[str, str], Mapping[str, Found]]
"""Parsed files, and the normalised texts and records made of them."""


def recall(
    workspace: Workspace,
    memory: MemoryFiles,
    query: str,
    *,
    category: str = "",
    session: str = "",
    limit: int = LIMIT,
    offset: int = 0,
) -> dict[str, Any]:
    """Return the records of MEMORY.md, the daily logs and the archive that match the
    query, best first.

    Secret and superseded records are never returned.
    Raises: Invalid for an empty query, StorageError.
    """
    check_query(query)
    lines, records = _read_records(memory)
    points, matched = _rank(lines, query)
    ranked = sorted(
        (-points[identity], identity) for identity in points if points[identity] > 0
    )
    ranked = [
        pair for pair in ranked if _matches(records[pair[1]].record, category, session)
    ]
    mask = workspace.answer_mask()
    hits = []
    for score, identity in ranked[offset : offset + limit]:
        path = memory.path(records[identity].names[0])
        hits.append(
            _hit(records[identity].record, path, -score, matched[identity], mask)
        )
    return answer_of(query.strip(), hits, len(ranked))


def _hit(
    record: Record, path: str, points: int, words: Sequence[str], mask: Mask
) -> Hit:
    """Return the hit of a record; `words` are the query words that it contains."""
    title = (
        f"{record.category}, {record.timestamp[:10]}"
        if record.timestamp
        else record.category
    )
    quoted_words = ", ".join(f"`{word}`" for word in words)
    text = mask.plain(plain_line(record.text))
    return Hit(
        address=f"record:{record.id}",
        path=path,
        kind="record",
        title=mask.plain(title),
        lines=(record.line, record.line),
        score=to_score(points),
        why=mask.plain(f"has {quoted_words}"),
        snippet=cut(text, _position(text, words)),
    )


def _position(text: str, words: Sequence[str]) -> int:
    """Return the position of the earliest of these words in a text; 0 if it contains
    none.
    """
    folded = text.casefold()
    positions = [folded.find(word) for word in words]
    return min((position for position in positions if position >= 0), default=0)


def _rank(
    lines: Mapping[str, str], query: str
) -> tuple[dict[str, int], dict[str, list[str]]]:
    """Return the scores of records and the query words found in each, both by record
    id.
    """
    mean = middle(sum(map(len, lines.values())), len(lines))
    points: dict[str, int] = {}
    matched: dict[str, list[str]] = {}
    for term in query_terms(query):
        counts = _count(term, lines)
        weight = term.weight * max(rarity(len(counts), len(lines)), _LEAST_RARITY)
        for identity, count in counts.items():
            gained = part(
                round(2 * count), len(lines[identity]), weight, mean=mean, slope=_SLOPE
            )
            points[identity] = points.get(identity, 0) + gained
            words = matched.setdefault(identity, [])
            if term.weight == 1:
                words.append(term.text.strip())
    return points, matched


def _count(term: SearchTerm, lines: Mapping[str, str]) -> dict[str, float]:
    """Return the number of occurrences of a term in each text that contains it."""
    counts = {}
    for identity, line in lines.items():
        count = occurrences(term, line)
        if count:
            counts[identity] = count
    return counts


def _read_records(memory: MemoryFiles) -> tuple[Mapping[str, str], Mapping[str, Found]]:
    """Return the normalised texts and the records that may be found, both by id; cached
    until a file changes.
    """
    names = file_names(memory)
    files = [memory.read(name) for name in names]
    # Cached on the object of the profile, so that the cache lives as long as it is
    # open.
    cached: _Cached | None = memory.__dict__.get(_CACHE)
    if cached is None or not _are_same(cached[0], files):
        every = every_record(memory, names)
        replaced = superseded(found.record for found in every.values())
        records = {
            key: found
            for key, found in every.items()
            if not found.record.is_secret and key not in replaced
        }
        lines = {}
        for key, found in records.items():
            lines[key] = searchable(found.record.text)
        cached = memory.__dict__[_CACHE] = (files, lines, records)
    return cached[1], cached[2]


def _are_same(one: Sequence[object], other: Sequence[object]) -> bool:
    """Return whether two sequences contain the same objects."""
    return list(map(id, one)) == list(map(id, other))


def _matches(record: Record, category: str, session: str) -> bool:
    if category and record.category != category:
        return False
    return record.session.startswith(session)
