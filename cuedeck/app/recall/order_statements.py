"""Order of the statements of conversations among the hits of a search."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from cuedeck.app.statements.rank_statements import KIND, rank_statements, words_of
from cuedeck.model.entry_node import CORTEX_KIND
from cuedeck.model.light_typing import TYPE_CHECKING
from cuedeck.records.recall.recall_candidate import Candidate, RankedUnit

if TYPE_CHECKING:
    from cuedeck.model.recall_values import UnitRow
    from cuedeck.store.cache.recall_index import RecallIndex


def order_statements(
    index: RecallIndex,
    ranked: Sequence[RankedUnit],
    text: str,
    listed: Callable[[Sequence[int]], Iterable[Candidate]],
) -> list[RankedUnit]:
    """Return the hits of a search for `text` with the statements in the order of their
    exchanges, as for the digest of a prompt.

    Statements take the places of all statements, of the messages of timelines, and
    of summaries of turns; of these, the ones that no statement repeats follow. `listed`
    returns the visible units with some numbers that meet the filters of the search.
    """
    rows = index.rows([each.candidate.number for each in ranked])
    texts = {row.key for row in rows.values() if row.kind == KIND}
    if not texts:
        return list(ranked)

    def is_said(hit: RankedUnit) -> bool:
        row = rows[hit.candidate.number]
        is_message = row.kind == CORTEX_KIND and row.session
        is_summary = row.category == "turn-summary"
        return row.kind == KIND or bool(is_message) or is_summary

    said = {each.candidate.number: each for each in ranked if is_said(each)}
    best = {
        number: each.score
        for each in rank_statements(index, words_of(text))
        for number in each.numbers
    }
    new = listed([number for number in best if number not in said])
    found = {each.number: RankedUnit(each, 0, {}) for each in new} | said
    order = [found[number] for number in best if number in found]
    order += [said[number] for number in said if rows[number].kind == KIND]
    order += [said[number] for number in said if _is_new(rows[number], texts)]
    unique = iter({each.candidate.number: each for each in order}.values())
    answer = []
    score = 1
    for hit in ranked:
        score = hit.score
        filling = next(unique, None) if hit.candidate.number in said else hit
        if filling is not None:
            answer.append(_placed(filling, score, best))
    return answer + [_placed(each, score, best) for each in unique]


def _is_new(row: UnitRow, texts: set[bytes]) -> bool:
    return row.kind != KIND and row.key not in texts


def _placed(hit: RankedUnit, score: int, best: dict[int, float]) -> RankedUnit:
    """Return a hit with the score of its place, and that of its exchange as a part."""
    exchange = best.get(hit.candidate.number)
    if exchange is None:
        return hit._replace(score=score)
    return hit._replace(score=score, parts={**hit.parts, "exchange": exchange})
