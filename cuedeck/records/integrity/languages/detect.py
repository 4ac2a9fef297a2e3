"""Which language a sentence is in."""

from __future__ import annotations

from collections.abc import Iterable

from cuedeck.records.integrity.languages.base import Language
from cuedeck.records.integrity.languages.english import ENGLISH
from cuedeck.records.integrity.languages.germanic import DUTCH, GERMAN
from cuedeck.records.integrity.languages.romance import FRENCH, ITALIAN, PORTUGUESE, SPANISH
from cuedeck.records.integrity.languages.slavic import CYRILLIC, POLISH

_LATIN = (ENGLISH, GERMAN, FRENCH, SPANISH, PORTUGUESE, ITALIAN, DUTCH, POLISH)
LANGUAGES = (*_LATIN, CYRILLIC)


def _owners() -> dict[str, tuple[int, ...]]:
    """Return for each word the languages that know it, as places in `_LATIN`."""
    found: dict[str, tuple[int, ...]] = {}
    for place, each in enumerate(_LATIN):
        known = {*each.verbs, *each.negations, *each.fillers, *each.joints, *each.user, *each.us, *each.attributes}
        for word in sorted(known | each.norms):
            found[word] = (*found.get(word, ()), place)
    return found


_OWNERS = _owners()


def language_of(lowered: Iterable[str]) -> Language:
    """Return the language that knows most of the words; English when none knows more than it."""
    known = [0] * len(_LATIN)
    for word in lowered:
        if word in _OWNERS:
            for place in _OWNERS[word]:
                known[place] += 1
        elif "\u0400" <= word[0] <= "\u04ff":
            return CYRILLIC
    return _LATIN[known.index(max(known))]
