"""Checks of a layer that a summariser command wrote."""

from __future__ import annotations

import re

from cuedeck.model.formatting import abbreviate
from cuedeck.model.ports import Count

_CITED = re.compile(r"`([^`\n]+)`|(?<![\w!])\[([^\[\]\n]+)\](?!\()")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_LEAST_WORDS = 3


def summary_fault(text: str, known: str, count: Count, limit: int) -> str:
    """Return why a summary cannot be used; empty if it can.

    Every name in backticks and every citation in brackets must occur in `known`, the
    text that was summarised.
    """
    if not text.strip():
        return "the answer is empty"
    if _CONTROL.search(text):
        return "the answer contains control characters"
    tokens = count.count(text)
    if tokens > limit:
        return f"the answer has {tokens:,} tokens, more than {limit:,}"
    if not _has_sentence(text):
        return "the answer consists of headings"
    for match in _CITED.finditer(text):
        name = match[1] or match[2]
        if name not in known:
            return f"the answer names `{abbreviate(name)}`, which the text does not contain"
    return ""


def _has_sentence(text: str) -> bool:
    return any(
        len(line.split()) >= _LEAST_WORDS and not line.lstrip().startswith("#")
        for line in text.splitlines()
    )
