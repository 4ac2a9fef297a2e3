"""Memories that messages state explicitly, found without a model.

Only sentences with a marker of `marker_patterns` are extracted. Code, quotations,
questions, and parts of the user's messages that are not their own words are not read. A
problem and a solution are two labelled statements, of the same message or of two
messages; together they are one case of the agent.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from cuedeck.parse.own_words import own_words_in_place
from cuedeck.parse.pasted_blocks import join_quotations, restore_quotations
from cuedeck.records.cortex.marker_patterns import (
    LEAD_IN,
    MARKERS,
    PROBLEM,
    REMEMBER,
    SOLUTION,
    SPANISH,
    TODO,
    Marker,
)
from cuedeck.records.cortex.memory_card import MemoryKind
from cuedeck.records.cortex.memory_key import (
    MAX_WORDS,
    memory_key,
    memory_title,
    negation_before,
    pair_key,
)
from cuedeck.records.cortex.message_file import Message
from cuedeck.records.layers.sentences import split_sentences

MAX_LINE = 10_000
"""Characters of the longest line that is searched."""
_LEAST_STATEMENT = 6
"""Characters of the shortest sentence that a marker can match."""
_FENCE = re.compile(r"\s*(`{3,}|~{3,})")
_LIST_MARK = re.compile(r"\s*(?:#{1,6}\s+|[-*+]\s+|\d{1,3}[.)]\s+)*")
_EMPHASIS = re.compile(r"\*\*|__")


class ExtractedMemory(NamedTuple):
    """A statement of a message."""

    kind: MemoryKind
    key: str
    title: str
    """The words of the statement from which the key is made."""
    text: str
    source: str
    """Address of the message."""
    line: int
    """1-based line of the message file."""
    seq: int
    """Number of the message in its session."""


class LeftOut(NamedTuple):
    """A marked line that is not extracted."""

    source: str
    line: int
    reason: str


class Extraction(NamedTuple):
    """Memories of some messages, in the order of the messages."""

    memories: tuple[ExtractedMemory, ...]
    left_out: tuple[LeftOut, ...]


class SourceMessage(NamedTuple):
    """A message with its address."""

    address: str
    message: Message


class _Place(NamedTuple):
    source: str
    line: int
    seq: int


class _Name(NamedTuple):
    key: str
    title: str


class _Problem(NamedTuple):
    text: str
    place: _Place


def extract_memories(messages: Iterable[SourceMessage]) -> Extraction:
    """Return the memories that messages of one session state; `messages` are in the
    order of the session.
    """
    memories: list[ExtractedMemory] = []
    left_out: list[LeftOut] = []
    problem: _Problem | None = None
    for address, message in messages:
        if message.role == "system":
            continue
        content = message.content
        if message.role == "user":
            content = own_words_in_place(content)
        for number, line in _prose_lines(join_quotations(content)):
            place = _Place(address, message.body_line + number, message.seq)
            if len(line) > MAX_LINE:
                left_out.append(LeftOut(address, place.line, "the line is too long"))
                continue
            for statement in _split_labels(line):
                found = PROBLEM.match(statement)
                if found:
                    left_out += _unsolved(problem)
                    problem = _Problem(found["text"], place)
                    continue
                found = SOLUTION.match(statement)
                if found and problem is not None:
                    memories.append(_case(problem, found["text"], place))
                    problem = None
                    continue
                memories += _unlabelled(statement, message.role, place)
    left_out += _unsolved(problem)
    for memory in memories:
        if not memory.key:
            reason = "the statement has no word to name it by"
            left_out.append(LeftOut(memory.source, memory.line, reason))
    named = [_restored(memory) for memory in memories if memory.key]
    return Extraction(tuple(named), tuple(left_out))


def _restored(memory: ExtractedMemory) -> ExtractedMemory:
    text, title = map(restore_quotations, (memory.text, memory.title))
    return memory._replace(text=text, title=title)


def _prose_lines(content: str) -> Iterator[tuple[int, str]]:
    """Yield the lines of a message without code and quotations, each with its offset
    from the first line; marks of lists and headings are removed.
    """
    fence = ""
    for number, line in enumerate(content.split("\n")):
        mark = _FENCE.match(line)
        if fence:
            if mark and mark[1].startswith(fence):
                fence = ""
            continue
        if mark:
            fence = mark[1]
            continue
        if line.lstrip().startswith(">") or line.startswith(("    ", "\t")):
            continue
        text = _EMPHASIS.sub("", line[_matched(_LIST_MARK, line) :]).strip()
        if text:
            yield number, text


def _matched(pattern: re.Pattern[str], text: str) -> int:
    found = pattern.match(text)
    return found.end() if found else 0


def _split_labels(line: str) -> list[str]:
    """Return a line divided before each sentence that begins with a label, such as
    `Problem:`, `Solution:` or `TODO:`.
    """
    parts: list[str] = []
    for sentence in split_sentences(line):
        is_labelled = any(label.match(sentence) for label in (PROBLEM, SOLUTION, TODO))
        if is_labelled or not parts:
            parts.append(sentence)
        else:
            parts[-1] += f" {sentence}"
    return parts


def _unlabelled(line: str, role: str, place: _Place) -> Iterator[ExtractedMemory]:
    """Yield the memories of a text that is neither a problem nor a solution."""
    found = TODO.match(line)
    if found:
        text = found["key"] or found["box"]
        yield _memory("goal", _named(text), f"TODO: {text}", place)
        return
    for sentence in split_sentences(line):
        memory = _sentence_memory(sentence, role, place)
        if memory is not None:
            yield memory


def _sentence_memory(sentence: str, role: str, place: _Place) -> ExtractedMemory | None:
    """Return the memory that a sentence states, or None."""
    if sentence.endswith("?") or "¿" in sentence:
        return None
    if len(sentence) < _LEAST_STATEMENT:
        return None
    statement = _capitalised(sentence[_matched(LEAD_IN, sentence) :])
    request = REMEMBER.match(statement)
    rest = statement
    if request and role == "user":
        rest = request["key"]
    for marker in MARKERS:
        found = marker.pattern.match(rest) if role in marker.roles else None
        if found:
            return _memory(marker.kind, _name(marker, found), statement, place)
    if request and role == "user":
        language = "es" if SPANISH.match(statement) else "en"
        return _memory("instruction", _named(rest, language), statement, place)
    return None


def _capitalised(sentence: str) -> str:
    """Return a sentence with a capital, which the words before it had."""
    return sentence[:1].upper() + sentence[1:]


def _name(marker: Marker, found: re.Match[str]) -> _Name:
    """Return key and title of a memory from the groups of its marker."""
    groups = found.groupdict()
    if marker.name:
        return _Name(marker.name, marker.name)
    if "one" not in groups:
        phrase = groups["key"]
        # The words before the phrase are not part of the key.
        negation = negation_before(found.string[: found.start("key")])
        return _Name(
            memory_key(phrase, marker.language), memory_title(f"{negation}{phrase}")
        )
    both = found.string[found.start("one") : found.end("other")]
    key = pair_key(groups["one"], groups["other"], marker.language)
    return _Name(key, memory_title(both, 2 * MAX_WORDS))


def _named(phrase: str, language: str = "en") -> _Name:
    return _Name(memory_key(phrase, language), memory_title(phrase))


def _memory(kind: MemoryKind, name: _Name, text: str, place: _Place) -> ExtractedMemory:
    return ExtractedMemory(
        kind=kind,
        key=name.key,
        title=name.title,
        text=text,
        source=place.source,
        line=place.line,
        seq=place.seq,
    )


def _case(problem: _Problem, solution: str, place: _Place) -> ExtractedMemory:
    text = f"Problem: {problem.text}\n\nSolution: {solution}"
    return _memory("case", _named(problem.text), text, place)


def _unsolved(problem: _Problem | None) -> Iterator[LeftOut]:
    if problem is not None:
        yield LeftOut(
            problem.place.source, problem.place.line, "no solution follows the problem"
        )
