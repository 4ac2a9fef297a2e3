"""Rank whole collections of units in memory.

There is no index: every unit of a collection is a candidate. The figures are those of
the ranking alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from cuedeck.knowledge.recall.rank_units import (
    Statistics,
    diversify,
    drop_duplicates,
    rank_units,
)
from cuedeck.knowledge.recall.recall_query import parse_query
from cuedeck.model.recall_values import UnitRow
from cuedeck.model.settings_schema import RecallSettings
from cuedeck.text.sentences import is_question
from cuedeck.text.words import read_stems, stem_key

GAP = 10
"""Distance of the numbers of units in different files."""


class Text(NamedTuple):
    """One unit of a collection."""

    id: str
    path: str
    date: str
    text: str
    speaker: str = ""


@dataclass(frozen=True, slots=True)
class Collection:
    """Units that are searched together, in the order of their files."""

    ids: dict[int, str]
    """Id by the number of the unit."""
    candidates: Sequence[UnitRow]
    statistics: Statistics


def build_collection(texts: Sequence[Text]) -> Collection:
    """Return the units of texts as candidates with the statistics of the collection."""
    ids: dict[int, str] = {}
    candidates = []
    number, path = 0, ""
    for text in texts:
        number += 1 if text.path == path else GAP
        path = text.path
        ids[number] = text.id
        stems = read_stems(text.text)
        candidates.append(
            UnitRow(
                number=number,
                kind="log",
                id="",
                date=text.date,
                speaker=text.speaker,
                session="",
                category="",
                is_evergreen=False,
                is_question=is_question(text.text),
                key=stem_key(stems),
                path=path,
                stems=stems,
            )
        )
    spread = Counter(stem for each in candidates for stem in set(each.stems))
    total = len(candidates)
    mean_length = sum(len(each.stems) for each in candidates) / max(total, 1)
    newest = max((text.date for text in texts), default="")
    statistics = Statistics(total, mean_length, spread.__getitem__, newest)
    return Collection(ids, candidates, statistics)


def search(collection: Collection, question: str, today: date) -> list[str]:
    """Return the ids of the units that answer a question, best first."""
    query = parse_query(question, today)
    ranked = rank_units(query, collection.candidates, collection.statistics)
    share = RecallSettings().relevance_share
    ranked = diversify(drop_duplicates(ranked), share)
    return [collection.ids[each.row.number] for each in ranked]
