"""A language as far as texts are compared: a few lists of its words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from cuedeck.records.experiences.normalization import fold_all


@dataclass(frozen=True, slots=True, eq=False)
class Language:
    """Lists of words, without accents."""

    name: str
    empty: frozenset[str]
    """Articles, auxiliaries, conjunctions, fillers and politeness: with and without them a text says the same."""
    phrases: dict[str, tuple[tuple[str, ...], ...]]
    """The same of several words, by the first of them, longest first."""
    opening: frozenset[str]
    """Words that say nothing only where a text begins with them: `note that`, `remember`."""
    negations: frozenset[str]
    sides: frozenset[str]
    """Words between things that cannot change places: `tabs over spaces`."""
    telling: frozenset[str]
    """Stems of words that change a text where they are added: weekdays, colours, `only`, `always`."""
    numbers: dict[str, str]
    stem: Callable[[str], str]
    capitals: bool
    """Whether a capital within a sentence makes a name."""

    def knows(self, word: str) -> bool:
        """Tell whether a word gives the language away."""
        return word in self.empty or word in self.negations or word in self.sides


def language(
    name: str,
    *,
    empty: str,
    phrases: str,
    opening: str,
    negations: str,
    sides: str,
    telling: str,
    numbers: str,
    stem: Callable[[str], str],
    capitals: bool = True,
) -> Language:
    """Make a language of its lists, written with blanks between words and a line for each phrase.

    `numbers` are those from 0 on; a dash stands for one that is a word of another kind, too.
    """
    begun: dict[str, list[tuple[str, ...]]] = {}
    for phrase in sorted(_lines(phrases), key=len, reverse=True):
        begun.setdefault(phrase[0], []).append(phrase)
    return Language(
        name=name,
        empty=frozenset(_words(empty)),
        phrases={first: tuple(found) for first, found in begun.items()},
        opening=frozenset(_words(opening)),
        negations=frozenset(_words(negations)),
        sides=frozenset(_words(sides)),
        telling=frozenset(map(stem, _words(telling))),
        numbers={word: str(number) for number, word in enumerate(_words(numbers)) if word != "-"},
        stem=stem,
        capitals=capitals,
    )


def _words(text: str) -> list[str]:
    return fold_all(text).split()


def _lines(text: str) -> list[tuple[str, ...]]:
    # As tokens are read: `don't` is `do not`, `s'il` is `s il`.
    return [tuple(_words(line.replace("n't", " not").replace("'", " "))) for line in text.strip().splitlines()]


def stem_by(endings: str, least_left: int = 3) -> Callable[[str], str]:
    """Return what takes endings off a word, the longest first, while `least_left` letters stay."""
    known = frozenset(_words(endings))
    longest = max(map(len, known))

    def stem(word: str) -> str:
        for _ in range(3):
            most = min(longest, len(word) - least_left)
            size = next((size for size in range(most, 0, -1) if word[-size:] in known), 0)
            if not size:
                return word
            word = word[:-size]
        return word

    return stem
