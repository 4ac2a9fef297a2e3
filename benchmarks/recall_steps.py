"""Rank whole collections of units in memory, with all steps and without each of them.

There is no index: every unit of a collection is a candidate. The figures are those of
the ranking alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from cuedeck.knowledge.recall.rank_units import diversify, rank_units
from cuedeck.knowledge.recall.recall_candidate import (
    Candidate,
    Statistics,
    drop_duplicates,
)
from cuedeck.knowledge.recall.recall_query import parse_query
from cuedeck.model.settings_schema import RecallSettings
from cuedeck.text.sentences import is_question
from cuedeck.text.words import read_stems, stem_key

STEPS = (
    "stemming",
    "stop_words",
    "expansion",
    "date_words",
    "names",
    "window",
    "phrases",
    "questions",
    "feedback",
    "decay",
    "diversity",
)
"""Settings of `[recall]` that switch a step of the ranking."""
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
    candidates: Sequence[Candidate]
    statistics: Statistics


def settings_without(step: str) -> RecallSettings:
    """Return the default settings without one step; with all steps if it is empty."""
    return RecallSettings(**({step: False} if step else {}))


def variants() -> Iterator[tuple[str, RecallSettings]]:
    """Yield a label and the settings: all steps, then each step switched off."""
    yield "all steps", settings_without("")
    for step in STEPS:
        yield f"without {step}", settings_without(step)


def build_collection(texts: Sequence[Text], stemming: bool = True) -> Collection:
    """Return the units of texts as candidates with the statistics of the collection."""
    ids: dict[int, str] = {}
    candidates = []
    number, path = 0, ""
    for text in texts:
        number += 1 if text.path == path else GAP
        path = text.path
        ids[number] = text.id
        stems = read_stems(text.text, stemming)
        candidates.append(
            Candidate(
                number,
                stem_key(stems),
                stems,
                path,
                text.date,
                speaker=text.speaker,
                is_question=is_question(text.text),
            )
        )
    spread = Counter(stem for each in candidates for stem in set(each.stems))
    total = len(candidates)
    mean_length = sum(len(each.stems) for each in candidates) / max(total, 1)
    newest = max((text.date for text in texts), default="")
    return Collection(ids, candidates, Statistics(total, mean_length, spread, newest))


def search(
    collection: Collection, question: str, today: date, settings: RecallSettings
) -> list[str]:
    """Return the ids of the units that answer a question, best first."""
    query = parse_query(question, today, settings)
    ranked = rank_units(query, collection.candidates, collection.statistics, settings)
    ranked = drop_duplicates(ranked)
    if settings.diversity:
        ranked = diversify(ranked, settings.relevance_share)
    return [collection.ids[each.candidate.number] for each in ranked]
