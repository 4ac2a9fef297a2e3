"""Similarity of two texts, from 0 to 1.

A text is compared as the stems of its words, its exact tokens (numbers, names in code,
operators, negations) and the pairs of characters of scripts without spaces; stop words
do not count. The similarity is twice the number of forms that both texts share, divided
by the number of forms in both (Dice coefficient). Two texts state different facts,
and are at most `CHANGED` similar, if each has a word that the other lacks, if their
exact tokens differ, or if two words changed places outside of a list.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple

from cuedeck.text.fold_text import normalize
from cuedeck.text.languages import CONJUNCTIONS, Language, detect_language
from cuedeck.text.tokenize_text import MAX_CHARS, Kind, Token, fold, read_tokens

CHANGED = 0.5
"""Factor for texts with different statements."""
STOP = "~"
"""Prefix of the form of a stop word."""
EXACT = "="
"""Prefix of the form of an exact token."""
_MIN_REPLACED_STOP = 4
"""Shorter stop words (articles, forms of `to be`) change with inflection, and carry no
meaning if they are replaced.
"""
_PRECISION = 6
_SLACK = 1e-5
"""Tolerance for rounding."""
_CACHE_SIZE = 256


class Term(NamedTuple):
    """One token with the form that it is compared by."""

    form: str
    token: Token


class Features(NamedTuple):
    """A text prepared for comparison."""

    plain: str
    """The text in lower case, with single spaces."""
    counts: Mapping[str, int]
    """Occurrences of each form but stop words; a pair of characters counts as one form.
    """
    replaceable: Mapping[str, int]
    """Occurrences of words and characters. If both texts have more of some, something
    was replaced.
    """
    exact: tuple[str, ...]
    """Exact forms, sorted; equal in texts with the same statement."""
    order: tuple[str, ...]
    """Forms of words, characters and exact tokens in the order of the text; the items
    of a list are sorted.
    """
    size: int
    """Sum of `counts`."""

    @property
    def length(self) -> int:
        """Number of words, characters and exact tokens; short stop words do not
        count.
        """
        return sum(self.replaceable.values()) + len(self.exact)


def read_terms(text: str) -> list[Term]:
    """Return the tokens of a text with their forms, in the order of the text."""
    tokens = list(read_tokens(normalize(text[:MAX_CHARS].strip())))
    language = detect_language(
        token.text for token in tokens if token.kind is Kind.WORD
    )
    return [Term(_form(token, language), token) for token in tokens]


def _form(token: Token, language: Language) -> str:
    if token.kind is not Kind.WORD:
        return token.text
    exact = language.exact_word(token.text)
    if exact:
        return exact
    stem = language.stem(token.text)
    is_stop = fold(token.text) in language.stop_words or stem in language.stop_words
    return STOP + stem if is_stop else stem


@lru_cache(_CACHE_SIZE)
def prepare(text: str) -> Features:
    """Return the features of a text; those of the latest texts are cached."""
    terms = read_terms(text)
    counts = Counter(_compared_forms(terms))
    replaceable = Counter(term.form for term in terms if _is_replaceable(term))
    exact = sorted(term.form for term in terms if term.form.startswith(EXACT))
    plain = " ".join(normalize(text[:MAX_CHARS]).casefold().split())
    return Features(
        plain=plain,
        counts=counts,
        replaceable=replaceable,
        exact=tuple(exact),
        order=_order(terms),
        size=counts.total(),
    )


def _compared_forms(terms: Iterable[Term]) -> Iterable[str]:
    before = ""
    for form, token in terms:
        if token.kind is Kind.CHARACTER:
            if token.is_joined:
                yield before + form
            before = form
        elif not form.startswith(STOP):
            yield form


def _is_replaceable(term: Term) -> bool:
    if term.form.startswith(STOP):
        return len(term.token.text) >= _MIN_REPLACED_STOP
    return not term.form.startswith(EXACT)


def _order(terms: Iterable[Term]) -> tuple[str, ...]:
    groups: list[list[str]] = []
    is_list_item = False
    for form, token in terms:
        if token.text in CONJUNCTIONS:
            is_list_item = True
            continue
        is_list_item = is_list_item or token.is_after_comma
        if not form.startswith(STOP) or _is_replaceable(Term(form, token)):
            if is_list_item and groups:
                groups[-1].append(form)
            else:
                groups.append([form])
        is_list_item = False
    return tuple(form for group in groups for form in sorted(group))


def min_shared(size: int, threshold: float) -> float:
    """Return how many forms of a text of `size` forms another text must share to reach
    the threshold.
    """
    return threshold * size / (2 - threshold) - _SLACK


def similarity(one: Features, other: Features) -> float:
    """Return the similarity of two texts; the same in both directions."""
    if one.plain == other.plain and one.exact == other.exact:
        return 1.0
    shared = sum(
        min(times, other.counts.get(form, 0)) for form, times in one.counts.items()
    )
    if not shared:
        return 0.0
    alike = 2 * shared / (one.size + other.size)
    return round(alike * CHANGED if _is_changed(one, other) else alike, _PRECISION)


def _is_changed(one: Features, other: Features) -> bool:
    if one.exact != other.exact:
        return True
    if _has_more(one.replaceable, other.replaceable) and _has_more(
        other.replaceable, one.replaceable
    ):
        return True
    if one.order == other.order:
        return False
    common = _single(one.order) & _single(other.order)
    return [form for form in one.order if form in common] != [
        form for form in other.order if form in common
    ]


def _has_more(one: Mapping[str, int], other: Mapping[str, int]) -> bool:
    return any(times > other.get(form, 0) for form, times in one.items())


def _single(order: Iterable[str]) -> set[str]:
    return {form for form, times in Counter(order).items() if times == 1}
