"""Keyword search of memory records (BM25)."""

from __future__ import annotations

from collections.abc import Mapping
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
    from cuedeck.store.memory.memory_files import MemoryFiles

LIMIT = 10
_SLOPE = 0.5
_LEAST_RARITY = 0.25
"""Minimum weight of a term, so that a term contained in every record still counts."""
_HELD = "_recall"


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
    """Return the records of MEMORY.md, the daily logs and the archive that match the query, best first.

    Secret and superseded records are never returned.
    Raises: Invalid for an empty query, StorageError.
    """
    check_query(query)
    lines, known = _lines(memory)
    points, having = _rank(lines, query)
    wanted = {identity for identity, found in known.items() if _fits(found, category, session)}
    order = sorted((-score, identity) for identity, score in points.items() if score > 0 and identity in wanted)
    mask = workspace.answer_mask()
    hits = []
    for score, identity in order[offset : offset + limit]:
        found = known[identity]
        record, shown = found.record, mask.plain(plain_line(found.record.text))
        words = ", ".join(f"`{word}`" for word in having[identity])
        hit = Hit(
            f"record:{identity}",
            memory.path(found.names[0]),
            "record",
            mask.plain(f"{record.category}, {record.timestamp[:10]}" if record.timestamp else record.category),
            (record.line, record.line),
            to_score(-score),
            mask.plain(f"has {words}"),
            cut(shown, _place(shown, having[identity])),
        )
        hits.append(hit)
    return answer_of(query.strip(), hits, len(order))


def _place(text: str, words: list[str]) -> int:
    """Return the position of the earliest of these words in a text; 0 if it contains none."""
    folded = text.casefold()
    return min((at for word in words if (at := folded.find(word)) >= 0), default=0)


def _rank(lines: Mapping[str, str], query: str) -> tuple[dict[str, int], dict[str, list[str]]]:
    """Return the scores of records and the query words found in each, both by record id."""
    mean = middle(sum(map(len, lines.values())), len(lines))
    points: dict[str, int] = {}
    having: dict[str, list[str]] = {}
    for term in query_terms(query):
        found = {identity: times for identity, line in lines.items() if (times := occurrences(term, line))}
        weight = term.weight * max(rarity(len(found), len(lines)), _LEAST_RARITY)
        for identity, times in found.items():
            gained = part(round(2 * times), len(lines[identity]), weight, mean=mean, slope=_SLOPE)
            points[identity] = points.get(identity, 0) + gained
            if term.weight == 1:
                having.setdefault(identity, []).append(term.text.strip())
            else:
                having.setdefault(identity, [])
    return points, having


def _lines(memory: MemoryFiles) -> tuple[Mapping[str, str], Mapping[str, Found]]:
    """Return the normalised texts and the records that may be found, both by id; cached until a file changes."""
    names = file_names(memory)
    files = tuple(memory.read(name) for name in names)
    # Cached on the object of the profile, so that the cache lives as long as it is open.
    held = memory.__dict__.get(_HELD)
    if held is None or len(held[0]) != len(files) or any(a is not b for a, b in zip(held[0], files, strict=True)):
        known = every_record(memory, names)
        replaced = superseded(found.record for found in known.values())
        open_to = {
            identity: found
            for identity, found in known.items()
            if not found.record.is_secret and identity not in replaced
        }
        lines = {identity: searchable(found.record.text) for identity, found in open_to.items()}
        held = memory.__dict__[_HELD] = (files, lines, open_to)
    return held[1], held[2]


def _fits(found: Found, category: str, session: str) -> bool:
    record = found.record
    return (not category or record.category == category) and record.session.startswith(session)
