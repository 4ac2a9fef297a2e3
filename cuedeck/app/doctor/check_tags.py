"""Check of tags: one that stands once and looks like another is most likely a slip of the finger."""

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
"""Characters below which one letter makes another word: `api`, `app`."""
_LIKENESS = 0.85
"""Of the letters of two names, the share that they have in common in the same order."""
_ROUNDING = 1e-9
_NUMBER = re.compile(r"[0-9]+")


class Spellings:
    """Some names, by the pairs of letters that stand side by side in them."""

    def __init__(self, names: Iterable[str]) -> None:
        self._holders: dict[tuple[str, int], list[str]] = {}
        for name in names:
            for pair in _pairs(name):
                self._holders.setdefault(pair, []).append(name)

    def near(self, name: str) -> Sequence[str]:
        """Return, sorted, the names that share so many pairs with one that they may be as like it as counts.

        Two names of `total` letters that are like have `matched` of them in common, in at most as many runs as there
        are other letters and one; all of a run but its first letter ends a pair that both have.
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
    """Return each pair of letters with a number that tells it from an equal one before it."""
    seen: Counter[str] = Counter()
    found = []
    for at in range(len(name) - 1):
        pair = name[at : at + 2]
        found.append((pair, seen[pair]))
        seen[pair] += 1
    return found


def check_tags(view: CheckContext) -> Iterator[Diagnostic]:
    """Find tags used once that look like a typo of another tag; capitals do not count."""
    used: dict[str, list[tuple[str, str]]] = {}
    for file in (*view.cards, *view.docs):
        for tag in dict.fromkeys(file.tags):
            used.setdefault(tag.casefold(), []).append((file.path, tag))
    spellings = Spellings(used)
    plain = {name: _NUMBER.sub("0", name) for name in used}
    for name in sorted(used):
        if len(used[name]) > 1 or len(name) < _SHORTEST:
            continue
        # `v1` and `v2` are two versions, not one misspelt; of two tags that both stand once the later one is suspected.
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
