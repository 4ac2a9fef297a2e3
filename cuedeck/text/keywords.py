"""Words that name the subject of a text."""

from __future__ import annotations

import heapq
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from cuedeck.model.ports import Count
from cuedeck.text.stems import CHAT_WORDS
from cuedeck.text.words import read_stems, read_terms, stop_stems

_NAME = re.compile(r"(?<=[\w,;:'’\"(] )[^\Wa-z_][\w'’-]+|\d[\w:.,/-]*|`[^`]+`")
"""A capitalised word inside a sentence, a number, or inline code."""
_WORD = re.compile(r"[^\W\d]\w*")
KEYWORDS = "Keywords: "
"""Beginning of the line."""
_WHOLE = "="
"""Begins the term of a whole identifier, whose parts are terms, too."""
_MOST_WORDS = 2_000
"""Distinct words that are considered."""


def content_terms(text: str) -> frozenset[str]:
    """Return the distinct stems of a text without those of stop words."""
    stems = frozenset(stem for stem in read_stems(text) if len(stem) > 1)
    return stems - stop_stems() - _chat_stems()


@cache
def _chat_stems() -> frozenset[str]:
    return frozenset(read_stems(CHAT_WORDS))


def name_terms(text: str) -> frozenset[str]:
    """Return the terms of the names, numbers and code of a text."""
    return content_terms(" ".join(_NAME.findall(text)))


def keyword_line(
    text: str, count: Count, limit: int, shown: Collection[str] = ()
) -> str:
    """Return `Keywords: a, b, c` with at most `limit` tokens; empty if there are none.

    A word is listed as it is spelled, if one of its terms is new: neither in `shown`,
    the terms that the reader sees elsewhere, nor in a word before it. Order: most
    frequent first, then by spelling.
    """
    words = Counter(_WORD.findall(text))
    ordered = sorted(words, key=lambda word: (-words[word], word))
    covered = set(shown)
    line = ""
    for word in ordered[:_MOST_WORDS]:
        terms = read_terms(word)
        if covered.issuperset(term for term in terms if term[0] != _WHOLE):
            continue
        longer = f"{line}, {word}" if line else f"{KEYWORDS}{word}"
        if count.count(longer) > limit:
            break
        line = longer
        covered.update(terms)
    return line


COST_POWER = 0.4
"""Power of the cost; below 1 it favours whole statements over many short ones.
Measured by `python -m benchmarks.layers`.
"""
_DIGITS = 9
"""Scores are rounded, so that equal scores are equal on every machine."""


class Candidate(NamedTuple):
    """A sentence that may be chosen."""

    terms: frozenset[str]
    cost: int
    """Tokens of the sentence."""
    group: int = 0
    """Sentences of one group share the cost of its head."""
    factor: float = 1.0
    """Multiplies the gain of the sentence."""


def choose(
    candidates: Sequence[Candidate],
    weights: Mapping[str, int],
    limit: int,
    head_costs: Mapping[int, int] | None = None,
) -> list[int]:
    """Return the positions of the chosen candidates, ascending.

    Their costs, with the cost of the head of each of their groups once, are at most
    `limit`. A term counts once; one without weight counts 1. Ties go to the earlier
    candidate.
    """
    heads = head_costs or {}
    covered: set[str] = set()
    opened: set[int] = set()
    chosen: list[int] = []
    left = limit
    heap = [
        (-_score(each, weights, covered), at, 0)
        for at, each in enumerate(candidates)
        if each.cost <= limit
    ]
    heapq.heapify(heap)
    while heap:
        score, at, round_ = heapq.heappop(heap)
        if not score:
            break
        each = candidates[at]
        cost = each.cost
        if each.group not in opened:
            cost += heads.get(each.group, 0)
        if cost > left:
            continue
        if round_ != len(chosen):
            # The gain may have shrunk since it was computed; it never grows.
            current = -_score(each, weights, covered)
            heapq.heappush(heap, (current, at, len(chosen)))
            continue
        chosen.append(at)
        opened.add(each.group)
        covered |= each.terms
        left -= cost
    return sorted(chosen)


def _score(each: Candidate, weights: Mapping[str, int], covered: set[str]) -> float:
    fresh = each.terms - covered
    gain = each.factor * sum(weights.get(term, 1) for term in fresh)
    return float(round(gain / max(each.cost, 1) ** COST_POWER, _DIGITS))
