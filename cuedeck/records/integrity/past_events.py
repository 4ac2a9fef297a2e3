"""Sentences that tell what was done or measured: the next one of their kind contradicts nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence

from cuedeck.records.integrity.languages.base import words
from cuedeck.records.integrity.sentence_parser import Parts
from cuedeck.records.integrity.sentence_words import Token

CHANGES = words(
    """add allow avoid bump change clean convert correct create delete deprecate disable drop enable enhance expose
    extend fix handle ignore implement improve increment introduce make merge migrate mention modernize move optimize
    patch port prepare prevent pull push rebase refactor regenerate release remove rename reorder replace restore
    revert rework rewrite simplify split start support switch sync tidy tweak try tune update upgrade"""
)
"""Verbs of a change that begin a line of history: what is changed with one of them says nothing about the next."""
_MEASURES = words("""coverage latency usage use load throughput progress runtime consumption uptime diff backlog""")
"""What is measured again and again; its numbers are no facts."""
_EVENT = re.compile(r"[a-z]{2,}ed|ran|wrote|made|built|sent|found|met|went|took|got|set|put|gave|came|saw")


def is_open(said: Sequence[Token], parts: Parts) -> bool:
    """Tell whether another value would be no contradiction: of a negation, in history, for what is measured."""
    if parts.is_negative or _is_change(said, parts) or any(token.low in _MEASURES for token in parts.subject):
        return True
    return not parts.relation and (said[0].low.endswith("ing") or is_event(said[:3]))


def _is_change(said: Sequence[Token], parts: Parts) -> bool:
    """Tell whether a sentence says what to change or what was changed, as lines of a history do."""
    if parts.relation:
        return not parts.subject and parts.verb in CHANGES
    return any(token.low in CHANGES for token in said[:3])


def is_event(said: Sequence[Token]) -> bool:
    """Tell whether one of the words is a verb of what happened."""
    return any(_EVENT.fullmatch(token.low) for token in said)
