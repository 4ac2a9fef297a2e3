"""The sentence of a text that answers a query best."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from cuedeck.model.search_hit import cut
from cuedeck.text.sentences import split_sentences
from cuedeck.text.words import RAW_WORD, read_stems, stem_key

_DASH = " — "
_LONGEST_COPY = 200
"""Stems of a sentence in which a secret text is found."""
_LEAST_GAIN = 1e-9
"""Difference of two sums from which they count as different."""


def best_sentence(
    text: str,
    weights: Mapping[str, float],
    most: int,
    secret_keys: Collection[bytes] = (),
) -> str:
    """Return the first sentence with the largest weight of different stems, on one
    line, at most `most` characters around its matches; empty if it contains a secret
    text. A dash between the parts of a ledger entry ends a sentence.

    `secret_keys` are the keys of the stems of secret texts.
    """
    best, found = -1.0, ""
    paragraphs = [" ".join(each.split()) for each in text.split("\n\n")]
    for sentence in split_sentences("\n".join(paragraphs).replace(_DASH, "\n")):
        stems = frozenset(read_stems(sentence))
        weight = sum(weights.get(stem, 0.0) for stem in stems)
        if weight > best:
            best, found = weight, sentence
    if secret_keys and _has_copy(found, secret_keys):
        return ""
    if len(found) <= most:
        return found
    room = most - len("……")
    return cut(found, best_position(found, weights, room), room)


def _has_copy(sentence: str, secret_keys: Collection[bytes]) -> bool:
    stems = read_stems(sentence)[:_LONGEST_COPY]
    for start in range(len(stems)):
        for end in range(start + 1, len(stems) + 1):
            if stem_key(stems[start:end]) in secret_keys:
                return True
    return False


def best_position(text: str, weights: Mapping[str, float], longest: int) -> int:
    """Return the position in a text around which most of its matches are."""
    if len(text) <= longest or not weights:
        return 0
    places: list[tuple[int, float]] = []
    for match in re.finditer(RAW_WORD, text):
        known = weights.keys() & set(read_stems(match[0]))
        if known:
            weight = max(weights[stem] for stem in known)
            places.append((match.start(), weight))
    width = longest * 3 // 4
    best = 0.0
    position = 0
    total = 0.0
    end = 0
    for start, weight in places:
        while end < len(places) and places[end][0] < start + width:
            total += places[end][1]
            end += 1
        if total > best + _LEAST_GAIN:
            best = total
            position = start
        total -= weight
    return position
