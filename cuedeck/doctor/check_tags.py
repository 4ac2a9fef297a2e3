"""Check for misspelt tags: a tag that is used once and is similar to another tag."""

from __future__ import annotations

import difflib
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from cuedeck.doctor.check_context import CheckContext
from cuedeck.model.diagnostic import Diagnostic
from cuedeck.model.file import File
from cuedeck.model.formatting import counted

_SHORTEST = 4
"""Minimum length of a checked tag: in shorter ones a single letter makes another word
(`api`, `app`).
"""
_SIMILARITY = 0.85
"""Minimum `difflib` similarity ratio: the share of the letters of two names that match
in the same order.
"""
_ROUNDING = 1e-9
_NUMBER = re.compile(r"[0-9]+")


class BigramIndex:
    """Index of names by their letter pairs (bigrams), to find candidates for the exact
    similarity test.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self._names: dict[tuple[str, int], list[str]] = {}
        for name in names:
            for bigram in _bigrams(name):
                self._names.setdefault(bigram, []).append(name)

    def candidates(self, name: str) -> Sequence[str]:
        """Return the sorted names that share enough bigrams with `name` to possibly
        reach `_SIMILARITY`.

        Two similar names with `total` letters have `matched` matching letters in each,
        in at most `total - 2 * matched + 1` runs. A run of n letters contains n - 1
        common bigrams, which gives the bound below.
        """
        shared: Counter[str] = Counter()
        for bigram in _bigrams(name):
            shared.update(self._names.get(bigram, ()))
        found = []
        for other, count in shared.items():
            total = len(name) + len(other)
            matched = math.ceil(_SIMILARITY * total / 2 - _ROUNDING)
            least = 3 * matched - total - 1
            if count >= least and other != name:
                found.append(other)
        return sorted(found)


def _bigrams(name: str) -> list[tuple[str, int]]:
    """Return each bigram with its number of earlier occurrences, so that repeated
    bigrams differ.
    """
    seen: Counter[str] = Counter()
    found = []
    for start in range(len(name) - 1):
        bigram = name[start : start + 2]
        found.append((bigram, seen[bigram]))
        seen[bigram] += 1
    return found


class _TagUse(NamedTuple):
    """One file that uses a tag."""

    path: str
    tag: str
    """The tag as the file spells it."""


def check_tags(context: CheckContext) -> Iterator[Diagnostic]:
    """Find tags used once that look like a typo of another tag, ignoring case."""
    uses = _read_uses((*context.cards, *context.docs))
    index = BigramIndex(uses)
    for name in sorted(uses):
        if len(uses[name]) > 1 or len(name) < _SHORTEST:
            continue
        others = [
            other
            for other in index.candidates(name)
            if _may_be_meant(name, other, uses)
        ]
        matches = difflib.get_close_matches(name, others, 1, _SIMILARITY)
        if not matches:
            continue
        path, tag = uses[name][0]
        meant = uses[matches[0]]
        hint = f"did you mean `{meant[0].tag}`, used {counted(len(meant), 'time')}?"
        line = context.line_of(path, "tags")
        yield Diagnostic(
            path, line, "info", "lone-tag", f"the tag `{tag}` is used only here", hint
        )


def _read_uses(files: Iterable[File]) -> dict[str, list[_TagUse]]:
    """Return the uses of each tag, by the tag in lower case."""
    uses: dict[str, list[_TagUse]] = {}
    for file in files:
        for tag in dict.fromkeys(file.tags):
            uses.setdefault(tag.casefold(), []).append(_TagUse(file.path, tag))
    return uses


def _may_be_meant(name: str, other: str, uses: Mapping[str, list[_TagUse]]) -> bool:
    """Return whether a tag used once may be a typo of another tag.

    Tags that differ only in numbers (`v1`, `v2`) are not typos; of two tags used once,
    the later one is suspect.
    """
    if _NUMBER.sub("0", name) == _NUMBER.sub("0", other):
        return False
    if len(uses[other]) > 1:
        return True
    return uses[other] < uses[name]
