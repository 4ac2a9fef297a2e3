"""The sentences of a record that state something."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

LONGEST_TEXT = 4_000
"""Characters of a record that are read."""
LONGEST_SENTENCE = 240
"""Characters of a sentence; a longer one says too much to be compared."""

_END = re.compile(r"(?<=[.!?;…])\s+|(?<=[。！？；])|\n+")
_MAY_END = re.compile(r"[.!?;…]\s|[。！？；]|\n")
"""In every text that has more than one sentence, and found much faster: many have only one."""
_BULLET = re.compile(r"\A\s*(?:(?:[-*•]|\d+[.)])\s+|-(?=[^\W\d]))")
_LABEL = re.compile(
    r"\A\s*(?:actually|also|attention|correction|corrected|decision|fact|fyi|important|info|learned|memo|note|noted|nb"
    r"|please note|preference|reminder|remember|rule|update|updated|achtung|hinweis|korrektur|merke|wichtig|correction"
    r"|important|nota|remarque|corrección|importante|correção|correzione|важно|заметка|исправление|примечание"
    r"|注意|备注|更正|メモ|訂正|메모)"
    r"(?:\s*[:：,—–]|\s+that\b|\s+-)\s*",
    re.IGNORECASE,
)
_REPORT = re.compile(
    r"\A\s*(?:the\s+)?(?:user|operator|client|he|she|they)\s+(?:said|says|told\s+(?:me|us)|stated)(?:\s+that\b)?[:,]?\s*"
    r"|\A\s*(?:der\s+nutzer\s+sagte?|l['’]utilisateur\s+a\s+dit|el\s+usuario\s+dijo|пользователь\s+сказал)"
    r"\s*[,:]?\s*(?:dass|que|что)?\s*",
    re.IGNORECASE,
)


class Sentence(NamedTuple):
    """One sentence, without what stands before its claim."""

    text: str
    is_marked: bool
    """True when it was labelled as worth remembering, or as said by the user."""
    is_said: bool
    """True when the user said it."""


def sentences(text: str) -> Iterator[Sentence]:
    """Return the sentences of a text that are no questions."""
    even = unicodedata.normalize("NFKC", text[:LONGEST_TEXT])
    for piece in _END.split(even) if _MAY_END.search(even) else (even,):
        plain = piece.strip()
        if not plain or len(plain) > LONGEST_SENTENCE or plain.endswith(("?", "？")):
            continue
        bare = _without(_BULLET, plain)
        labelled = _without(_LABEL, bare)
        said = _without(_REPORT, labelled)
        yield Sentence(said.rstrip(" .!;。！；…"), len(said) < len(bare), len(said) < len(labelled))


def _without(opening: re.Pattern[str], text: str) -> str:
    found = opening.match(text)
    return text[found.end() :] if found else text
