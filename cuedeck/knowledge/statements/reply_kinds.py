"""Kind of a passage of the agent by its words and phrases. The tables are ordered: a
passage has the first kind of which it contains a phrase.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from cuedeck.knowledge.statements import cue_tables as tables
from cuedeck.knowledge.statements.cue_words import (
    find_phrase,
    has_phrase,
    phrase_pattern,
)
from cuedeck.parse.pasted_blocks import without_quotations
from cuedeck.text.fold_text import fold_text
from cuedeck.text.sentences import split_sentences

_AGENT_KINDS: Mapping[str, str] = {
    "failed": tables.FAILED,
    "finding": tables.FINDINGS,
    "decision": tables.DECISIONS,
    "open": tables.OPEN,
}
_HEADS = (
    ("open", tables.OPEN),
    ("message", tables.PLANNED),
    ("done", tables.CHANGES),
    ("message", tables.DONE),
    ("finding", tables.WEAKNESSES),
)
"""Phrases of heads that give their kind to the passages below them, in order."""


def kind_of_reply(passage: str) -> str:
    """Return the kind of a passage of the agent; `message` without a cue word."""
    text = fold_text(passage.replace("**", ""))
    if _is_finding(text):
        return "finding"
    if find_phrase(tables.KEPT, text) is not None:
        return "decision" if has_phrase(tables.REASONS, text) else "done"
    text = fold_text(without_quotations(_CODE.sub("`x`", passage.replace("**", ""))))
    is_done = _is_done(text)
    for kind, phrases in _AGENT_KINDS.items():
        is_description = kind == "finding" and not has_phrase(tables.PROBLEMS, text)
        if not is_description and _happened(phrases, text):
            return kind
    if _TODO.search(passage):
        return "open"
    return "done" if is_done else "message"


def _is_finding(text: str) -> bool:
    """Return whether a folded passage names or announces a cause, a trouble or a lapse
    of the agent.
    """
    if any(_happened(each, text) for each in (tables.CAUSES, tables.ANNOUNCED)):
        return True
    return find_phrase(tables.TROUBLES, text) is not None or is_lapse(text)


def is_claim(passage: str) -> bool:
    """Return whether a passage says in passing that something works or is finished."""
    text = fold_text(without_quotations(_CODE.sub("`x`", passage)))
    return _happened(tables.CLAIMS, text)


def is_guide(passage: str) -> bool:
    """Return whether a passage tells the user what to do."""
    return find_phrase(tables.GUIDES, passage) is not None


def is_lapse(passage: str) -> bool:
    """Return whether an agent admits in a passage that it did something wrong."""
    return has_phrase(tables.LAPSES, fold_text(passage))


def only_announces(passage: str) -> bool:
    """Return whether a passage of the agent announces a finding without its content."""
    is_short = len(passage.split()) <= _LONGEST_ANNOUNCEMENT
    text = fold_text(passage)
    return is_short and has_phrase(tables.ANNOUNCED, text)


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


def is_advice(passage: str) -> bool:
    """Return whether a passage has the label of a solution, such as `Suggestion:`."""
    return find_phrase(tables.SOLUTIONS, passage.replace("**", "")) is not None


def split_narration(passage: str) -> list[str]:
    """Return the sentences of a passage; an announcement of the next step after a colon
    begins one.
    """
    return [
        part for each in split_sentences(passage) for part in _NARRATION.split(each)
    ]


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


def is_empty(text: str) -> bool:
    """Return whether a text is only a short head or short announcements."""
    if "`" in text:
        return False
    if text.rstrip("* ").endswith(":"):
        return len(text.split()) <= _LONGEST_BARE_HEAD
    return all(
        len(each.split()) <= _LONGEST_EMPTY and only_announces(each)
        for each in split_sentences(text)
    )


def _is_preamble(sentence: str) -> bool:
    """Return whether a folded sentence announces the next step of an agent, at once or
    after a clause: `Based on your answers, I'll start`.
    """
    if phrase_pattern(tables.PREAMBLES).match(sentence):
        return True
    clauses = phrase_pattern(tables.OCCASIONS).match(sentence) and sentence.split(", ")
    return any(phrase_pattern(tables.MOVES).match(each) for each in clauses or ())


def _is_done(text: str) -> bool:
    """Return whether a folded passage reports work that was done."""
    found = phrase_pattern(f"{tables.DONE}; {tables.FINISHED}").finditer(text)
    return any(_reports(text, each) for each in found)


def _reports(text: str, found: re.Match[str]) -> bool:
    """Return whether a phrase of `DONE` reports work: it begins a clause, has `I`,
    `has been` or the like before it, or ends a clause.
    """
    start = max(text.rfind(end, 0, found.start()) for end in (". ", "! ", "? ")) + 1
    sentence = text[start : found.start()]
    is_compound = sentence.endswith("-") or text.startswith("-", found.end())
    if is_compound or has_phrase(f"{tables.CONDITIONS}; {tables.LIMITS}", sentence):
        return False
    before = _ADVERBS.sub("", sentence)
    is_finished = has_phrase(tables.FINISHED, found[0])
    if is_finished or _CLAUSE_START.search(before):
        return True
    word = _LAST_WORD.search(before)
    if word and phrase_pattern(tables.UNDONE).fullmatch(word[1]):
        return False
    has_auxiliary = word and phrase_pattern(tables.AUXILIARIES).fullmatch(word[1])
    return bool(has_auxiliary or _CLAUSE_END.match(text, found.end()))


def _happened(phrases: str, text: str) -> bool:
    """Return whether a phrase is in a folded passage without a condition before it."""
    for found in phrase_pattern(phrases).finditer(text):
        at = found.start()
        sentence = text[text.rfind(". ", 0, at) + 1 : at]
        is_clause = has_phrase(tables.SUBORDINATES, sentence)
        if not (is_clause or _is_conditional(text, at, found.end())):
            return True
    return False


def _is_conditional(text: str, start: int, end: int) -> bool:
    """Return whether a condition is shortly before a place in a folded text, or
    directly after it.
    """
    before = text[max(0, start - _BEFORE) : start]
    after = text[end:].lstrip()
    conditions = phrase_pattern(tables.CONDITIONS)
    return conditions.search(before) is not None or conditions.match(after) is not None


_MARKS = "*_#>-•🔧✅¡¿ "
"""Marks before the first word of a passage."""
_LONGEST_HEAD = 8
"""Words of an introduction of open steps, which ends in a colon."""
_LONGEST_TITLE = 5
"""Words of a heading of open steps."""
_LONGEST_ANNOUNCEMENT = 15
"""Words of a sentence that announces a finding and does not name it."""
_LONGEST_EMPTY = 7
"""Words of an announcement alone that says nothing."""
_LONGEST_BARE_HEAD = 12
"""Words of a head without its list that says nothing."""
_BEFORE = 40
"""Characters before a phrase in which a condition may be."""
_CODE = re.compile(r"`[^`]+`")
_NARRATION = re.compile(r"(?<=:)\s+(?=(?:Now |First |Ahora )?(?:[Ll]et me |I |I'll ))")
_TODO = re.compile(r"\(TODO\)|\bTODO:|status\W{1,3}TODO\b", re.I)
_ADVERBS = re.compile(
    r"(?:\b(?:\w+ly|\w+mente|also|just|both|all|tambien|aussi|auch|также|теперь|також|тепер)"
    r"\s+)+\Z"
)
_CLAUSE_START = re.compile(
    r"(?:\A|[^\w\s)\]\"'`*/>→]|\b(?:and|but|so|then|now|y|pero|et|mais|und|aber|и|но|і|але))"
    r"[\W_]*(?:(?:i|we|i've|we've|я|мы|ми)\s+)?\Z"
)
"""Text before a participle that begins a clause, with its subject at most."""
_CLAUSE_END = re.compile(
    r"[\W_]*\Z|[*_`\"')]*\s*[^\w\s`*\"'/]|[*_`\"')]*\s+"
    r"(?:to|with|from|for|on|in|into|by|as|at|and|but|per|\w+ly|\w+mente"
    r"|en|con|de|para|por|al|avec|dans|pour|mit|fur|в|на|для|з|с)\b"
)
"""Text after a participle that ends a clause, or has an adverbial after it."""
_LAST_WORD = re.compile(r"(?<![\w'])([\w'’]+)[*_` ]*\Z")
