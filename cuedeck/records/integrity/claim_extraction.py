"""The claims of a record, and which of a turn summary's sentences count as such."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from cuedeck.model.memory_record import COMPACTION, HIGH_VALUE, Record
from cuedeck.records.integrity.cjk_claims import has_unspaced, read_unspaced
from cuedeck.records.integrity.claim import Claim
from cuedeck.records.integrity.languages.detect import LANGUAGES
from cuedeck.records.integrity.sentence_claims import read_spaced
from cuedeck.records.integrity.sentences import Sentence, sentences
from cuedeck.records.integrity.staleness import TURN_SUMMARY
from cuedeck.records.integrity.value_types import NUMBER, kind_of

SILENT = (COMPACTION, "heartbeat")
"""Categories that state nothing: they repeat what others said."""
_MOST_SENTENCES = 20


def _alternatives(words: Iterable[str]) -> str:
    return "|".join(sorted(map(re.escape, set(words))))


_USER = _alternatives(word for each in LANGUAGES for word in each.user if len(word) > 3)
_NORMS = _alternatives(word for each in LANGUAGES for word in each.norms)
_MOMENT = (
    r"next|today|tomorrow|tonight|yesterday|yet|still|again|continue|left|pending|remaining|in progress|looks like"
    r"|broken|fixed|fails?|failing|failed|passes|passing|passed|done|finished|remember to|i will|i'll|i am|i'm"
    r"|heute|morgen|nächste[rs]?|aujourd'hui|demain|prochaine?|hoy|mañana|próximo|сегодня|завтра|следующ\w+"
)
_OPENING = (
    r"(?:the )?default\b|(?:we|the (?:team|project)) (?:uses?|no longer use|switched|moved|decided)\b"
    r"|(?:the )?(?:deploy|release)\w* day\b"
)
_LASTING = "from now on|in future|ab jetzt|ab sofort|désormais|a partir de ahora|впредь|с этого момента"


class _Mark(NamedTuple):
    """What a sentence of one kind has, whatever its case."""

    whole: re.Pattern[str]
    hint: re.Pattern[str]
    """In lower case, in every such sentence of ASCII letters; it begins with plain letters, and so is found fast."""

    def is_in(self, text: str) -> bool:
        """Tell whether a sentence has it."""
        is_likely = not text.isascii() or self.hint.search(text.lower()) is not None
        return is_likely and self.whole.search(text) is not None


_STANDING = _Mark(
    re.compile(
        rf"\b(?:{_USER})\b.*?\b(?:{_NORMS}|no longer|nicht mehr|ne .* plus|ya no|больше не)\b"
        rf"|\A(?:please )?(?:{_NORMS})\b|\b(?:{_LASTING})\b|\A(?:{_OPENING})"
        r"|今後|いつも|必ず|以后|总是|永远|一律|앞으로|항상|用户.*偏好|用户.*喜欢",
        re.IGNORECASE,
    ),
    re.compile(rf"(?:{_NORMS}|no longer|nicht mehr|plus|ya no|{_LASTING}|default|use|switched|moved|decided|day)"),
)
"""What makes a sentence of a turn summary a claim: it says what holds from now on, not what happened."""
_PASSING = _Mark(
    re.compile(
        rf"\b(?:{_MOMENT}|(?:build|tests?|pipeline|ci|checks?)\b.*\b(?:green|red))\b"
        r"|下一步|今天|明天|次は|今日|明日|오늘|내일|다음",
        re.IGNORECASE,
    ),
    re.compile(rf"(?:{_MOMENT}|green|red)\b"),
)
"""What makes a sentence of any record that is not kept for good no claim: it is about the moment."""
_IS_OF_TURN = re.compile(
    r"\b(?:now(?<!from now)|currently|current|later|this|works?|working|worked|ready|jetzt(?<!ab jetzt)|сейчас)\b",
    re.IGNORECASE,
)
"""What does so in a turn summary, besides."""
_IS_CODE = re.compile(r"\w/\w|\w_\w|[a-z][A-Z]\w|\w\.\w+\(|\w\.[a-z]{1,4}\b|\w\.\w*[A-Za-z]|`")
"""A sentence that names a file or a function is about the code of that day."""


def read_claims(record: Record) -> Iterator[Claim]:
    """Return what a record states. Order: of its text."""
    if record.category in SILENT:
        return
    is_summary = record.category == TURN_SUMMARY
    is_kept = record.category in HIGH_VALUE
    for number, sentence in enumerate(sentences(record.text)):
        if number >= _MOST_SENTENCES:
            return
        if (is_kept or not _PASSING.is_in(sentence.text)) and not (is_summary and not _outlasts(sentence)):
            claims = read_unspaced(sentence.text) if has_unspaced(sentence.text) else read_spaced(sentence.text)
            yield from map(_unmeasured, claims) if is_summary and not sentence.is_said else claims


def _outlasts(sentence: Sentence) -> bool:
    """Tell whether a sentence of a turn summary says what holds beyond the turn."""
    text = sentence.text
    is_standing = sentence.is_marked or _STANDING.is_in(text)
    return is_standing and not _IS_OF_TURN.search(text) and not _IS_CODE.search(text)


def _unmeasured(claim: Claim) -> Claim:
    """Leave out numbers: in a turn summary they are mostly measured, and change from turn to turn."""
    return claim._replace(slots=tuple(slot for slot in claim.slots if NUMBER not in map(kind_of, slot.value)))
