"""Removal of secret words from the reasons of related files."""

from __future__ import annotations

import re
from collections.abc import Iterable

from cuedeck.model.ports import Texts
from cuedeck.parse.terms import terms

_QUOTED = re.compile(r"`(\w+)`")
READ = ("card", "doc", "source")
"""Kinds of files whose words are used for ranking."""
_HIDDEN = "`<secret>`"


def secret_words(paths: Iterable[str], texts: Texts) -> frozenset[str]:
    """Return the words contained in secrets of these files, as tokenised for ranking."""
    found: set[str] = set()
    for path in dict.fromkeys(paths):
        for secret in texts.secrets(path):
            found |= terms(texts.text(path)[secret.start : secret.end]).keys()
    return frozenset(found)


def without_secrets(reason: str, hidden: frozenset[str]) -> str:
    """Return the reason with `hidden` quoted words replaced.

    Ranking splits words and may lower their case, so masking would not recognise a secret in a reason.
    """
    if not hidden:
        return reason
    return _QUOTED.sub(lambda match: match[0] if hidden.isdisjoint(terms(match[1]).keys()) else _HIDDEN, reason)
