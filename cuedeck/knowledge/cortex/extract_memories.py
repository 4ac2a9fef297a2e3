"""Memories of user and agent in the statements of conversations, by one table.

A row of `CATEGORIES` says which sentences make a memory of one kind: those that begin
with a phrase, and all of a kind of statement. Statements about the same thing have the
same key, which is made from the words after the phrase.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from cuedeck.knowledge.cortex.memory_card import (
    MemoryKind,
    memory_key,
    memory_title,
)
from cuedeck.knowledge.statements import cue_tables, cue_words
from cuedeck.model.statement import Statement
from cuedeck.text.sentences import split_sentences

_USER = frozenset(("user",))
_ANYONE = frozenset(("user", "agent", "tool"))
_SUBJECT = re.compile(
    r"\s(?:for|as|in|para|como|pour|comme|für|для|як)\s(?!I\b|we\b|you\b)(?P<key>[^,;.!]+)"
)
_VALUE = re.compile(r"\s*(?:=|\b(?:is|are|as|since|until|es|son|como|desde|hasta)\b)")
"""The end of the subject of a preference, or of the name of an employer."""
_REASON = re.compile(
    r",?\s(?:because|since|so that|due to|porque|ya que|para que|debido a|parce que"
    r"|weil|потому что|тому що)\s"
)
_LEAST_WORDS = 3
"""Words of the key of a problem that an agent found, and of its solution."""
_INTERJECTION = re.compile(r"\A\w+,\s+")
_NAME = re.compile(r"[A-ZÀ-ÞА-ЯІЇЄҐ][\w'’-]*(?: [A-ZÀ-ÞА-ЯІЇЄҐ][\w'’-]*){0,3}")
_NO_NAMES = """
    this; that; these; those; it; there; here; he; she; they; we; you; i; one; today;
    the; my; our; esto; eso; esta; este; ese; esa; el; la; hoy; ça; cela; das; es; это; це
"""
"""First words of phrases that are no names."""
_PEOPLE = "; ".join(
    f"is my {each}; es mi {each}" for each in cue_tables.PEOPLE.split(";")
)
_PEOPLE_FIRST = "; ".join(
    f"my {each} is; mi {each} es" for each in cue_tables.PEOPLE.split(";")
)


class Said(NamedTuple):
    """A statement with the place where it is stored."""

    statement: Statement
    place: Callable[[str], str]
    """Returns the address of a sentence of the statement."""
    time: str
    """RFC 3339 in UTC, to the second."""


class ExtractedMemory(NamedTuple):
    """A sentence that makes a memory."""

    kind: MemoryKind
    key: str
    title: str
    """The words of the sentence from which the key is made."""
    text: str
    sources: tuple[str, ...]
    """Addresses of the sentence."""
    time: str


class _Name(NamedTuple):
    key: str
    title: str


def _named(phrase: str, before: str = "") -> _Name:
    """Return key and title of a phrase; a negation before it is part of the title."""
    title = memory_title(phrase)
    negations = cue_words.phrase_pattern(cue_tables.NEGATIONS).findall(before.lower())
    if negations and title:
        title = f"{negations[-1]} {title}"
    return _Name(memory_key(phrase), title)


def _by_object(sentence: str, start: int, end: int) -> _Name:
    """Name a decision by its object, without its reason."""
    rest = _REASON.split(sentence[end:], maxsplit=1)[0].lstrip()
    while found := cue_words.find_phrase(cue_tables.OBJECTS, rest):
        rest = rest[found[1] :].lstrip()
    return _named(rest)


def _by_subject(sentence: str, start: int, end: int) -> _Name:
    """Name a preference by its subject, such as `editor` in `vim as my editor`."""
    rest = _REASON.split(sentence[end:], maxsplit=1)[0]
    about = _SUBJECT.search(rest)
    if about is not None:
        return _named(about["key"])
    return _named(re.split(r"[,;]", _VALUE.split(rest, maxsplit=1)[0])[0])


def _by_rest(sentence: str, start: int, end: int) -> _Name:
    return _named(sentence[end:], sentence[:end])


def _by_value(sentence: str, start: int, end: int) -> _Name:
    return _named(_VALUE.split(sentence[end:], maxsplit=1)[0])


def _by_phrase(sentence: str, start: int, end: int) -> _Name:
    return _named(_VALUE.split(sentence[start:end], maxsplit=1)[0])


def _by_name_before(sentence: str, start: int, end: int) -> _Name:
    return _of_name(sentence[:start].strip())


def _by_name_after(sentence: str, start: int, end: int) -> _Name:
    found = _NAME.match(sentence[end:].lstrip())
    return _of_name(found[0]) if found is not None else _Name("", "")


def _of_name(text: str) -> _Name:
    is_name = _NAME.fullmatch(text) and not cue_words.find_phrase(_NO_NAMES, text)
    return _named(text) if is_name else _Name("", "")


class _Category(NamedTuple):
    """A row of the table: sentences that make a memory of one kind."""

    kind: MemoryKind
    speakers: frozenset[str]
    kinds: frozenset[str]
    """Kinds of statements that make a memory without a phrase."""
    phrases: str
    name: Callable[[str, int, int], _Name] = _by_rest
    """Returns the name of a memory from the sentence and the place of its phrase."""
    is_anywhere: bool = False
    """Whether the phrase may be in the middle of the sentence."""


_NONE: frozenset[str] = frozenset()
_CHOSEN = frozenset(("choice",))
CATEGORIES = (
    _Category("preference", _USER, _NONE, cue_tables.PREFERENCES, _by_subject),
    _Category("event", _ANYONE, _NONE, cue_tables.DECIDED, _by_object),
    _Category("goal", _USER, _NONE, cue_tables.GOALS),
    _Category("personal_info", _USER, _NONE, cue_tables.PERSONAL, _by_phrase),
    _Category("work_history", _USER, _NONE, cue_tables.WORK, _by_value),
    _Category("relationship", _USER, _NONE, _PEOPLE, _by_name_before, True),
    _Category("relationship", _USER, _NONE, _PEOPLE_FIRST, _by_name_after),
    _Category("entity", _USER, _NONE, cue_tables.ENTITIES, _by_name_before, True),
    _Category("entity", _USER, _NONE, cue_tables.ROLES, _by_name_after),
    _Category("skill", _ANYONE, _NONE, cue_tables.LESSONS),
    _Category("instruction", _USER, frozenset(("rule",)), cue_tables.REMEMBER),
    _Category("event", _USER, _CHOSEN, f"chosen:; {cue_tables.CHOICES}", _by_object),
    _Category("skill", frozenset(("tool",)), frozenset(("finding",)), ""),
)
"""Categories in the order in which they are tried; the first one that gives a name
counts.
"""


class _Problem(NamedTuple):
    text: str
    name: _Name
    turn: int
    """The turn in which a report of the agent solves it; 0 for one with a label, which
    needs a solution with a label.
    """


def extract_memories(said: Iterable[Said]) -> Iterator[ExtractedMemory]:
    """Yield the memories in the statements of one session, which are in order.

    A labelled problem and the labelled solution after it are one case of the agent, as
    are the cause of a problem that it found and its report in the same turn.
    """
    problem: _Problem | None = None
    for each in said:
        sentences = split_sentences(each.statement.text)
        if each.statement.kind == "rule":  # with the sentence that it refers to
            sentences = [each.statement.text]
        for sentence in sentences:
            found = _problem(sentence, each.statement)
            if found is not None:
                problem = found
                continue
            solution = _solution(sentence, each.statement, problem)
            if problem is not None and solution:
                text = f"Problem: {problem.text}\n\nSolution: {solution}"
                yield _memory("case", problem.name, text, each, sentence)
                problem = None
                continue
            yield from _of_sentence(sentence, each)


def _problem(sentence: str, statement: Statement) -> _Problem | None:
    label = cue_words.find_phrase(cue_tables.TROUBLES, sentence)
    if label is not None:
        text = sentence[label[1] :].strip()
        return _Problem(text, _named(text), 0) if memory_key(text) else None
    if (statement.speaker, statement.kind) != ("agent", "finding"):
        return None
    cause = cue_words.find_phrase(cue_tables.CAUSES, sentence)
    if cause is None or sentence.endswith(":") or cue_words.is_passing(sentence):
        return None
    name = _named(sentence[cause[1] :])
    is_named = len(name.key.split()) >= _LEAST_WORDS
    return _Problem(sentence, name, statement.turn) if is_named else None


def _solution(sentence: str, statement: Statement, problem: _Problem | None) -> str:
    label = cue_words.find_phrase(cue_tables.SOLUTIONS, sentence)
    if label is not None:
        return sentence[label[1] :].strip()
    if problem is None or not problem.turn or problem.turn != statement.turn:
        return ""
    is_report = (statement.speaker, statement.kind) == ("agent", "done")
    is_done = is_report and cue_words.kind_of_reply(sentence) == "done"
    says_what = len(memory_key(sentence).split()) >= _LEAST_WORDS
    return sentence if is_done and says_what and not sentence.endswith(":") else ""


def _of_sentence(given: str, said: Said) -> Iterator[ExtractedMemory]:
    sentence = _INTERJECTION.sub("", unicodedata.normalize("NFC", given))
    if sentence.endswith("?") or "¿" in sentence:
        return
    speaker = said.statement.speaker
    reminder = None
    if speaker == "user":
        reminder = cue_words.find_phrase(cue_tables.REMEMBER, sentence)
    rest = sentence
    if reminder is not None:
        rest = sentence[reminder[1] :].lstrip(" :,")
        if cue_words.find_phrase(cue_tables.QUESTION_WORDS, rest):
            return
    for category in CATEGORIES:
        if not _may_be(category, said.statement, rest):
            continue
        is_reminder = category.phrases is cue_tables.REMEMBER and reminder is not None
        kind = said.statement.kind
        name = _name_in(category, rest, kind, is_reminder=is_reminder)
        if name is not None and name.key:
            yield _memory(category.kind, name, sentence, said, given)
            return


def _may_be(category: _Category, statement: Statement, sentence: str) -> bool:
    """Return whether a sentence of a statement can be of a category."""
    if statement.speaker not in category.speakers:
        return False
    if category.kinds is _CHOSEN and statement.kind not in category.kinds:
        return False
    is_lasting = category.kind == "preference" or category.kinds is _CHOSEN
    return not (is_lasting and cue_words.is_passing(sentence))


def _name_in(
    category: _Category, sentence: str, kind: str, *, is_reminder: bool
) -> _Name | None:
    """Return the name of a memory of a category; None if the sentence is of another."""
    place = None
    if category.phrases:
        place = cue_words.find_phrase(
            category.phrases,
            sentence,
            anywhere=category.is_anywhere,
        )
    if place is not None:
        return category.name(sentence, *place)
    if is_reminder:
        return _named(sentence)
    if kind not in category.kinds or category.kinds is _CHOSEN:
        return None
    for frame in (cue_tables.ADVERBS, cue_tables.RULES):
        place = cue_words.find_phrase(frame, sentence)
        if place is not None:
            return _by_rest(sentence, *place)
    if kind == "rule" and not cue_words.is_standing(sentence):
        return None
    return _named(sentence)


def _memory(
    kind: MemoryKind,
    name: _Name,
    text: str,
    said: Said,
    sentence: str,
) -> ExtractedMemory:
    sources = (said.place(sentence),)
    return ExtractedMemory(kind, name.key, name.title, text, sources, said.time)
