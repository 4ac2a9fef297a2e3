"""Topics of facts: each fact is labelled with one word that it shares with others."""

from __future__ import annotations

import heapq
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from cuedeck.parse.terms import read_terms, word_terms
from cuedeck.records.compaction.fact import OTHER, Fact

LEAST = 3
"""Minimum number of facts that share a word for it to become a topic."""
_COMMON_SHARE = 4
_COMMON = 10
"""A word in more than 1/4 of the facts and in more than 10 is not a topic."""
_MOST = 100
_LOOKED_AT = 50
_WORD = re.compile(r"[^\W\d_]{3,}")


def name_topics(facts: Sequence[Fact]) -> list[Fact]:
    """Return the facts with topics: existing topics are kept, other facts join them or form new ones."""
    known = Counter(fact.topic for fact in facts if fact.topic not in ("", OTHER))
    open_ = [at for at, fact in enumerate(facts) if fact.topic in ("", OTHER)]
    terms = {at: _terms(facts[at].text) for at in open_}
    found = _join(terms, known)
    postings: dict[str, list[int]] = {}
    for at, words in terms.items():
        if at not in found:
            for word in words:
                postings.setdefault(word, []).append(at)
    for word, members in _choose(postings, max(_COMMON, len(facts) // _COMMON_SHARE)):
        label = _label(word, [facts[at].text for at in members])
        found.update(dict.fromkeys(members, label))
    return [
        replace(fact, topic=found.get(at, OTHER)) if fact.topic in ("", OTHER) else fact
        for at, fact in enumerate(facts)
    ]


def _terms(text: str) -> tuple[str, ...]:
    """Return the words of a fact that may become a topic, once each."""
    return tuple(dict.fromkeys(term for term in read_terms(text) if len(term) > 2 and term.isalpha()))


def _join(terms: dict[int, tuple[str, ...]], known: Counter[str]) -> dict[int, str]:
    """Return, for facts that contain the word of a known topic, that topic; the largest topic wins."""
    labels: dict[str, str] = {}
    for label, _ in sorted(known.items(), key=lambda each: (-each[1], each[0])):
        for term in word_terms(label)[:1]:
            labels.setdefault(term, label)
    order = {label: place for place, label in enumerate(labels.values())}
    found: dict[int, str] = {}
    for at, words in terms.items():
        fitting = [labels[word] for word in words if word in labels]
        if fitting:
            found[at] = min(fitting, key=order.__getitem__)
    return found


def _choose(postings: dict[str, list[int]], most: int) -> list[tuple[str, list[int]]]:
    """Return words with the facts they cover, greedily choosing the word that covers most uncovered facts."""
    heap = [(-len(at), word) for word, at in postings.items() if LEAST <= len(at) <= most]
    heapq.heapify(heap)
    taken: set[int] = set()
    chosen: list[tuple[str, list[int]]] = []
    while heap and len(chosen) < _MOST:
        size, word = heapq.heappop(heap)
        left = [at for at in postings[word] if at not in taken]
        if len(left) == -size:
            chosen.append((word, left))
            taken.update(left)
        elif len(left) >= LEAST:
            heapq.heappush(heap, (-len(left), word))
    return chosen


def _label(term: str, texts: Sequence[str]) -> str:
    """Return the word form of a term that is most frequent in the texts."""
    words = Counter(word.lower() for text in texts[:_LOOKED_AT] for word in _WORD.findall(text))
    fitting = [(-count, word) for word, count in words.items() if term in word_terms(word)[:1]]
    return min(fitting)[1] if fitting else term
