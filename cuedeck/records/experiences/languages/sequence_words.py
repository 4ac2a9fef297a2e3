"""Where order means something: what is listed may stand in any order, what is done one after the other may not."""

from __future__ import annotations

import re

LISTED = re.compile(r"[,;、，；]|\b(?:and|or|und|oder|et|ou|y|o|i|lub|и|или)\b|[和与或及や]", re.IGNORECASE)
_JOINED = re.compile(
    r"\b(?:and|or|und|oder|sowie|et|ou|ainsi|y|e|o|u|i|oraz|lub|albo|и|или|также|либо)\b|[和与或及や]", re.IGNORECASE
)
_CLAUSE = re.compile("[,;，；、]")
_OPENING_WORDS = """
    after before once if until
    avant apres depuis
    vor nach bis
    antes despues desde tras
    przed po
    после перед до
"""
OPENING = frozenset(_OPENING_WORDS.split())
"""Folded words that begin a clause with what is done first or last."""


def clause_end(text: str) -> int:
    """Return where the clause ends with which a text begins: `after this, that`; 0 where something may be listed."""
    ends = [match.start() for match in _CLAUSE.finditer(text)]
    return ends[0] if len(ends) == 1 and not _JOINED.search(text) else 0
