"""Extract the claims of a record: sentences are split, those that state something are
selected and read.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from cuedeck.knowledge.integrity.claim import NUMBER, Claim, kind_of
from cuedeck.knowledge.integrity.english_and_spanish import LANGUAGES
from cuedeck.knowledge.integrity.sentence_claims import is_analysed, read_sentence
from cuedeck.model.memory_record import Record
from cuedeck.model.record_categories import category_of

MAX_TEXT = 4_000
"""Later characters of a record are not read."""
MAX_SENTENCE = 240
"""Longer sentences are not compared."""

_END = re.compile(r"(?<=[.!?;…])\s+|(?<=[。！？；])|\n+")
_MAY_END = re.compile(r"[.!?;…]\s|[。！？；]|\n")
"""Matches every text with more than one sentence; it is much faster than splitting."""
_BULLET = re.compile(r"\A\s*(?:(?:[-*•]|\d+[.)])\s+|-(?=[^\W\d]))")
_LABEL = re.compile(
    r"\A\s*(?:actually|also|attention|correction|corrected|decision|fact|fyi|important|info|learned|memo|note|noted|nb"
    r"|please note|preference|reminder|remember|rule|update|updated|nota|corrección|importante|recuerda)"
    r"(?:\s*[:：,—–]|\s+that\b|\s+-)\s*",
    re.IGNORECASE,
)
_REPORT = re.compile(
    r"\A\s*(?:the\s+)?(?:user|operator|client|he|she|they)\s+(?:said|says|told\s+(?:me|us)|stated)(?:\s+that\b)?[:,]?\s*"
    r"|\A\s*el\s+usuario\s+dijo\s*[,:]?\s*(?:que)?\s*",
    re.IGNORECASE,
)


class Sentence(NamedTuple):
    """One sentence without bullets, labels and reports before its claim."""

    text: str
    is_marked: bool
    """True if it has a label such as `Note:`, or is reported as a statement of the
    user.
    """
    is_reported: bool
    """True if it is reported as a statement of the user."""


def sentences(text: str) -> Iterator[Sentence]:
    """Yield the sentences of a text except questions."""
    even = unicodedata.normalize("NFKC", text[:MAX_TEXT])
    for piece in _END.split(even) if _MAY_END.search(even) else (even,):
        plain = piece.strip()
        if not plain or len(plain) > MAX_SENTENCE or plain.endswith(("?", "？")):
            continue
        bare = _without(_BULLET, plain)
        labelled = _without(_LABEL, bare)
        statement = _without(_REPORT, labelled)
        yield Sentence(
            statement.rstrip(" .!;。！；…"),
            len(statement) < len(bare),
            len(statement) < len(labelled),
        )


def _without(opening: re.Pattern[str], text: str) -> str:
    found = opening.match(text)
    if found:
        return text[found.end() :]
    return text


_MAX_SENTENCES = 20


def _alternatives(words: Iterable[str]) -> str:
    return "|".join(sorted(map(re.escape, set(words))))


_USER_WORDS = frozenset[str]().union(*(language.user for language in LANGUAGES))
_USER = _alternatives(word for word in _USER_WORDS if len(word) > 3)
_NORMS = _alternatives(
    frozenset[str]().union(*(language.norms for language in LANGUAGES))
)
_MOMENT = (
    r"next|today|tomorrow|tonight|yesterday|yet|still|again|continue|left|pending|remaining|in progress|looks like"
    r"|broken|fixed|fails?|failing|failed|passes|passing|passed|done|finished|remember to|i will|i'll|i am|i'm"
    r"|hoy|mañana|ayer|próxim[oa]"
)
_OPENING = (
    r"(?:the )?default\b|(?:we|the (?:team|project)) (?:uses?|no longer use|switched|moved|decided)\b"
    r"|(?:the )?(?:deploy|release)\w* day\b"
)
_LASTING = "from now on|in future|a partir de ahora"


class _Mark(NamedTuple):
    """A pattern for one kind of sentence, and a faster pattern that rejects most
    others.
    """

    whole: re.Pattern[str]
    hint: re.Pattern[str]
    """Matches every such ASCII sentence in lower case."""

    def is_in(self, text: str) -> bool:
        """Return whether a sentence matches."""
        is_likely = not text.isascii() or self.hint.search(text.lower()) is not None
        return is_likely and self.whole.search(text) is not None


_STANDING = _Mark(
    re.compile(
        rf"\b(?:{_USER})\b.*?\b(?:{_NORMS}|no longer|ya no)\b"
        rf"|\A(?:please )?(?:{_NORMS})\b|\b(?:{_LASTING})\b|\A(?:{_OPENING})",
        re.IGNORECASE,
    ),
    re.compile(
        rf"(?:{_NORMS}|no longer|ya no|{_LASTING}|default|use|switched|moved|decided|day)"
    ),
)
"""Marks a sentence of a turn summary that states a lasting rule."""
_PASSING = _Mark(
    re.compile(
        rf"\b(?:{_MOMENT}|(?:build|tests?|pipeline|ci|checks?)\b.*\b(?:green|red))\b",
        re.IGNORECASE,
    ),
    re.compile(rf"(?:{_MOMENT}|green|red)\b"),
)
"""Marks a sentence about the moment; it counts only in categories that are kept for
good.
"""
_IS_OF_TURN = re.compile(
    r"\b(?:now(?<!from now)|currently|current|later|this|works?|working|worked|ready|ahora(?<!de ahora))\b",
    re.IGNORECASE,
)
"""Marks further sentences about the moment in turn summaries."""
_IS_CODE = re.compile(
    r"\w/\w|\w_\w|[a-z][A-Z]\w|\w\.\w+\(|\w\.[a-z]{1,4}\b|\w\.\w*[A-Za-z]|`"
)
"""Marks a sentence that names a file or a function: it describes the code at that time.
"""


def read_claims(record: Record) -> Iterator[Claim]:
    """Yield the claims of a record, in the order of its text."""
    category = category_of(record.category)
    if not category.states_claims:
        return
    is_summary = category.is_turn_report
    is_kept = category.is_protected
    for number, sentence in enumerate(sentences(record.text)):
        if number >= _MAX_SENTENCES:
            return
        if (is_kept or not _PASSING.is_in(sentence.text)) and not (
            is_summary and not _outlasts(sentence)
        ):
            claims = read_sentence(sentence.text)
            yield from (
                map(_unmeasured, claims)
                if is_summary and not sentence.is_reported
                else claims
            )


def _outlasts(sentence: Sentence) -> bool:
    """Return whether a sentence of a turn summary states something that holds after the
    turn.
    """
    text = sentence.text
    is_standing = sentence.is_marked or _STANDING.is_in(text)
    if not is_standing:
        return False
    if _IS_OF_TURN.search(text):
        return False
    return not _IS_CODE.search(text)


def _unmeasured(claim: Claim) -> Claim:
    """Return a claim without slots for numbers: in turn summaries most numbers are
    measurements.
    """
    return claim._replace(
        slots=tuple(
            slot for slot in claim.slots if NUMBER not in map(kind_of, slot.value)
        )
    )


def is_record_analysed(record: Record) -> bool:
    """Return whether every sentence of a record is analysed; a record that states no
    claims has none.
    """
    if not category_of(record.category).states_claims:
        return True
    return all(
        is_analysed(sentence.text)
        for sentence in islice(sentences(record.text), _MAX_SENTENCES)
    )
