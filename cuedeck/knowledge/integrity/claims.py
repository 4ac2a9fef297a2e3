"""Claims of a record: keys with values, read from its sentences.

A sentence states up to three kinds of claims:

- `key: value` and `key = value`, in any language;
- `X is V`, if X has one value at a time (port, owner, branch) or V is a name;
- the sentence without one of its numbers, days or months, whose value is that word;
- the sentence without its negation, whose value is whether it is negated.

Questions, history (`was`, `fixed`), doubt (`may`, `perhaps`) and sentences about the
moment (`today`, `passed`) state nothing, nor do records that report one turn.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from cuedeck.model.memory_record import Record, category_of
from cuedeck.text.sentences import split_sentences

MAX_TEXT = 4_000
"""Later characters of a record are not read."""
MAX_SENTENCE = 240
"""Longer sentences are not compared."""
_MAX_SENTENCES = 20
_SHORT = 3
_SHORTEST = 4
"""Words of the shortest sentence without a verb whose last number is a value."""
_MAX_KEY = 5
_MAX_VALUE = 3
"""Words of a key and of a value; longer ones are prose."""
NEGATION = "not"
"""Value of a negated sentence; empty for the same sentence without its negation."""


class Claim(NamedTuple):
    """One key with its value."""

    key: str
    value: tuple[str, ...]
    subject: str = ""
    """Key as written; empty if it is a whole sentence."""
    is_negation: bool = False
    """Whether the value says that the sentence is negated."""

    def excludes(self, other: Claim) -> bool:
        """Return whether another claim with the same key cannot hold as well. A value
        with all words of the other one is only more precise.
        """
        if self.is_negation:
            return self.value != other.value
        words, other_words = set(self.value), set(other.value)
        return not words <= other_words and not other_words <= words


def read_claims(record: Record) -> Iterator[Claim]:
    """Yield the claims of a record, in the order of its text."""
    category = category_of(record.category)
    if not category.states_claims or category.is_turn_report:
        return
    for sentence in split_sentences(record.text[:MAX_TEXT])[:_MAX_SENTENCES]:
        if len(sentence) <= MAX_SENTENCE and not sentence.endswith(("?", "？")):
            yield from _claims_of(sentence)


_LABEL = re.compile(
    r"\A\W*(?:correction|decision|fact|fyi|important|info|learned|memo|note|noted"
    r"|preference|reminder|remember|rule|update|nota|corrección|recuerda"
    r"|please note|note|(?:the )?user (?:said|says))(?:\s*[:,—–]|\s+that\b)\s*",
    re.IGNORECASE,
)
_WORD = re.compile(r"https?://\S+|[+-]?[^\W_](?:[\w./:@%+#-]*[\w%+#])?")
_PAIR = re.compile(r"([^:=]{1,60}?)(?::\s+|\s=\s*|=(?=\S))(\S.*)")
_NUMBER = re.compile(
    r"[+-]?v?\d[\d.,:/x-]*(?:[^\W\d_]{1,4}|%)?|one|two|three|four|five|six|seven"
    r"|eight|nine|ten|eleven|twelve"
)
_DAY = re.compile(
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
    r"|lunes|martes|miércoles|jueves|viernes|sábados?|domingos?"
)
_MONTH = re.compile(
    "january|february|march|april|may|june|july|august|september|october|november"
    "|december|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre"
    "|noviembre|diciembre"
)
_KINDS = {"number": _NUMBER, "day": _DAY, "month": _MONTH}
_NEGATIONS = (
    (re.compile(r"\bcan't\b|\bcannot\b", re.IGNORECASE), "can not"),
    (re.compile(r"n't\b", re.IGNORECASE), " not"),
    (re.compile(r"\b(?:no longer|not any ?more|ya no)\b", re.IGNORECASE), "not"),
)
_NOT = frozenset("not no never nunca jamás".split())  # noqa: SIM905
_OPPOSITES = {
    "disabled": "enabled",
    "dislikes": "likes",
    "false": "true",
    "forbidden": "allowed",
    "off": "on",
    "optional": "required",
}
"""Words that negate another one."""
_FILLERS = frozenset(
    """a an the now currently also just always really please simply do does must shall
    should will el la los las un una ya ahora siempre""".split()  # noqa: SIM905
)
"""Words that do not change a statement."""
_SILENT = frozenset(
    """was were been had did may might could would maybe perhaps probably possibly if
    seems era fue quizás today tomorrow yesterday still yet next passed passes failed
    fails fixed added done it this that these those they he she""".split()  # noqa: SIM905
)
"""A sentence with one of these words is history, doubt or about the moment, or its
subject is known only from its context.
"""
_CHANGES = frozenset(
    """add bump change delete fix merge move release remove rename revert update
    upgrade""".split()  # noqa: SIM905
)
"""First words of the message of a change."""
_OPEN_KEYS = frozenset(
    """bug enlace example idea link next note question result see source status task
    todo""".split()  # noqa: SIM905
)
"""Keys that often occur with different values."""
_VERBS = frozenset("is are am es son está están".split())  # noqa: SIM905
_ATTRIBUTES = frozenset(
    """branch browser database day default editor format framework host key language
    licence license limit location model name owner password path plan port region role
    runner schedule server shell style theme timezone title url version zone
    base contraseña idioma nombre puerto responsable versión""".split()  # noqa: SIM905
)
"""Nouns with one value at a time."""


def _claims_of(sentence: str) -> Iterator[Claim]:
    statement = _LABEL.sub("", sentence).rstrip(" .!;。！；…")
    pair = _PAIR.fullmatch(statement)
    if pair is not None:
        yield from _pair(*pair.groups())
        return
    statement = statement.replace("’", "'").replace("`", "")
    for pattern, by in _NEGATIONS:
        statement = pattern.sub(by, statement)
    raw = _WORD.findall(statement)
    words = [word.lower() for word in raw]
    if len(words) < 2 or words[0] in _CHANGES or not _SILENT.isdisjoint(words):
        return
    is_negated, frame = _frame(words)
    if len(frame) > 1:
        value = (NEGATION,) if is_negated else ()
        yield Claim(f"¬ {' '.join(frame)}", value, is_negation=True)
    if not is_negated:
        yield from _of_subject(raw)
        yield from _of_values(frame)


def _pair(key: str, value: str) -> Iterator[Claim]:
    """Yield the claim of `key: value`; a long key or value is prose."""
    keys = [word for word in _WORD.findall(key.lower()) if word not in _FILLERS]
    values = _WORD.findall(value.lower())
    if not _is_pair(keys, values):
        return
    if keys[0] not in _OPEN_KEYS:
        yield Claim(" ".join(keys), tuple(values), key.strip())


def _is_pair(keys: Sequence[str], values: Sequence[str]) -> bool:
    if not keys or len(keys) > _MAX_KEY:
        return False
    return 0 < len(values) <= _MAX_VALUE


def _frame(words: Sequence[str]) -> tuple[bool, list[str]]:
    is_negated = False
    frame: list[str] = []
    for word in words:
        if word in _NOT or word in _OPPOSITES:
            is_negated = not is_negated
        if word not in _NOT and word not in _FILLERS:
            frame.append(_singular(_OPPOSITES.get(word, word)))
    return is_negated, frame


def _singular(word: str) -> str:
    """Return a word without its `s`: `likes` and `not like` are the same verb."""
    if len(word) <= _SHORT or word.endswith("ss") or _kind(word):
        return word
    return word.removesuffix("s")


def _of_subject(raw: Sequence[str]) -> Iterator[Claim]:
    words = [word for word in raw if word.lower() not in _FILLERS]
    lowered = [word.lower() for word in words]
    verb = 0
    for at, word in enumerate(lowered):
        if word in _VERBS:
            verb = at
            break
    keys = lowered[:verb]
    values = words[verb + 1 :]
    if not _is_pair(keys, values):
        return
    has_one_value = len(values) == 1 and not _ATTRIBUTES.isdisjoint(keys)
    if has_one_value or all(word[0].isupper() for word in values):
        key = " ".join(keys)
        value = tuple(lowered[verb + 1 :])
        yield Claim(key, value, key)


def _of_values(frame: Sequence[str]) -> Iterator[Claim]:
    """Yield the claims of the numbers, days and months of a sentence. A number in the
    middle of a subject is part of its name: `Python 3.12 is supported`. So is one that
    ends a few words without a verb: `issue 12`.
    """
    verbs = (at for at, word in enumerate(frame) if word in _VERBS)
    verb = next(verbs, 0)
    if not verb and len(frame) < _SHORTEST and _kind(frame[-1]) == "number":
        return
    for at, word in enumerate(frame):
        kind = _kind(word)
        is_in_name = 0 < at < verb
        if kind and len(frame) > 1 and not is_in_name:
            before = " ".join(frame[:at])
            after = " ".join(frame[at + 1 :])
            yield Claim(f"{before} <{kind}> {after}", (word.removesuffix("s"),))


def _kind(word: str) -> str:
    for kind, pattern in _KINDS.items():
        if pattern.fullmatch(word):
            return kind
    return ""
