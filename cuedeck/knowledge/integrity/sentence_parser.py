"""Parse a sentence: words in the form in which they are compared, then subject,
relation and the parts after it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from cuedeck.knowledge.integrity.claim import OTHER, kind_of, numeral
from cuedeck.knowledge.integrity.english_and_spanish import (
    CONTRAST,
    IS,
    NOT,
    PREFER,
    Language,
    detect_language,
    replace_phrases,
)
from cuedeck.text.search_terms import stem

_WORD = re.compile(
    rf"https?://\S+|[{CONTRAST}{NOT}]|--?[^\W\d][\w-]*|[/~.][\w.~-]+(?:/[\w.~-]*)*"
    rf"|#\d+|[^\W_](?:[\w./:@+#%’'-]*[\w+#%’'])?|_\w+"
)
_DASHES = frozenset("–—-")
_RANGE = re.compile(r"(?<=\d) ?[–—-] ?(?=\d)")
_ELISION = re.compile(r"(?i)\b(n|l|d|j|m|t|s|c|qu|un|dell|all)['’](?=[^\W\d_])")
_POSSESSIVE = re.compile(r"['’]s?$")


class Token(NamedTuple):
    """One word."""

    raw: str
    low: str
    """In lower case."""
    stem: str
    """The form that is compared."""
    kind: str
    """Result of `kind_of`."""


def read_tokens(text: str) -> tuple[list[Token], Language]:
    """Return the words of a sentence after the replacement of phrases, and its
    language.
    """
    plain = text.replace("’", "'").replace("`", " ")
    if "'" in plain:
        plain = _ELISION.sub(r"\1' ", plain)
    found = _WORD.findall(plain)
    # Lower case changes the split of URLs, and the number of some non-ASCII letters.
    is_even = plain.isascii() and "://" not in plain
    low_words = map(str.lower, found) if is_even else _WORD.findall(plain.lower())
    language = detect_language(low_words)
    replaced = replace_phrases(plain, language)
    if not _DASHES.isdisjoint(replaced):
        replaced = _RANGE.sub("-", replaced)
    if replaced != plain:
        found = _WORD.findall(replaced)
    return list(map(read_word, found)), language


@lru_cache(maxsize=20_000)
def read_word(raw: str) -> Token:
    """Return one word as a token."""
    low = raw.lower()
    is_elision = len(low) <= 3 and low.endswith(
        ("n'", "l'", "d'", "j'", "c'", "s'", "m'", "t'", "qu'")
    )
    if not is_elision:
        low = _POSSESSIVE.sub("", low)
    kind = kind_of(low)
    compared = _stem(low) if kind == OTHER else numeral(low)
    return Token(raw, low, compared, kind)


def _stem(low: str) -> str:
    if not low.isascii() or not low.isalpha():
        return low
    # The stemmer does not change words of four letters: `runs`, `owns`.
    is_short_plural = len(low) == 4 and low.endswith("s") and low[2] not in "sui"
    if is_short_plural:
        return low[:-1]
    return stem(low)


def is_name(token: Token) -> bool:
    """Return whether a word is a name, a number or another value, not a plain word."""
    if not token.raw.islower():
        return True
    return token.kind != OTHER


def stems(tokens: Iterable[Token]) -> tuple[str, ...]:
    """Return the compared forms of words, in their order."""
    return tuple(token.stem for token in tokens)


def bag(tokens: Iterable[Token]) -> str:
    """Return the compared forms of words, sorted."""
    return " ".join(sorted(token.stem for token in tokens))


_MAX_SUBJECT = 8
"""A longer group of words before the relation is not a subject."""
_ARTICLES = frozenset(["the", "el", "la"])
USER = "user"


class Part(NamedTuple):
    """The words after a preposition, or the object, which has none."""

    joint: str
    words: tuple[Token, ...]


class Parts(NamedTuple):
    """A parsed sentence."""

    subject: tuple[Token, ...]
    relation: str
    """Empty if no verb is known; then the first part is the text before the first
    preposition.
    """
    verb: str
    parts: tuple[Part, ...]
    rejected: tuple[Token, ...]
    """The alternative that the sentence rejects for its object."""
    is_negative: bool
    is_definite: bool
    """True if an article directly follows the verb: `Anna is the owner`."""


class _Content(NamedTuple):
    """The content words of a sentence."""

    tokens: list[Token]
    is_negative: bool
    articles: frozenset[int]
    """Indexes in `tokens` of words after an article."""


def parse_sentence(tokens: Sequence[Token], language: Language) -> Parts | None:
    """Return the parts of a sentence, or None if it claims nothing."""
    kept = _content_words(tokens, language)
    if kept is None or not kept.tokens:
        return None
    found = kept.tokens
    at = _relation(found, language)
    relation = verb = ""
    subject: Sequence[Token] = []
    rest = found
    if at is not None:
        relation = language.verbs[found[at].low]
        verb = found[at].stem
        subject = found[:at]
        rest = found[at + 1 :]
    topic = subject if relation else rest[:1]
    if len(subject) > _MAX_SUBJECT or _is_vague(topic, language):
        return None
    if relation == PREFER and rest and rest[0].low == "to":
        rest = rest[1:]
    parts, rejected = _split(rest, language)
    return Parts(
        subject=tuple(_subject_words(subject, relation, language)),
        relation=relation,
        verb=verb,
        parts=tuple(parts),
        rejected=tuple(rejected),
        is_negative=kept.is_negative,
        is_definite=at is not None and at + 1 in kept.articles,
    )


def _content_words(tokens: Sequence[Token], language: Language) -> _Content | None:
    found: list[Token] = []
    articles = []
    is_denied = is_turned = False
    for token in tokens:
        if token.low in language.doubts and (token.raw.islower() or not found):
            return None  # but `May` is a month
        if token.low in language.cuts and found:
            break
        if token.low == NOT or token.low in language.negations:
            is_denied = True
        elif token.low in language.opposites:
            is_turned = not is_turned
            word = language.opposites[token.low]
            if word not in language.fillers:
                found.append(read_word(word))
        elif token.low not in language.fillers:
            found.append(token)
        elif token.low in _ARTICLES:
            articles.append(len(found))
    return _Content(found, is_denied != is_turned, frozenset(articles))


def _relation(tokens: Sequence[Token], language: Language) -> int | None:
    """Return the index of the verb. `is` precedes a verb that may be a noun: `the end
    date is`.
    """
    places = [
        at
        for at, token in enumerate(tokens[: _MAX_SUBJECT + 1])
        if token.low in language.verbs
    ]
    if not places:
        return None
    first = places[0]
    may_be_noun = first == 0 or not tokens[first].low.endswith("s")
    if not may_be_noun:
        return first
    copulas = []
    for at in places:
        if language.verbs[tokens[at].low] == IS:
            copulas.append(at)
    if copulas and copulas[0] - first <= 3:
        return copulas[0]
    return first


def _is_vague(subject: Sequence[Token], language: Language) -> bool:
    return bool(subject) and all(
        _is_word_of(token, language.vague | language.joints) for token in subject
    )


def _subject_words(
    subject: Sequence[Token], relation: str, language: Language
) -> Iterator[Token]:
    """Yield the subject without the project team, and without the user in
    preferences.
    """
    for token in subject:
        if _is_word_of(token, language.user):
            if relation != PREFER:
                yield Token(token.raw, USER, USER, OTHER)
        elif not _is_word_of(token, language.us) and token.low not in language.joints:
            yield token


def _is_word_of(token: Token, words: frozenset[str]) -> bool:
    """Return whether a token is one of some small words; `US` and `IT` are names."""
    if token.low not in words:
        return False
    return not (len(token.raw) > 1 and token.raw.isupper())


def _split(rest: Sequence[Token], language: Language) -> tuple[list[Part], list[Token]]:
    parts: list[Part] = []
    rejected: list[Token] = []
    words: list[Token] = []
    joint, is_rejected = "", False
    for token in rest:
        if token.low in language.joints or token.low == CONTRAST:
            if words and not is_rejected:
                parts.append(Part(joint, tuple(words)))
            joint, words, is_rejected = token.low, [], token.low == CONTRAST
        elif is_rejected:
            rejected.append(token)
        else:
            words.append(token)
    if words and not is_rejected:
        parts.append(Part(joint, tuple(words)))
    return parts, rejected


def named(part: Part) -> str:
    """Return a key of a part that does not depend on the order of its words."""
    return f"{part.joint} {bag(part.words)}"
