"""Reasons made of words that files share: none of these words may be a secret, or a piece of one."""

from __future__ import annotations

import re
from collections.abc import Iterable

from cuedeck.model.ports import Texts
from cuedeck.model.scene import Visit
from cuedeck.parse.words import terms

_QUOTED = re.compile(r"`(\w+)`")
_READ = ("card", "doc", "source")
_HIDDEN = "`<secret>`"


def without_secrets(reason: str, visits: Iterable[Visit], path: str, texts: Texts) -> str:
    """Return the reason for a file without the quoted words that secrets of it or of the visits are made of.

    Ranking takes words apart and may write them in lower case, so that masking does not know a secret by its looks.
    """
    quoted = {word: terms(word).keys() for word in _QUOTED.findall(reason)}
    hidden: set[str] = set()
    for source in dict.fromkeys([*(visit.path for visit in visits if visit.kind in _READ), path]):
        for secret in texts.secrets(source):
            hidden |= terms(texts.text(source)[secret.start : secret.end]).keys()
    return _QUOTED.sub(lambda match: match[0] if hidden.isdisjoint(quoted[match[1]]) else _HIDDEN, reason)
