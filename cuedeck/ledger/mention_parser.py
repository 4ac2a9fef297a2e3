"""Extraction of names from record texts, before any lookup.

Recognised forms are paths with and without anchor, `[[wiki]]`, `@doc/…`, names that can
only be identifiers, and addresses of cards, sessions and decisions.
`name_resolution` decides what each refers to.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Literal, NamedTuple

from cuedeck.graph.counterparts import read_steps
from cuedeck.model.ids import ALPHABET, LENGTH
from cuedeck.parse.refs import find_mentions, has_mentions, plain_target, wiki_target

Form = Literal["path", "wiki", "mention", "code", "card", "session", "decision"]
_LONGEST = 300
"""Maximum characters of a name; longer words are data."""
_KEPT = 200_000
"""Maximum number of words whose names are cached."""
_MARK = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
_WIKI = re.compile(r"\[\[([^\[\]\n]+)\]\]")
_MENTION = re.compile(r"@ref\[[^\[\]\n]+\]|@doc/\S+")
_CARD = re.compile(r"\b[Cc]ard[ \n][`\"'“]?(\w[\w-]*)")
_ENTRY = re.compile(r"(card|session|decision):(\w(?:[\w.-]*\w)?)")
_LONE = re.compile(rf"(?=.*[0-9])[{ALPHABET[10:]}][{ALPHABET}]{{{LENGTH - 1}}}")
"""A generated card id; it must contain a digit, so that no ordinary word matches."""
_AROUND = ".,;:!?…()[]{}<>\"'`*_“”‘’"
_PLACE = re.compile(r"[\w.@+-]+|[^#]*/[^#\s]*(?:#.+)?|[^#]*\.\w+(?:#.+)?")
"""Inline code that may be a path: one word, a path with a slash, or a name with a
suffix; only anchors contain blanks.
"""
_IN_WORD = re.compile(
    r"""(?<![\w/.@~+\\-])(?:
      (?P<entry>card|session|decision):(?P<id>\w(?:[\w.-]*\w)?)
    | (?P<path>(?:[\w.@+-]+/)+(?:[\w.@+-]*\w)?(?:\#[\w^](?:[\w.:~-]*\w)?)?)
    | (?P<joined>[^\W\d]\w*(?:(?:::|\#)\w+)+)
    | (?P<dotted>[\w@+-][\w.@+-]*\.[^\W\d]\w*)(?P<anchor>\#[\w^](?:[\w.:~-]*\w)?)?
    | (?P<plain>[^\W\d]\w*)(?P<call>\((?!e?s\)))?
    )""",
    re.VERBOSE,
)
"""Names in a word of prose.

A part after a slash belongs to a URL or to a foreign path; `file(s)` is not a call.
"""


class Mention(NamedTuple):
    """A name found in a text, not yet resolved."""

    form: Form
    text: str
    """As written; for code, its steps joined by dots; for a card, session or decision,
    its id.
    """


class Reader:
    """Extracts names and caches the result for each word."""

    def __init__(self) -> None:
        self._words = _Known(_in_word)
        self._marks = _Known(_in_mark)

    def read(self, text: str) -> tuple[Mention, ...]:
        """Return the names in a text, each once."""
        found: list[Mention] = []
        rest = text
        if "`" in text:
            found += chain.from_iterable(
                map(self._marks.__getitem__, _MARK.findall(text))
            )
            rest = _MARK.sub(" ", rest)
        if "[[" in text:
            found += _wiki_names(text)
            rest = _WIKI.sub(" ", rest)
        if has_mentions(text):
            targets = (plain_target(mention.target) for mention in find_mentions(rest))
            found += [Mention("mention", target) for target in targets if target]
            rest = _MENTION.sub(" ", rest)
        if "ard " in text or "ard\n" in text:
            found += [Mention("card", identity) for identity in _CARD.findall(text)]
        found += chain.from_iterable(map(self._words.__getitem__, rest.split()))
        if not found:
            return ()
        return tuple(dict.fromkeys(found))


class _Known(dict[str, tuple[Mention, ...]]):
    """Cache of the names in words."""

    def __init__(self, read: Callable[[str], Iterable[Mention]]) -> None:
        self._read = read

    def __missing__(self, text: str) -> tuple[Mention, ...]:
        if len(self) >= _KEPT:
            self.clear()
        self[text] = found = tuple(self._read(text)) if len(text) <= _LONGEST else ()
        return found


def _in_word(word: str) -> Iterator[Mention]:
    """Yield the names in a whitespace-separated word, by the rules for prose."""
    bare = word.strip(_AROUND)
    if _LONE.fullmatch(bare):
        yield Mention("card", bare)
    for match in _IN_WORD.finditer(word):
        if match["entry"]:
            yield _entry(match["entry"], match["id"])
        elif match["path"]:
            yield Mention("path", match["path"])
        elif match["dotted"]:
            yield Mention("path", match["dotted"] + (match["anchor"] or ""))
            yield from () if match["anchor"] else _code(match["dotted"])
        else:
            call = "(" if match["call"] else ""
            yield from _code((match["joined"] or match["plain"]) + call, in_prose=True)


def _in_mark(text: str) -> Iterator[Mention]:
    """Yield the names in inline code: the whole text, and for a command also its
    words.
    """
    text = text.strip()
    entry = _ENTRY.fullmatch(text)
    if entry:
        yield _entry(entry[1], entry[2])
        return
    if _PLACE.fullmatch(text):
        yield Mention("path", text)
    yield from _code(text)
    if " " in text and "#" not in text:
        yield from chain.from_iterable(map(_in_word, text.split()))


def _code(text: str, *, in_prose: bool = False) -> Iterator[Mention]:
    steps = read_steps(text, in_prose=in_prose)
    if steps:
        yield Mention("code", ".".join(steps))


def _wiki_names(text: str) -> Iterator[Mention]:
    for inner in _WIKI.findall(text):
        target = wiki_target(inner)
        entry = _ENTRY.fullmatch(target)
        if entry:
            yield _entry(entry[1], entry[2])
        elif target:
            yield Mention("wiki", target)


def _entry(kind: str, identity: str) -> Mention:
    forms: dict[str, Form] = {
        "card": "card",
        "session": "session",
        "decision": "decision",
    }
    return Mention(forms[kind], identity)
