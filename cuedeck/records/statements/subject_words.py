"""Words of a prompt that say something about its subject."""

from __future__ import annotations

import re

from cuedeck.records.recall.recall_stop_words import STOP_WORDS, TALK_WORDS
from cuedeck.records.recall.recall_terms import read_stems

_LONGEST_PROMPT = 2_000
_REQUESTS = """
    want need see use used using make makes making sure get got new now one also
"""
"""Words of requests, which say nothing about their subject."""
_IGNORED = frozenset(
    stem
    for word in (*STOP_WORDS, *TALK_WORDS, *_REQUESTS.split())
    for stem in read_stems(word)
)

_VARIABLE = r"#(?:terminalSelection|terminalLastCommand|selection|codebase|editor)\b"
"""Variables in prompts of VS Code: the host replaces them by text that is not seen."""


def words_of(prompt: str) -> frozenset[str]:
    """Return the stems of a prompt that say something about its subject."""
    stems = read_stems(re.sub(_VARIABLE, " ", prompt[:_LONGEST_PROMPT]))
    return frozenset(stem for stem in stems if stem not in _IGNORED and len(stem) > 1)
