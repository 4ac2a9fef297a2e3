"""Kind of a sentence by its words and phrases. The tables are ordered: a sentence has
the first kind of which it contains a phrase.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from cuedeck.model.fold_text import fold_text
from cuedeck.parse.pasted_blocks import without_quotations
from cuedeck.records.recall.recall_terms import read_stems
from cuedeck.records.statements.cue_tables import (
    ADVERBS,
    ANNOUNCED,
    AUXILIARIES,
    CAUSES,
    CHANGES,
    CHOICES,
    CONDITIONS,
    CONTRASTS,
    CORRECTIONS,
    COURTESIES,
    DECISIONS,
    DONE,
    ENDLESS,
    FAILED,
    FINDINGS,
    FINISHED,
    KEPT,
    LAPSES,
    LEADS,
    LIMITS,
    MOVES,
    NEGATIONS,
    OBJECTIONS,
    OCCASIONS,
    OPEN,
    ORDERS,
    PASSING,
    PLANNED,
    PREAMBLES,
    PROBLEMS,
    QUESTIONS,
    REASONS,
    REFERENCES,
    REVIEWS,
    RULES,
    SOLUTIONS,
    SUBORDINATES,
    TROUBLES,
    UNDOING,
    UNDONE,
    WEAKNESSES,
    WITHDRAWALS,
)

_AGENT_KINDS: Mapping[str, str] = {
    "failed": FAILED,
    "finding": FINDINGS,
    "decision": DECISIONS,
    "open": OPEN,
}
_HEADS = (
    ("open", f"{OPEN}; {REVIEWS}"),
    ("message", PLANNED),
    ("done", CHANGES),
    ("message", DONE),
    ("finding", WEAKNESSES),
)
"""Phrases of heads that give their kind to what is below them, in order."""


def is_rule(sentence: str, *, is_alone: bool) -> bool:
    """Return whether a sentence of the user is a standing instruction; `is_alone` says
    whether its message has little else than orders.
    """
    if len(sentence) > _LONGEST_RULE or sentence.rstrip().endswith("?"):
        return False
    text = fold_text(without_quotations(sentence))
    if _pattern(QUESTIONS).match(text):
        return False
    if _pattern(PASSING).search(text) or _pattern(COURTESIES).search(text):
        return False
    if _pattern(RULES).search(text) or _pattern(WITHDRAWALS).search(text):
        return True
    if any(_begins(ADVERBS, each) for each in _clauses(text)):
        return True
    if not _begins(ORDERS, text):
        return False
    return is_alone or _pattern(ENDLESS).search(text) is not None


def is_standing(rule: str) -> bool:
    """Return whether a rule says that it lasts; a mere order may limit one task."""
    text = fold_text(rule)
    tables = (RULES, ADVERBS, ENDLESS)
    return any(_pattern(table).search(text) for table in tables)


def names_replaced(rule: str) -> bool:
    """Return whether a rule names the rule that it replaces: it withdraws one, or has
    `instead of` before another value.
    """
    text = fold_text(rule)
    return any(_pattern(table).search(text) for table in (WITHDRAWALS, CONTRASTS))


def is_negative(rule: str) -> bool:
    """Return whether a rule forbids something."""
    return _pattern(NEGATIONS).search(fold_text(rule)) is not None


@cache
def frame_stems() -> frozenset[str]:
    """Return the stems of words that make a sentence a rule, such as `always`."""
    return frozenset(read_stems(f"{ADVERBS} {NEGATIONS} {WITHDRAWALS}"))


def needs_context(rule: str) -> bool:
    """Return whether a rule is clear only with the sentence before it."""
    if len(rule.split()) > _LONGEST_REFERENCE:
        return False
    return _pattern(REFERENCES).search(fold_text(rule)) is not None


def is_correction(message: str) -> bool:
    """Return whether a message of the user begins by correcting the last turn."""
    text = fold_text(without_quotations(message.lstrip()[:_BEGINNING]))
    start = _INTERJECTIONS.sub("", text)
    if _pattern(CORRECTIONS).match(start):
        return True
    return _pattern(OBJECTIONS).search(text) is not None


def is_undoing(correction: str) -> bool:
    """Return whether a correction takes back all that the last turn changed."""
    return _pattern(UNDOING).search(fold_text(correction)) is not None


def is_choice(sentence: str) -> bool:
    """Return whether a sentence of the user chooses something."""
    text = fold_text(without_quotations(sentence))
    return any(_begins(CHOICES, each) for each in _clauses(text))


def kind_of_reply(passage: str) -> str:
    """Return the kind of a passage of the agent; `message` without a cue word."""
    text = fold_text(passage.replace("**", ""))
    if _is_finding(text):
        return "finding"
    if find_phrase(KEPT, text) is not None:
        return "decision" if _pattern(REASONS).search(text) else "done"
    text = fold_text(without_quotations(_CODE.sub("`x`", passage.replace("**", ""))))
    is_done = _is_done(text)
    for kind, phrases in _AGENT_KINDS.items():
        if kind == "failed" and _REPORTED.match(text):
            continue
        is_description = kind == "finding" and not _pattern(PROBLEMS).search(text)
        if not is_description and _happened(phrases, text):
            return kind
    if _TODO.search(passage):
        return "open"
    return "done" if is_done else "message"


def _is_finding(text: str) -> bool:
    """Return whether a folded passage names or announces a cause, a trouble or a lapse
    of the agent.
    """
    if any(_happened(each, text) for each in (CAUSES, ANNOUNCED)):
        return True
    return find_phrase(TROUBLES, text) is not None or is_lapse(text)


def is_lapse(passage: str) -> bool:
    """Return whether an agent admits in a passage that it did something wrong."""
    return _pattern(LAPSES).search(fold_text(passage)) is not None


def only_announces(passage: str) -> bool:
    """Return whether a passage of the agent announces a finding without its content."""
    is_short = len(passage.split()) <= _LONGEST_ANNOUNCEMENT
    text = fold_text(passage)
    return is_short and _pattern(ANNOUNCED).search(text) is not None


def kind_of_head(head: str) -> str:
    """Return the kind that a head gives to what is below it; `message` without one."""
    text = without_preamble(head).rstrip("*: ")
    longest = _LONGEST_HEAD if head.rstrip("* ").endswith(":") else _LONGEST_TITLE
    if len(text.split()) > longest or text.endswith((".", "!", "?")):
        return "message"
    text = fold_text(text)
    for kind, phrases in _HEADS:
        if _pattern(phrases).search(text):
            return kind
    return "message"


def is_advice(passage: str) -> bool:
    """Return whether a passage has the label of a solution, such as `Suggestion:`."""
    return find_phrase(SOLUTIONS, passage.replace("**", "")) is not None


def without_preamble(sentence: str) -> str:
    """Return a sentence of the agent without the announcement of its next step, which
    may end in a colon; empty if it says nothing else.
    """
    while sentence:
        text = fold_text(sentence).lstrip(_MARKS)
        head, _, rest = sentence.partition(": ")
        is_announced = _pattern(ANNOUNCED).search(fold_text(head)) is not None
        if is_announced or not _is_preamble(text):
            break
        sentence = rest
    return sentence


def _is_preamble(sentence: str) -> bool:
    """Return whether a folded sentence announces the next step of an agent, at once or
    after a clause: `Based on your answers, I'll start`.
    """
    if _pattern(PREAMBLES).match(sentence):
        return True
    clauses = _pattern(OCCASIONS).match(sentence) and sentence.split(", ")
    return any(_pattern(MOVES).match(each) for each in clauses or ())


_MARKS = "*_#>-•🔧✅ "
"""Marks before the first word of a passage."""
_LONGEST_HEAD = 8
"""Words of an introduction of open steps, which ends in a colon."""
_LONGEST_TITLE = 5
"""Words of a heading of open steps."""
_LONGEST_ANNOUNCEMENT = 15
"""Words of a sentence that announces a finding and does not name it."""
_LONGEST_RULE = 240
"""Characters of a rule; longer sentences are mostly output or descriptions."""
_LONGEST_REFERENCE = 8
"""Words of a rule that may need the sentence before it."""
_BEGINNING = 200
"""Characters of a message in which the user objects to the last turn."""
_BEFORE = 40
"""Characters before a phrase in which a condition may be."""
_CODE = re.compile(r"`[^`]+`")
_TODO = re.compile(r"\(TODO\)|\bTODO:|status\W{1,3}TODO\b", re.I)
_REPORTED = re.compile(r"\W*(?:i've|we've|i have|we have) (?:\w+ly )?\w+ed\b", re.I)
"""The beginning of a report of finished work, which may name an old failure."""
_INTERJECTIONS = re.compile(
    r"\A(?:(?:hey|wait|well|h?m+|oh|ok|okay|but|pero)[,.!]*\s+)+"
)
_CLAUSE = re.compile(r"[,;:.!…–—]+\s+|\s-\s")


def _clauses(text: str) -> list[str]:
    """Return a folded sentence and its clauses."""
    return [text, *_CLAUSE.split(text)]


def find_phrase(
    phrases: str, sentence: str, *, anywhere: bool = False
) -> tuple[int, int] | None:
    """Return the place of a phrase at the beginning of a sentence, at most after words
    of `LEADS`, or anywhere in it; None without one.
    """
    text = fold_text(sentence)
    if anywhere:
        found = _pattern(phrases).search(text)
        return found.span() if found is not None else None
    at = len(text) - len(text.lstrip("\"'“«*_-( "))
    while True:
        found = _pattern(phrases).match(text, at)
        if found is not None:
            return found.span()
        lead = _pattern(LEADS).match(text, at)
        if lead is None:
            return None
        rest = text[lead.end() :]
        at = len(text) - len(rest.lstrip(",. "))


def _begins(phrases: str, clause: str) -> bool:
    """Return whether a clause begins with a phrase, or with `LEADS` and one."""
    return find_phrase(phrases, clause) is not None


def is_passing(sentence: str) -> bool:
    """Return whether a sentence is about what holds once, or is a guess."""
    return _pattern(PASSING).search(fold_text(sentence)) is not None


def _is_done(text: str) -> bool:
    """Return whether a folded passage reports work that was done."""
    return any(_reports(text, each) for each in _pattern(DONE).finditer(text))


def _reports(text: str, found: re.Match[str]) -> bool:
    """Return whether a phrase of `DONE` reports work: it begins a clause, has `I`,
    `has been` or the like before it, or ends a clause.
    """
    start = max(text.rfind(end, 0, found.start()) for end in (". ", "! ", "? ")) + 1
    sentence = text[start : found.start()]
    is_compound = sentence.endswith("-") or text.startswith("-", found.end())
    if is_compound or _pattern(LIMITS).search(sentence):
        return False
    before = _ADVERBS.sub("", sentence)
    if _CLAUSE_START.search(before) or _pattern(FINISHED).fullmatch(found[0]):
        return True
    word = _LAST_WORD.search(before)
    if found[0].startswith(_SUBJECTS) or (word and _pattern(UNDONE).fullmatch(word[1])):
        return False
    if word and _pattern(AUXILIARIES).fullmatch(word[1]):
        return True
    return _CLAUSE_END.match(text, found.end()) is not None


def _happened(phrases: str, text: str) -> bool:
    """Return whether a phrase is in a folded passage without a condition before it."""
    for found in _pattern(phrases).finditer(text):
        at = found.start()
        sentence = text[text.rfind(". ", 0, at) + 1 : at]
        is_clause = _pattern(SUBORDINATES).search(sentence) is not None
        if not (is_clause or _is_conditional(text, at, found.end())):
            return True
    return False


def _is_conditional(text: str, start: int, end: int) -> bool:
    """Return whether a condition is shortly before a place in a folded text, or
    directly after it.
    """
    before = text[max(0, start - _BEFORE) : start]
    after = text[end:].lstrip()
    conditions = _pattern(CONDITIONS)
    return conditions.search(before) is not None or conditions.match(after) is not None


_ADVERBS = re.compile(r"(?:\b(?:\w+ly|\w+mente|also|just|both|all)\s+)+\Z")
_SUBJECTS = ("i've", "we've")
_CLAUSE_START = re.compile(
    r"(?:\A|[^\w\s)\]\"'`*/>→]|\b(?:and|but|so|then|now|y|pero|et|mais|und|aber|и|но|і|але))"
    r"[\W_]*(?:(?:i|we|i've|we've|я|мы|ми)\s+)?\Z"
)
"""Text before a participle that begins a clause, with its subject at most."""
_CLAUSE_END = re.compile(
    r"[\W_]*\Z|[*_`\"')]*\s*[^\w\s`*\"'/]|[*_`\"')]*\s+"
    r"(?:to|with|from|for|on|in|into|by|as|at|and|but|per|\w+ly|\w+mente"
    r"|en|con|de|para|por|al|avec|dans|pour|mit|für|в|на|для|з|с)\b"
)
"""Text after a participle that ends a clause, or has an adverbial after it."""
_LAST_WORD = re.compile(r"(?<![\w'])([\w'’]+)[*_` ]*\Z")


@cache
def _pattern(phrases: str) -> re.Pattern[str]:
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
