"""Queries without a subject, which list units: those of days, or of a ledger."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from cuedeck.records.recall.recall_query import RecallQuery
from cuedeck.records.recall.recall_terms import read_stems

_WORDS = {
    "decision": "decision decisions decide decided decisión decisiones decidir decidimos",
    "attempt": "attempt attempts attempted tried failed intento intentos intentado",
    "assumption": "assumption assumptions assumed suposición suposiciones supuesto",
    "experience": "experience experiences lesson lessons learned learnt experiencia experiencias lección lecciones",
}


def named_kind(query: RecallQuery) -> str:
    """Return the kind of ledger entries that all words of a query name, apart from stop
    words and dates; empty if there is a word of a subject.
    """
    dates = " ".join(query.dates)
    terms = [term for term in query.terms if term.origin == "word"]
    stems = [term.stem for term in terms if term.word not in dates]
    kinds = {_kinds_by_stem().get(stem, "") for stem in stems}
    return kinds.pop() if len(kinds) == 1 else ""


@cache
def _kinds_by_stem() -> Mapping[str, str]:
    """Return the kind of each stem, and that of each word without stemming."""
    found: dict[str, str] = {}
    for kind, words in _WORDS.items():
        for word in words.split():
            for stemming in (True, False):
                found.update(dict.fromkeys(read_stems(word, stemming), kind))
    return found


def has_only_dates(query: RecallQuery) -> bool:
    """Return whether every word of a query, except stop words, is part of a date."""
    named = " ".join(query.dates)
    words = [term.word for term in query.terms if term.origin == "word"]
    return all(word in named for word in words)
