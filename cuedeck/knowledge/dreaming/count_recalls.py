"""Counting of recalls: each text of an answer is one hit for dreaming."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from math import log2
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.ledger.records.memory_files import daily, memory_of
from cuedeck.ledger.records.recall_hits import append_hits, text_key, words_key
from cuedeck.model.errors import CueDeckError
from cuedeck.model.paths import CORTEX_SCHEME
from cuedeck.model.recall_values import RECORD, RecallHit
from cuedeck.text.stems import is_stop_word
from cuedeck.text.words import read_stems

if TYPE_CHECKING:
    from datetime import date

    from cuedeck.engine.workspace import Workspace
    from cuedeck.ledger.records.memory_files import MemoryFiles
    from cuedeck.model.ports import JsonView
    from cuedeck.parse.secrets.mask import Find


class AnsweredText(NamedTuple):
    """One text of the answer to a query."""

    address: str
    """`record:<id>`, or path and lines."""
    path: str
    line: int
    """First line, 1-based."""
    text: str
    """Whole text of a passage, not an excerpt; of a record its address suffices."""
    score: float
    """Score in the units of the ranking; higher is better."""


def count_answer(
    workspace: Workspace, query: str, hits: Sequence[JsonView], today: date
) -> None:
    """Count the hits of an answer of `recall`, best first. Never fails.

    A hit has the keys `address`, `path`, `lines` and `score`. Of a passage of a
    daily log the whole text is read: the snippet of a hit changes with the query. Hits
    in the cortex tree are not counted: dreaming does not promote them.
    """
    if not workspace.counts_recalls:
        return
    with contextlib.suppress(CueDeckError, OSError):
        memory = memory_of(workspace)
        counted = [hit for hit in hits if not hit["address"].startswith(CORTEX_SCHEME)]
        answer = [
            _answered_text(workspace.find_secrets, memory, hit) for hit in counted
        ]
        count_recalls(memory, query, answer, today)


def _answered_text(
    find_secrets: Find, memory: MemoryFiles, hit: JsonView
) -> AnsweredText:
    path, text = hit["path"], hit["address"]
    first = hit["lines"][0]
    is_log = not text.startswith(RECORD)
    for day in memory.days() if is_log else ():
        if path == memory.path(daily(day)):
            # Most answers have records alone.
            from cuedeck.knowledge.dreaming.recalled_texts import log_passages

            for unit in log_passages(memory, day, find_secrets):
                text = unit.text if unit.start == first else text
    return AnsweredText(
        hit["address"],
        path,
        first,
        text,
        hit["score"],
    )


def query_key(query: str) -> str:
    """Return the hash of the words of a query; word order, endings and stop words do
    not change it.
    """
    stems = set(read_stems(query))
    content = [stem for stem in stems if not is_stop_word(stem)]
    return words_key(sorted(content or stems))


def count_recalls(
    memory: MemoryFiles, query: str, answer: Sequence[AnsweredText], today: date
) -> None:
    """Count the texts of an answer, best first. Never fails: an answer is worth more
    than its counts.

    The log contains hashes of query and texts. The score of a hit is its share of the
    best score, discounted by the rank as in DCG: an answer ends with texts that only
    share a word with the query, and they must not become candidates for promotion.
    """
    best = max((each.score for each in answer), default=0.0)
    asked = query_key(query)
    hits: list[RecallHit] = []
    for rank, each in enumerate(answer, 1):
        share = each.score / best if best > 0 else 1.0
        score = share / log2(1 + rank)
        hits.append(
            RecallHit(
                address=each.address,
                path=each.path,
                line=each.line,
                text_key=text_key(each.text),
                query_key=asked,
                score=min(max(score, 0.0), 1.0),
                date=today.isoformat(),
            )
        )
    with contextlib.suppress(CueDeckError, OSError):
        append_hits(memory, hits)
