"""Claims of the form `key: value`."""

from __future__ import annotations

import re

from cuedeck.records.integrity.claim import ANY, NAMES, Claim, Slot
from cuedeck.records.integrity.languages.base import IS, words
from cuedeck.records.integrity.past_events import CHANGES
from cuedeck.records.integrity.sentence_words import bag, is_name, read_tokens, stems

_PAIR = re.compile(r"([^:=]{1,60}?)(?::\s+|\s=\s*|=(?=\S)|\s(?:->|→|-|–|—)\s+)(\S.*)")
_DIVIDER = re.compile("[:=→–—-]")
_LONGEST_KEY = 5
_LONGEST_PAIR = 3
"""Words of a value; what is longer is prose behind a heading."""
_OPEN_KEYS = words(
    """bug idea link links see question quote ref reference source tip issue next todo done fixme task tasks result
    summary progress status state open plan step blocker example log error warning aufgabe idée tâche tarea задача
    идея ссылка
    feat feature fix docs doc ci chore test tests style build refactor perf deps revert misc wip"""
)
"""Keys that come up again and again, each time with another value."""
_SWITCHES = words("yes no on off true false enabled disabled ja nein oui non sí да нет 是 否")


def read_pair(text: str) -> list[Claim] | None:
    """Return the claim of `key: value`, none of a key that is open; None when it is no such pair."""
    found = _PAIR.fullmatch(text) if _DIVIDER.search(text) else None
    if found is None:
        return None
    key, value = found.groups()
    keys, language = read_tokens(key)
    if not keys or len(keys) > _LONGEST_KEY:
        return None
    if keys[0].low in _OPEN_KEYS and (len(keys) == 1 or "(" in key):
        return []
    if any(token.low in language.verbs for token in keys):
        return None
    values, _ = read_tokens(value)
    if len(values) > _LONGEST_PAIR or any(token.low in CHANGES for token in values[:1]):
        return []
    subject = bag([token for token in keys if token.low not in language.fillers | language.joints])
    is_switch = len(values) == 1 and values[0].low in _SWITCHES
    said = values if is_switch else [token for token in values if token.low not in language.fillers]
    demand = ANY if is_switch or any(token.low in language.attributes for token in keys) else NAMES
    slot = Slot(f"{subject}|{IS}||", stems(said), demand, all(map(is_name, said)))
    return [Claim(key.strip(), "", False, (slot,))] if subject and slot.value else []
