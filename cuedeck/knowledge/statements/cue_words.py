"""Kind of a sentence of the user by its words and phrases."""

from __future__ import annotations

import re
from functools import cache

from cuedeck.knowledge.statements import cue_tables as tables
from cuedeck.parse.pasted_blocks import without_quotations
from cuedeck.text.fold_text import fold_text
from cuedeck.text.sentences import split_clauses
from cuedeck.text.words import read_stems


def is_rule(sentence: str, *, is_alone: bool) -> bool:
    """Return whether a sentence of the user is a standing instruction; `is_alone` says
    whether its message has little else than orders.
    """
    if len(sentence) > _LONGEST_RULE or sentence.rstrip().endswith("?"):
        return False
    text = fold_text(without_quotations(sentence))
    if phrase_pattern(tables.QUESTIONS).match(text):
        return False
    if has_phrase(f"{tables.PASSING}; {tables.COURTESIES}", text):
        return False
    if has_phrase(f"{tables.RULES}; {tables.WITHDRAWALS}", text):
        return True
    if any(_begins(tables.ADVERBS, each) for each in _clauses(text)):
        return True
    if not _begins(tables.ORDERS, text):
        return False
    return is_alone or has_phrase(tables.ENDLESS, text)


def is_standing(rule: str) -> bool:
    """Return whether a rule says that it lasts; a mere order may limit one task."""
    text = fold_text(rule)
    frames = (tables.RULES, tables.ADVERBS, tables.ENDLESS)
    return any(has_phrase(each, text) for each in frames)


def names_replaced(rule: str) -> bool:
    """Return whether a rule names the rule that it replaces: it withdraws one, or has
    `instead of` before another value.
    """
    text = fold_text(rule)
    return any(
        has_phrase(table, text) for table in (tables.WITHDRAWALS, tables.CONTRASTS)
    )


def is_negative(rule: str) -> bool:
    """Return whether a rule forbids something."""
    return has_phrase(tables.NEGATIONS, fold_text(rule))


@cache
def frame_stems() -> frozenset[str]:
    """Return the stems of words that make a sentence a rule, such as `always`."""
    return frozenset(
        read_stems(f"{tables.ADVERBS} {tables.NEGATIONS} {tables.WITHDRAWALS}")
    )


def needs_context(rule: str) -> bool:
    """Return whether a rule is clear only with the sentence before it."""
    if len(rule.split()) > _LONGEST_REFERENCE:
        return False
    return has_phrase(tables.REFERENCES, fold_text(rule))


def is_correction(message: str) -> bool:
    """Return whether a message of the user begins by correcting the last turn."""
    text = fold_text(without_quotations(message.lstrip()[:_BEGINNING]))
    start = _INTERJECTIONS.sub("", text)
    if phrase_pattern(tables.CORRECTIONS).match(start):
        return True
    return has_phrase(f"{tables.OBJECTIONS}; {tables.REPORTS}", text)


def is_report(correction: str) -> bool:
    """Return whether a correction reports a fault that the next turn had to repair."""
    return has_phrase(tables.REPORTS, fold_text(correction))


def is_undoing(correction: str) -> bool:
    """Return whether a correction takes back all that the last turn changed."""
    return has_phrase(tables.UNDOING, fold_text(correction))


def is_choice(sentence: str) -> bool:
    """Return whether a sentence of the user chooses something."""
    text = fold_text(without_quotations(sentence))
    return any(_begins(tables.CHOICES, each) for each in _clauses(text))


_LONGEST_RULE = 240
"""Characters of a rule; longer sentences are mostly output or descriptions."""
_LONGEST_REFERENCE = 8
"""Words of a rule that may need the sentence before it."""
_BEGINNING = 200
"""Characters of a message in which the user objects to the last turn."""
_INTERJECTIONS = re.compile(
    r"\A(?:(?:hey|wait|well|h?m+|oh|ok|okay|but|pero)[,.!]*\s+)+"
)


def _clauses(text: str) -> list[str]:
    return [text, *map(str.strip, split_clauses(text))]


def find_phrase(
    phrases: str, sentence: str, *, anywhere: bool = False
) -> tuple[int, int] | None:
    """Return the place of a phrase at the beginning of a sentence, at most after words
    of `LEADS`, or anywhere in it; None without one.
    """
    text = fold_text(sentence)
    if anywhere:
        found = phrase_pattern(phrases).search(text)
        return found.span() if found is not None else None
    at = len(text) - len(text.lstrip("\"'“«*_-(❌🚨⚠️ "))
    while True:
        found = phrase_pattern(phrases).match(text, at)
        if found is not None:
            return found.span()
        lead = phrase_pattern(tables.LEADS).match(text, at)
        if lead is None:
            return None
        rest = text[lead.end() :]
        at = len(text) - len(rest.lstrip(",. "))


def _begins(phrases: str, clause: str) -> bool:
    return find_phrase(phrases, clause) is not None


def is_passing(sentence: str) -> bool:
    """Return whether a sentence is about what holds once, or is a guess."""
    return has_phrase(tables.PASSING, fold_text(sentence))


def has_phrase(phrases: str, text: str) -> bool:
    """Return whether a folded text contains a phrase of a table."""
    return phrase_pattern(phrases).search(text) is not None


@cache
def phrase_pattern(phrases: str) -> re.Pattern[str]:
    """Return a pattern of the phrases of a table, in folded text."""
    parts = []
    for phrase in phrases.split(";"):
        words = fold_text(phrase).split()
        if words:
            parts.append(r"\s+".join(map(_word, words)))
    return re.compile(rf"(?<![\w'])(?:{'|'.join(parts)})(?![\w'])", re.I)


def _word(word: str) -> str:
    if word == "*":
        return r"\S+"
    if word == "**":
        return r"\S+(?:\s+\S+){0,4}"
    return re.escape(word).replace(r"\*", r"\w*").replace("'", "['’]?")


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
