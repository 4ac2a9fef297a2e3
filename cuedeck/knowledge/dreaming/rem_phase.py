"""REM phase: themes, which are terms that occur together in several facts on several
days.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

MAX_THEMES = 5
MIN_FACTS = 3
"""Facts that a theme needs."""
MIN_DAYS = 2
"""Days on which its facts were recalled or added."""
MAX_FACTS = 12
"""Facts of a theme; the diary names all of them, so that a deletion finds the theme."""
MAX_INPUT = 2_000
"""Facts that are considered: the most recalled, then the newest."""
_MAX_TERMS = 4
_SHARE = 0.6
"""Share of the facts of a theme that contain each further term."""
_MAX_TERMS_OF_FACT = 24
"""Terms of a long text that are paired."""


_Pair = tuple[str, str]
"""Two terms, in order."""


@dataclass(frozen=True, slots=True)
class ThemeFact:
    """A recalled text or recent record as input of the phase."""

    address: str
    terms: Mapping[str, str]
    """Spelling by stem."""
    days: tuple[str, ...]
    weight: int
    """Number of recalls, and one for a recent record."""


@dataclass(frozen=True, slots=True)
class Theme:
    """Terms that occur together."""

    terms: tuple[str, ...]
    """Spellings, most frequent first."""
    addresses: tuple[str, ...]
    """Facts that contain the first two terms."""
    days: int


def find_themes(facts: Sequence[ThemeFact]) -> list[Theme]:
    """Return the themes of the facts, each fact in at most one; strongest first.

    The result depends on the facts alone, not on their order.
    """
    remaining = sorted(facts, key=_newest_day, reverse=True)
    remaining.sort(key=_weight, reverse=True)
    remaining = remaining[:MAX_INPUT]
    themes: list[Theme] = []
    while len(themes) < MAX_THEMES:
        members = _strongest(remaining)
        if not members:
            break
        themes.append(_theme(members))
        for fact in members:
            remaining.remove(fact)
    return themes


def _weight(fact: ThemeFact) -> int:
    return fact.weight


def _newest_day(fact: ThemeFact) -> tuple[str, str]:
    return max(fact.days, default=""), fact.address


def _strongest(facts: Sequence[ThemeFact]) -> list[ThemeFact]:
    """Return the facts of the pair of terms with most facts and days; empty if no pair
    is a theme.
    """
    best: list[ThemeFact] = []
    best_rank = (0, 0)
    by_pair = _facts_by_pair(facts)
    for pair in sorted(by_pair):
        found = by_pair[pair]
        if len(found) < MIN_FACTS:
            continue
        days = len(_days(found))
        if days < MIN_DAYS:
            continue
        rank = (len(found), days)
        if rank > best_rank:
            best_rank = rank
            best = found
    return best[:MAX_FACTS]


def _facts_by_pair(facts: Iterable[ThemeFact]) -> Mapping[_Pair, list[ThemeFact]]:
    """Return the facts that contain both terms of each pair."""
    counts = _count_terms(facts)
    found: dict[_Pair, list[ThemeFact]] = defaultdict(list)
    for fact in facts:
        common = []
        for term in sorted(fact.terms):
            if counts[term] >= MIN_FACTS:
                common.append(term)
        for pair in combinations(common[:_MAX_TERMS_OF_FACT], 2):
            found[pair].append(fact)
    return found


def _count_terms(facts: Iterable[ThemeFact]) -> Counter[str]:
    """Return the number of facts that contain each term."""
    counts: Counter[str] = Counter()
    for fact in facts:
        counts.update(fact.terms.keys())
    return counts


def _theme(members: Sequence[ThemeFact]) -> Theme:
    counts = _count_terms(members)
    needed = max(MIN_FACTS, _SHARE * len(members))
    terms = sorted(counts, key=lambda term: (-counts[term], term))
    spellings: list[str] = []
    for term in terms[:_MAX_TERMS]:
        if counts[term] < needed:
            break
        spelling = _spelling(term, members)
        spellings.append(spelling)
    addresses = sorted(fact.address for fact in members)
    days = _days(members)
    return Theme(
        terms=tuple(spellings),
        addresses=tuple(addresses),
        days=len(days),
    )


def _spelling(term: str, members: Iterable[ThemeFact]) -> str:
    """Return the most frequent spelling of a term."""
    counts: Counter[str] = Counter()
    for fact in members:
        word = fact.terms.get(term)
        if word is not None:
            counts[word] += 1
    return min(counts, key=lambda word: (-counts[word], word))


def _days(facts: Iterable[ThemeFact]) -> set[str]:
    days: set[str] = set()
    for fact in facts:
        days.update(fact.days)
    return days
