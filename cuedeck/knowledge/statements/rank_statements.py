"""Ranking of the exchanges of earlier sessions for the words of a prompt."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from cuedeck.knowledge.statements.exchanges import group_exchanges
from cuedeck.knowledge.statements.rank_exchanges import (
    Candidate,
    Exchanges,
    Ranked,
    rank_exchanges,
)
from cuedeck.store.cache.unit_filters import Filters

if TYPE_CHECKING:
    from cuedeck.store.cache.recall_index import RecallIndex

KIND = "statement"
_MOST_CANDIDATES = 400


def rank_statements(
    index: RecallIndex, words: Collection[str], *, without: str = ""
) -> list[Ranked]:
    """Return the exchanges of all sessions, except the one of `without`, that contain
    some of the words, best first; each with the end of its reply if no statement of the
    reply contains one.
    """
    every = index.statements(without=without)
    if not every or not words:
        return []
    match = " OR ".join(f'"{word}"' for word in sorted(words))
    numbers = index.search(match, Filters((KIND,)), _MOST_CANDIDATES)
    stems = index.stems(numbers)
    lengths = {number: length for number, *_, length in every if number in stems}
    candidates = []
    length: dict[tuple[str, int], int] = {}
    newest: dict[str, str] = {}
    ends: dict[int, int] = {}
    for each in group_exchanges(every):
        key = (each.session, each.turn)
        length[key] = each.length
        newest[each.session] = max(newest.get(each.session, ""), each.date)
        if each.agent and stems.keys().isdisjoint(each.agent):
            ends.update(dict.fromkeys(each.user, each.agent[-1]))
        for is_user, said in ((True, each.user), (False, each.agent)):
            for number in said:
                if number in stems:
                    own = stems[number].split()
                    found = Candidate(number, key, is_user, own, lengths[number])
                    candidates.append(found)
    if not candidates:
        return []
    order = sorted(newest, key=lambda name: (newest[name], name), reverse=True)
    age = {name: at for at, name in enumerate(order)}
    sizes = Exchanges(length, age, sum(length.values()) / len(every))
    ranked = rank_exchanges(candidates, sizes, words)
    return [_with_end(each, ends) for each in ranked]


def _with_end(ranked: Ranked, ends: dict[int, int]) -> Ranked:
    end = ends.get(ranked.numbers[0])
    if end is None:
        return ranked
    return ranked._replace(numbers=(*ranked.numbers, end))
