"""Where case makes another word: `PATH` and `path`, `MAX_SIZE` and `max_size`."""

from __future__ import annotations

import re

from cuedeck.records.experiences.languages.base import Language
from cuedeck.records.experiences.languages.detection import LATIN
from cuedeck.records.experiences.normalization import fold

_WORD = re.compile(r"[A-Za-z0-9_]+|[^\WA-Za-z0-9_]+")
"""Names in code are ASCII, also where letters of another script follow."""
_SHORTEST = 4
"""Letters from which on a word in capitals may be a name in code; shorter ones are abbreviations: `API`, `PDF`."""
_SAME_WORDS = """
    json html http https yaml toml xhtml ajax ascii utf8 cors crud grpc imap smtp ldap saml rest soap wasm webp jpeg
    uuid guid oauth ansi ieee nato nasa ecdsa sha256 sha512 readme todo fixme asap important must should warning
    attention please really very
"""
_SAME = frozenset(_SAME_WORDS.split())
"""Words that are written in capitals or not, and mean the same."""


def is_recased(one: str, other: str) -> bool:
    """Tell whether even texts differ in the case of names in capitals, and of nothing else.

    Where other words have another case as well, as of a text that is all in capitals, case says nothing.
    """
    here, there = _cases(one), _cases(other)
    changed = [word for word, forms in here.items() if word in there and there[word] != forms]
    named = [word for word in changed if _is_code(word, here[word] | there[word])]
    is_shouted = len(changed) > 1 and (one.isupper() or other.isupper())
    return bool(named) and len(named) == len(changed) and not is_shouted


def _cases(text: str) -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for raw in _WORD.findall(text):
        word = fold(raw)
        found[word] = found.get(word, frozenset()) | {raw}
    return found


def _is_code(word: str, forms: frozenset[str]) -> bool:
    """Tell whether one of the forms of a word is a name in capitals."""
    if not word.isascii() or len({form.isupper() for form in forms}) == 1:
        return False
    if "_" in word.strip("_"):
        return True
    return len(word) >= _SHORTEST and word not in _SAME and not any(_knows(each, word) for each in LATIN)


def _knows(each: Language, word: str) -> bool:
    """Tell whether a language has a word in its lists, so that capitals only stress it."""
    return each.knows(word) or word in each.numbers or word in each.opening or each.stem(word) in each.telling
