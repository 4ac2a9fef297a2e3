"""Secret search: applies all rules to a text and its normalised copies, and merges
overlapping matches.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from hashlib import sha256
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.model.secret import KnownValues, Secret, ValueMark
from cuedeck.parse.secrets.custom_patterns import find_custom, is_allowed
from cuedeck.parse.secrets.formats import RULES, Rule, value_group
from cuedeck.parse.secrets.normalized_text import (
    NormalizedText,
    broken_tokens,
    normalized_texts,
)
from cuedeck.parse.secrets.plausibility import is_unmistakable
from cuedeck.parse.secrets.private_keys import KEY_MARKS, key_blocks
from cuedeck.parse.secrets.random_values import random_near_names

if TYPE_CHECKING:
    from ahocorasick_rs import BytesAhoCorasick

    from cuedeck.model.settings_schema import SecretSettings

_LONGEST_LABEL = 1_000
"""Maximum length of a text whose result is cached, because it is likely to occur again.
"""
_KEPT_LABELS = 4_000
_BYTES = "cp1251"
"""An encoding of one byte a character, with the letters of every needle."""
_OfRule = Mapping[str, Sequence[int]]
"""The places of each needle of a rule."""
_Places = Mapping[int, _OfRule]
"""The places of the needles by the position of the rule."""
_WITHOUT_NEEDLES = tuple(
    number for number, rule in enumerate(RULES) if not rule.needles
)

_NONE = KnownValues()


class SearchedText(NamedTuple):
    """The secrets of a file, and what the index stores of them."""

    secrets: Sequence[Secret]
    marks: Sequence[ValueMark]
    """Marks of the random values that the rules recognise in this file, and that they
    would not recognise without the text around them.
    """
    has_copies: bool
    """Whether values are masked that only other files reveal as secrets."""


class SecretSearch:
    """Search for secrets with given settings and a cache for short texts."""

    def __init__(self, settings: SecretSettings) -> None:
        self._allow = settings.allow
        self._known = _NONE
        pairs = (pattern.partition(":") for pattern in settings.patterns)
        self._patterns = tuple(
            (kind.strip(), expression.strip()) for kind, _, expression in pairs
        )
        self._written = settings.patterns
        self._labels: dict[str, Sequence[Secret]] = {}

    def find(self, text: str) -> Sequence[Secret]:
        """Return the secrets in `text`, in order."""
        if len(text) > _LONGEST_LABEL:
            return self._search(text)
        # The same addresses and reasons are printed after every save.
        if text not in self._labels:
            if len(self._labels) >= _KEPT_LABELS:
                self._labels.clear()
            self._labels[text] = self._search(text)
        return self._labels[text]

    def know(self, values: KnownValues) -> SecretSearch:
        """Search for copies of these values from now on; return this search."""
        if values is not self._known:
            self._known = values
            self._labels.clear()
        return self

    def find_in_part(self, text: str) -> Sequence[Secret]:
        """Return the secrets in a part of a file that is read in parts.

        A value that the rules recognise in one part is not searched for in the rest of
        this part: the result would depend on where the file is divided.
        """
        return self._with_copies(text, self._by_rules(text, with_copies=False))

    def search(self, text: str) -> SearchedText:
        """Return the secrets in the text of a file, and the marks of its values."""
        own = self._by_rules(text)
        secrets = self._with_copies(text, own)
        marks: list[ValueMark] = []
        for value, kind in _random_values(text, own):
            spans = [found[:2] for found in self._by_rules(value)]
            if (0, len(value)) not in spans:
                marks += _marks(value, kind, self._known)
        return SearchedText(secrets, marks, secrets != own)

    @cached_property
    def rules(self) -> str:
        """Hash of the settings about secrets. The built-in rules are part of the
        version of the index.
        """
        return sha256(repr((self._allow, self._written)).encode()).hexdigest()[:16]

    def _search(self, text: str) -> Sequence[Secret]:
        return self._with_copies(text, self._by_rules(text))

    def _by_rules(self, text: str, *, with_copies: bool = True) -> tuple[Secret, ...]:
        return find_secrets(
            text, extra=self._patterns, allow=self._allow, with_copies=with_copies
        )

    def _with_copies(self, text: str, found: tuple[Secret, ...]) -> tuple[Secret, ...]:
        if not self._known:
            return found
        copies = list(self._known.find(text))
        for copy in normalized_texts(text):
            copies += _originals(copy, self._known.find(copy.text))
        added = _not_allowed(text, copies, self._allow)
        if not added:
            return found
        return tuple(_outermost([*found, *added]))


def find_secrets(
    text: str,
    *,
    extra: Sequence[tuple[str, str]] = (),
    allow: Sequence[str] = (),
    with_copies: bool = True,
) -> tuple[Secret, ...]:
    """Return the secrets in `text`, sorted by start and disjoint.

    `extra` contains more rules as (kind, pattern): the group `secret` of a pattern is
    masked, else the whole match. A value that fully matches a pattern of `allow` is not
    a secret. Both come from settings; see `custom_patterns`. With `with_copies`, the
    other places of a random value that is found are secrets as well.

    Of nested matches only the outermost is returned; partly overlapping matches are
    merged.
    """
    places = _places(text)
    found = _search(text, places, extra)
    found += _broken(text, places)
    for copy in normalized_texts(text):
        found += _originals(copy, _search(copy.text, _places(copy.text), extra))
    found = _not_allowed(text, found, allow)
    if found and with_copies:
        marks: list[ValueMark] = []
        for value, kind in _random_values(text, found):
            marks += _marks(value, kind, _NONE)
        found += KnownValues(marks=marks).find(text)
    return tuple(_outermost(found))


def _originals(copy: NormalizedText, found: Iterable[Secret]) -> Iterator[Secret]:
    """Yield the secrets of a copy at their places in the text."""
    for start, end, kind in found:
        span = copy.original(start, end)
        if span is not None:
            yield Secret(*span, kind)


def _random_values(text: str, found: Iterable[Secret]) -> list[tuple[str, str]]:
    kinds: dict[str, str] = {}
    for secret in found:
        value = text[secret.start : secret.end]
        if value not in kinds and is_unmistakable(value):
            kinds[value] = secret.kind
    return list(kinds.items())


def _marks(value: str, kind: str, known: KnownValues) -> Iterator[ValueMark]:
    """Yield the marks of a random value as it may be written elsewhere: with slashes as
    in JSON, or without the encoding of a URL.
    """
    spellings = {value, value.replace("/", "\\/")}
    if "%" in value:
        from urllib.parse import unquote

        spellings.add(unquote(value))
    return (known.mark(each, kind) for each in spellings if is_unmistakable(each))


def _not_allowed(text: str, found: list[Secret], allow: Sequence[str]) -> list[Secret]:
    if not allow:
        return found
    return [
        secret
        for secret in found
        if not is_allowed(text[secret.start : secret.end], allow)
    ]


def _broken(text: str, places: _Places) -> Iterator[Secret]:
    if "\n" not in text and "\\n" not in text:
        return
    for number, needles in places.items():
        rule = RULES[number]
        starts = [at - rule.back for at in chain.from_iterable(needles.values())]
        if not any(text.startswith(rule.prefixes, at) for at in starts):
            continue
        for copy in broken_tokens(text, rule.prefixes, _compiled(rule)):
            own = _places(copy.text).get(number, {})
            yield from _originals(copy, _apply(rule, copy.text, own))


def _search(
    text: str, places: _Places, extra: Sequence[tuple[str, str]]
) -> list[Secret]:
    found: list[Secret] = []
    if any(mark in text for mark in KEY_MARKS):
        found += [Secret(*span, "private-key") for span in key_blocks(text)]
    for number, needles in places.items():
        found += _apply(RULES[number], text, needles)
    found += random_near_names(text)
    if extra:
        found += find_custom(text, extra)
    return found


def _places(text: str) -> _Places:
    found: dict[int, dict[str, list[int]]] = {each: {} for each in _WITHOUT_NEEDLES}
    automaton, spellings = _needles()
    # One byte for each character, so that the offsets are those of the text; `lower`
    # folds ASCII only.
    folded = text.encode(_BYTES, "replace").lower()
    for index, start, _ in automaton.find_matches_as_indexes(folded, overlapping=True):
        for needle, number, fold in spellings[index]:
            if fold or text.startswith(needle, start):
                found.setdefault(number, {}).setdefault(needle, []).append(start)
    return dict(sorted(found.items()))


@cache
def _needles() -> tuple[BytesAhoCorasick, Sequence[Sequence[tuple[str, int, bool]]]]:
    """Return an automaton that finds the needles of all rules in one pass over a folded
    text, and for each needle its spellings, each with the position of its rule and
    whether the rule ignores case.
    """
    from ahocorasick_rs import BytesAhoCorasick, Implementation

    found: dict[bytes, list[tuple[str, int, bool]]] = {}
    for number, rule in enumerate(RULES):
        for needle in rule.needles:
            spelling = (needle, number, rule.fold)
            found.setdefault(needle.encode(_BYTES).lower(), []).append(spelling)
    automaton = BytesAhoCorasick(found, implementation=Implementation.DFA)
    return automaton, list(found.values())


def _apply(rule: Rule, text: str, places: _OfRule) -> Iterator[Secret]:
    if rule.part and not re.search(rule.part, text, re.ASCII):
        return
    matches = (
        _compiled(rule).finditer(text)
        if rule.back < 0
        else _matches_at_needles(rule, text, places)
    )
    for match in matches:
        if not rule.check(match):
            continue
        start, end = match.span(value_group(match))
        if start < end:
            yield Secret(start, end, rule.kind)


def _matches_at_needles(
    rule: Rule, text: str, places: _OfRule
) -> Iterator[re.Match[str]]:
    pattern = _compiled(rule)
    for needle, starts in places.items():
        after = rule.back
        for at in starts:
            if at < after:
                continue
            match = pattern.match(text, at - rule.back)
            # Continue after the match: rescanning it would take quadratic time for
            # runs of needles.
            after = at + len(needle)
            if match:
                yield match
                after = max(after, match.end())


@cache
def _compiled(rule: Rule) -> re.Pattern[str]:
    flags = re.ASCII
    if rule.fold:
        flags |= re.IGNORECASE
    return re.compile(rule.pattern, flags)


def _outermost(found: list[Secret]) -> list[Secret]:
    merged: list[Secret] = []
    # The sort is stable: of equal spans, the match of the first rule comes first.
    for secret in sorted(found, key=lambda each: (each.start, -each.end)):
        last = merged[-1] if merged else None
        if last is None or secret.start >= last.end:
            merged.append(secret)
        elif secret.end > last.end:
            # No part of either may stay visible: both are merged, with the kind of the
            # longer one.
            longer = max(last, secret, key=lambda each: each.end - each.start)
            merged[-1] = Secret(last.start, secret.end, longer.kind)
    return merged
