"""Kind of a passage of the agent by its words and phrases. The tables are ordered: a
passage has the first kind of which it contains a phrase.
"""

from __future__ import annotations

import re

from cuedeck.knowledge.statements import cue_tables as tables
from cuedeck.knowledge.statements.cue_words import (
    find_phrase,
    has_phrase,
    phrase_pattern,
)
from cuedeck.parse.pasted_blocks import without_quotations
from cuedeck.text.fold_text import fold_text

_KINDS = (
    ("finding", f"{tables.CAUSES}; {tables.ANNOUNCED}; {tables.LAPSES}"),
    ("failed", tables.FAILED),
    ("decision", tables.DECISIONS),
    ("open", tables.OPEN),
    ("done", f"{tables.DONE}; {tables.FINISHED}"),
)
_HEADS = (
    ("open", tables.OPEN),
    ("message", tables.PLANNED),
    ("done", tables.CHANGES),
    ("message", tables.DONE),
    ("finding", tables.WEAKNESSES),
)
"""Phrases of heads that give their kind to the passages below them, in order."""
_MARKS = "*_#>-•🔧✅¡¿ "
"""Marks before the first word of a passage."""
_LONGEST_HEAD = 8
"""Words of an introduction of open steps, which ends in a colon."""
_LONGEST_TITLE = 5
"""Words of a heading of open steps."""
_CODE = re.compile(r"`[^`]+`")
_UNREAL = f"{tables.SUBORDINATES}; {tables.CONDITIONS}"


def kind_of_reply(passage: str) -> str:
    """Return the kind of a passage of the agent; `message` without a cue word."""
    text = passage.replace("**", "")
    text = fold_text(without_quotations(_CODE.sub("`x`", text)))
    if find_phrase(tables.TROUBLES, text) is not None:
        return "finding"
    if find_phrase(tables.KEPT, text) is not None:
        return "decision" if has_phrase(tables.REASONS, text) else "done"
    for kind, phrases in _KINDS:
        unreal = f"{_UNREAL}; {tables.LIMITS}" if kind == "done" else _UNREAL
        if _happened(phrases, text, unreal):
            return kind
    return "message"


def kind_of_head(head: str) -> str:
    """Return the kind that a head gives to the passages below it."""
    text = without_preamble(head).rstrip("*: ")
    longest = _LONGEST_HEAD if head.rstrip("* ").endswith(":") else _LONGEST_TITLE
    if len(text.split()) > longest or text.endswith((".", "!", "?")):
        return "message"
    text = fold_text(text)
    for kind, phrases in _HEADS:
        if has_phrase(phrases, text):
            return kind
    return "message"


def without_preamble(sentence: str) -> str:
    """Return a sentence of the agent without the announcement of its next step, which
    may end in a colon; empty if it says nothing else.
    """
    while sentence:
        text = fold_text(sentence).lstrip(_MARKS)
        head, _, rest = sentence.partition(": ")
        is_announced = has_phrase(tables.ANNOUNCED, fold_text(head))
        if is_announced or not _is_preamble(text):
            break
        sentence = "" if rest[:1].islower() else rest
    return sentence


def said(sentence: str) -> str:
    """Return what a sentence of an agent says; empty if it asks or announces."""
    sentence = without_preamble(sentence)
    if sentence.endswith("?"):
        return ""
    is_introduction = sentence.rstrip("* ").endswith(":")
    if is_introduction and kind_of_reply(sentence) == "message":
        return ""
    return sentence


def _is_preamble(sentence: str) -> bool:
    """Return whether a folded sentence announces the next step of an agent, at once or
    after a clause: `Based on your answers, I'll start`.
    """
    if phrase_pattern(tables.PREAMBLES).match(sentence):
        return True
    clauses = phrase_pattern(tables.OCCASIONS).match(sentence) and sentence.split(", ")
    return any(phrase_pattern(tables.MOVES).match(each) for each in clauses or ())


def _happened(phrases: str, text: str, unreal: str) -> bool:
    """Return whether a phrase is in a folded passage without one of `unreal` before it
    in its sentence.
    """
    for found in phrase_pattern(phrases).finditer(text):
        at = found.start()
        if not has_phrase(unreal, text[text.rfind(". ", 0, at) + 1 : at]):
            return True
    return False
