"""Statements in the text of a record: chat is removed, and the names in it (paths,
code, people) are listed.
"""

from __future__ import annotations

import re

from cuedeck.model.record_categories import category_of
from cuedeck.text.sentences import split_sentences

MAX_ENTITIES = 20
"""Entities that are kept of one text."""
_MIN_NAME, _MAX_NAME = 2, 120
_ENTITY = re.compile(
    r"""`(?P<quoted>[^`\n]{1,120})`
    |(?P<address>https?://[^\s`"'<>()\]]+)
    |(?<![\w/@.-])(?P<path>(?:\.{0,2}/)?(?:[\w.-]+/)*[\w-]*\.[A-Za-z]\w{0,9}(?:\#[\w.:-]*\w)?(?![\w/]))
    |(?<![\w/@.-])(?P<folder>(?:[\w.-]+/){2,}[\w.-]*\w|(?:[\w.-]+/)+[\w.-]+\#[\w.:-]*\w)
    |(?<![\w@.])(?P<person>@[A-Za-z][\w-]*(?:/[\w-]+)?)
    |(?<![\w.@])(?P<code>[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+|_*[A-Za-z0-9]+(?:_[A-Za-z0-9]+)+_*|__\w+__
      |[A-Za-z]*[a-z0-9][A-Z]\w*|[A-Z]{2,}[a-z]{2,}\w*)(?:\(\))?""",
    re.VERBOSE | re.ASCII,
)
_HINT = re.compile(r"[`/@_]|\.[A-Za-z_]|[a-z0-9][A-Z]|[A-Z]{2}[a-z]{2}")
"""Matches every text with an entity; it is much faster than the full expression."""
_VERSION = re.compile(r"v?\d[\d.]*")
_ABBREVIATIONS = ("e.g", "i.e", "a.m", "p.m", "z.b", "d.h", "u.a", "etc")
_ANSWERS = (
    "ok|okay|sure|yes|no|thanks|thank you|thanks a lot|thank you very much|great|perfect|awesome|nice|cool|done|"
    "got it|sounds good|will do|no problem|you're welcome|you're right|hi|hello|hey|good morning|good question|"
    "good idea|good catch|of course|absolutely|sorry|my apologies|"
    "hola|gracias|muchas gracias|vale|de acuerdo|perfecto|listo|claro|hecho|buenos días|por supuesto|perdón"
)
_ANNOUNCEMENTS = (
    "let me|i'll|i will|i'm going to|i am going to|feel free|i hope|hope this helps|happy to|glad to|"
    "here is|here are|here's|déjame|voy a|avísame|espero que"
)
_ANSWER = re.compile(
    rf"(?:{_ANSWERS})(?: (?:there|all|everyone))?\s*(?:[,!.…]+\s*|$)", re.IGNORECASE
)
_ANNOUNCEMENT = re.compile(rf"(?:{_ANNOUNCEMENTS})\b", re.IGNORECASE)


def remove_chat(text: str, category: str) -> str:
    """Return the sentences of a text that state something, empty if none does.

    Greetings, thanks, questions and announcements of an agent are chat. A text without
    chat is returned unchanged.
    """
    sentences = split_sentences(text)
    statements = [_statement(sentence, category) for sentence in sentences]
    if statements == sentences:
        return text.strip()
    return " ".join(statement for statement in statements if statement)


def _statement(sentence: str, category: str) -> str:
    """Return a sentence without answers at its start; empty for a question or an
    announcement.
    """
    plain = sentence.replace("’", "'")
    start = 0
    while answer := _ANSWER.match(plain, start):
        start = answer.end()
    rest = plain[start:]
    if rest.rstrip(" \"')”").endswith("?") or rest.startswith("¿"):
        return ""
    # In a report of a turn, `I will …` announces the next step of the agent. Elsewhere
    # a person may have meant it.
    if category_of(category).is_turn_report and _ANNOUNCEMENT.match(rest):
        return ""
    is_unchanged = len(rest) == len(sentence)
    if is_unchanged:
        return sentence
    return rest[:1].upper() + rest[1:]


def find_entities(text: str) -> tuple[str, ...]:
    """Return the names in a text: `src/auth.py#Login.verify`, `verify_token`,
    `verifyToken`, text in backticks, @names.

    Order: of the text, each once.
    """
    if not _HINT.search(text):
        return ()
    found: dict[str, None] = {}
    for match in _ENTITY.finditer(text):
        name = match[match.lastgroup or 0].strip().rstrip(".,;:").removesuffix("()")
        if _is_entity(name):
            found.setdefault(name)
    return tuple(found)[:MAX_ENTITIES]


def _is_entity(name: str) -> bool:
    if not _MIN_NAME <= len(name) <= _MAX_NAME:
        return False
    if _VERSION.fullmatch(name):
        return False
    return name.lower() not in _ABBREVIATIONS
