"""Reasons made of words that files share: none of these words may be a secret, or a piece of one."""

from __future__ import annotations

import re
from collections.abc import Iterable

from cuedeck.model.ports import Texts
from cuedeck.parse.terms import terms

_QUOTED = re.compile(r"`(\w+)`")
READ = ("card", "doc", "source")
"""Kinds of files whose words ranking reads."""
_HIDDEN = "`<secret>`"


def secret_words(paths: Iterable[str], texts: Texts) -> frozenset[str]:
    """Return the words that secrets of these files are made of, as ranking knows words."""
    found: set[str] = set()
    for path in dict.fromkeys(paths):
        for secret in texts.secrets(path):
            found |= terms(texts.text(path)[secret.start : secret.end]).keys()
    return frozenset(found)


def without_secrets(reason: str, hidden: frozenset[str]) -> str:
    """Return the reason without the quoted words that are `hidden`.

    Ranking takes words apart and may write them in lower case, so that masking does not know a secret by its looks.
    """
    if not hidden:
        return reason
    return _QUOTED.sub(lambda match: match[0] if hidden.isdisjoint(terms(match[1]).keys()) else _HIDDEN, reason)
