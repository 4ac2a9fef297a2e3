"""Check for misspelt tags: a tag that is used once and is similar to another tag."""

from __future__ import annotations

import difflib
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from cuedeck.app.doctor.check_context import CheckContext
from cuedeck.model.display import counted
from cuedeck.model.file import Diagnostic

_SHORTEST = 4
"""Minimum length of a checked tag: in shorter ones a single letter makes another word (`api`, `app`)."""
_LIKENESS = 0.85
"""Minimum `difflib` similarity ratio: the share of the letters of two names that match in the same order."""
_ROUNDING = 1e-9
_NUMBER = re.compile(r"[0-9]+")


class Spellings:
    """Index of names by their letter pairs (bigrams), to find candidates for the exact similarity test."""

    def __init__(self, names: Iterable[str]) -> None:
        self._holders: dict[tuple[str, int], list[str]] = {}
        for name in names:
            for pair in _pairs(name):
                self._holders.setdefault(pair, []).append(name)

    def near(self, name: str) -> Sequence[str]:
        """Return the sorted names that share enough bigrams with `name` to possibly reach `_LIKENESS`.

        Two similar names with `total` letters have `matched` matching letters in each, in at most
        `total - 2 * matched + 1` runs. A run of n letters contains n - 1 common bigrams, which gives the bound below.
        """
        shared = Counter(other for pair in _pairs(name) for other in self._holders.get(pair, ()))
        found = []
        for other, count in shared.items():
            total = len(name) + len(other)
            matched = math.ceil(_LIKENESS * total / 2 - _ROUNDING)
            if count >= 3 * matched - total - 1 and other != name:
                found.append(other)
        return sorted(found)


def _pairs(name: str) -> list[tuple[str, int]]:
    """Return each bigram with its number of earlier occurrences, so that repeated bigrams differ."""
    seen: Counter[str] = Counter()
    found = []
    for at in range(len(name) - 1):
        pair = name[at : at + 2]
        found.append((pair, seen[pair]))
        seen[pair] += 1
    return found


def check_tags(view: CheckContext) -> Iterator[Diagnostic]:
    """Find tags used once that look like a typo of another tag, ignoring case."""
    used: dict[str, list[tuple[str, str]]] = {}
    for file in (*view.cards, *view.docs):
        for tag in dict.fromkeys(file.tags):
            used.setdefault(tag.casefold(), []).append((file.path, tag))
    spellings = Spellings(used)
    plain = {name: _NUMBER.sub("0", name) for name in used}
    for name in sorted(used):
        if len(used[name]) > 1 or len(name) < _SHORTEST:
            continue
        # Tags that differ only in numbers (`v1`, `v2`) are not typos; of two tags used once, suspect the later one.
        others = [
            other
            for other in spellings.near(name)
            if plain[other] != plain[name] and (len(used[other]) > 1 or used[other] < used[name])
        ]
        near = difflib.get_close_matches(name, others, 1, _LIKENESS)
        if near:
            path, tag = used[name][0]
            times = len(used[near[0]])
            message = f"the tag `{tag}` is used only here"
            hint = f"did you mean `{used[near[0]][0][1]}`, used {counted(times, 'time')}?"
            yield Diagnostic(path, view.line_of(path, "tags"), "info", "lone-tag", message, hint)
