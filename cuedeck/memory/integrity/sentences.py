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
    for piece in _END.split(unicodedata.normalize("NFKC", text[:LONGEST_TEXT])):
        plain = piece.strip()
        if not plain or len(plain) > LONGEST_SENTENCE or plain.endswith(("?", "？")):
            continue
        bare = _BULLET.sub("", plain, 1)
        labelled = _LABEL.sub("", bare, 1)
        said = _REPORT.sub("", labelled, 1)
        yield Sentence(said.rstrip(" .!;。！；…"), len(said) < len(bare), len(said) < len(labelled))
