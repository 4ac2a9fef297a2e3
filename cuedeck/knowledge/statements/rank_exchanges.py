"""Ranking of earlier exchanges for a prompt, by one fitted score.

The score of an exchange is the estimated probability that it contains a statement which
the prompt needs: a logistic function of four features, fitted on development cases of
`benchmarks/continuity`.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from cuedeck.text.bm25 import UNIT, part
from cuedeck.text.stop_words import TALK_WORDS
from cuedeck.text.words import read_stems, stop_stems

_SLOPE = 0.75
"""Strength of length normalisation (b of BM25)."""
_BIAS, _BEST, _WHOLE, _COVERED, _AGE = -4.84, 0.25, 0.91, 2.53, -0.65
"""Weights of log(1 + BM25 of the best statement of the user), log(1 + BM25 of the
exchange), the share of the prompt's words by weight that the user said, and log(1 +
sessions since).
"""
_MOST_OF_USER, _MOST_OF_AGENT = 4, 2
_LONGEST_PROMPT = 2_000
_REQUESTS = """
    want need see use used using make makes making sure get got new now one also
"""
"""Words of requests, which say nothing about their subject."""
_IGNORED = stop_stems().union(read_stems(_REQUESTS), *map(read_stems, TALK_WORDS))

_VARIABLE = r"#(?:terminalSelection|terminalLastCommand|selection|codebase|editor)\b"
"""Variables in prompts of VS Code: the host replaces them by text that is not seen."""

_NAME = re.compile(r"(?<![\w.])\d{3,}\b|\b[^\W_]\w*?(?:_[^\W_]|[a-z][A-Z])\w*")
"""Numbers of three and more digits, `snake_case` and `camelCase`."""


def words_of(prompt: str) -> frozenset[str]:
    """Return the stems of a prompt that say something about its subject."""
    stems = read_stems(re.sub(_VARIABLE, " ", prompt[:_LONGEST_PROMPT]))
    return frozenset(stem for stem in stems if stem not in _IGNORED and len(stem) > 1)


def names_of(prompt: str) -> frozenset[str]:
    """Return the stems of the identifiers and numbers, such as those of tasks, that a
    prompt names.
    """
    names = _NAME.findall(prompt[:_LONGEST_PROMPT])
    # A name of marks alone has no stem.
    return frozenset(stem for name in names for stem in read_stems(name)[-1:])


class Candidate(NamedTuple):
    """A statement with words of the prompt."""

    number: int
    exchange: tuple[str, int]
    """Session and turn."""
    is_user: bool
    stems: Sequence[str]
    length: int
    """Characters of its stems."""


class Exchanges(NamedTuple):
    """Sizes of all earlier exchanges."""

    length: dict[tuple[str, int], int]
    """Characters of the stems by exchange."""
    age: dict[str, int]
    """Number of later sessions by session."""
    mean_statement: float
    """Mean characters of the stems of a statement."""


class Ranked(NamedTuple):
    """An exchange with its best statements, those of the user first."""

    score: float
    shared: frozenset[str]
    """The words of the prompt that it contains."""
    numbers: tuple[int, ...]


def rank_exchanges(
    candidates: Sequence[Candidate], known: Exchanges, words: Collection[str]
) -> list[Ranked]:
    """Return the exchanges with words of a prompt, best first."""
    counts = [_count(each, words) for each in candidates]
    weights = _weights(candidates, counts, words, len(known.length))
    whole = sum(weights.values())
    if not whole:
        return []
    groups: dict[tuple[str, int], list[int]] = defaultdict(list)
    for at, each in enumerate(candidates):
        groups[each.exchange].append(at)
    mean = sum(known.length.values()) / len(known.length)
    ranked = []
    for exchange, group in groups.items():
        size = known.length[exchange] / mean
        scores = {}
        total: dict[str, int] = {}
        said: set[str] = set()
        for at in group:
            each = candidates[at]
            relative = each.length / known.mean_statement
            scores[at] = _bm25(counts[at], weights, relative)
            for word, often in counts[at].items():
                total[word] = total.get(word, 0) + often
            if each.is_user:
                said.update(counts[at])
        best = max((scores[at] for at in group if candidates[at].is_user), default=0.0)
        covered = sum(weights[word] for word in said) / whole
        value = (
            _BIAS
            + _BEST * math.log1p(best)
            + _WHOLE * math.log1p(_bm25(total, weights, size))
            + _COVERED * covered
            + _AGE * math.log1p(known.age[exchange[0]])
        )
        score = round(1 / (1 + math.exp(-value)), 4)
        ranked.append(Ranked(score, frozenset(total), _best(candidates, group, scores)))
    ranked.sort(key=lambda each: (-each.score, each.numbers))
    return ranked


def _count(candidate: Candidate, words: Collection[str]) -> dict[str, int]:
    # A `Counter` takes three times as long.
    found: dict[str, int] = {}
    for stem in candidate.stems:
        if stem in words:
            found[stem] = found.get(stem, 0) + 1
    return found


def _weights(
    candidates: Sequence[Candidate],
    counts: Sequence[Mapping[str, int]],
    words: Collection[str],
    exchanges: int,
) -> dict[str, float]:
    """Return the weight of each word by the number of exchanges with it (BM25)."""
    having: dict[str, set[tuple[str, int]]] = {word: set() for word in sorted(words)}
    for each, count in zip(candidates, counts, strict=True):
        for word in count:
            having[word].add(each.exchange)
    return {
        word: math.log1p((exchanges - len(found) + 0.5) / (len(found) + 0.5))
        for word, found in having.items()
    }


def _bm25(
    count: Mapping[str, int], weights: dict[str, float], relative_length: float
) -> float:
    points = 0
    for word, often in count.items():
        points += part(often, relative_length, weights[word], mean=1.0, slope=_SLOPE)
    return points / UNIT


def _best(
    candidates: Sequence[Candidate], group: Sequence[int], scores: dict[int, float]
) -> tuple[int, ...]:
    """Return the best statements of the user and of the agent in one exchange."""
    found: list[int] = []
    for is_user, most in ((True, _MOST_OF_USER), (False, _MOST_OF_AGENT)):
        own = [at for at in group if candidates[at].is_user == is_user]
        own.sort(key=lambda at: (-scores[at], candidates[at].number))
        found += [candidates[at].number for at in own[:most]]
    return tuple(found)
