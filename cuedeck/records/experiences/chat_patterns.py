"""Chat in what is remembered: greetings, thanks, questions, and announcements of an agent. None of it is a lesson."""

from __future__ import annotations

import re

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
_SENTENCE_END = re.compile(r"(?<=[.!?…])\s+|\s*\n+\s*")
_ANSWER = re.compile(rf"(?:{_ANSWERS})(?: (?:there|all|everyone))?\s*(?:[,!.…]+\s*|$)", re.IGNORECASE)
_ANNOUNCEMENT = re.compile(rf"(?:{_ANNOUNCEMENTS})\b", re.IGNORECASE)
_ANNOUNCING = ("turn-summary",)
"""Categories in which an agent speaks: there `I will …` is what it does next. Elsewhere a person may have meant it."""


def without_chat(text: str, category: str) -> str:
    """Return the sentences of a text that state something; empty when there are none.

    A text without chat comes back as it is.
    """
    sentences = [each for each in _SENTENCE_END.split(text.strip()) if each]
    kept = [_statement(each, category) for each in sentences]
    return text.strip() if kept == sentences else " ".join(each for each in kept if each)


def _statement(sentence: str, category: str) -> str:
    """Return a sentence without the answers it begins with; empty for a question and for an announcement."""
    rest = sentence.replace("’", "'")
    while answer := _ANSWER.match(rest):
        rest = rest[answer.end() :]
    if rest.rstrip(" \"')”").endswith("?") or rest.startswith("¿"):
        return ""
    if category in _ANNOUNCING and _ANNOUNCEMENT.match(rest):
        return ""
    is_whole = len(rest) == len(sentence)
    return sentence if is_whole else rest[:1].upper() + rest[1:]
