"""Layers of conversations and of texts without structure: an extract of the sentences
that cover their subjects.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import groupby, pairwise
from typing import NamedTuple

from cuedeck.knowledge.layers.document_layers import document_layers
from cuedeck.knowledge.layers.layer_file import (
    ABSTRACT_TOKENS,
    OVERVIEW_TOKENS,
    LayerPair,
)
from cuedeck.model.formatting import counted
from cuedeck.model.ports import Count
from cuedeck.parse.prose import prose_text
from cuedeck.text.keywords import Candidate, choose, content_terms, name_terms
from cuedeck.text.line_budget import cut_text, join_lines
from cuedeck.text.sentences import split_sentences

_NAME_WEIGHT = 3
"""Weight of a name, a number or code; other terms weigh 1."""
_QUESTION_FACTOR = 0.5
"""A question names a subject, but states nothing."""
_IS_QUESTION = re.compile(r"[?？][\"'”’)*_]*$")
_HEAD_SHARE = 4
"""The head of an abstract uses at most this part of it: one fourth."""
_GAP = " … "


class Message(NamedTuple):
    """One message of a conversation; its text is masked."""

    name: str
    """File name without `.md`, cited in the overview."""
    time: str
    """Time of day, `09:15`; may be empty."""
    speaker: str
    """Role or name; may be empty."""
    text: str
    seq: int = 0
    """Its number in the session; messages of a day are in this order."""


def timeline_layers(title: str, messages: Sequence[Message], count: Count) -> LayerPair:
    """Return the layers of the messages of a day, in time order."""
    speakers = list(dict.fromkeys(each.speaker for each in messages if each.speaker))
    by = f" by {', '.join(speakers)}" if speakers else ""
    head = f"{title}: {counted(len(messages), 'message')}{by}"
    abstract = cut_text(head, count, ABSTRACT_TOKENS // _HEAD_SHARE)
    room = ABSTRACT_TOKENS - count.count(f"{abstract}\n")
    text = extract_text(messages, count, room)
    if text:
        abstract = f"{abstract}\n{text}"
    top = f"# {head}\n"
    rows = _rows(messages, count, OVERVIEW_TOKENS - count.count(f"{top}\n"))
    lines = dict(enumerate([top, *rows]))
    return LayerPair(abstract, join_lines(lines, count, OVERVIEW_TOKENS))


def text_layers(title: str, text: str, count: Count) -> LayerPair:
    """Return the layers of a memory, a message or a plain text: `title — text` as
    abstract, the whole text as overview if it fits.
    """
    document = document_layers(title, text, count)
    head = f"{title} — " if title else ""
    whole = head + " ".join(text.split())
    if count.count(whole) <= ABSTRACT_TOKENS:
        return replace(document, abstract=whole)
    room = ABSTRACT_TOKENS - count.count(head)
    extract = extract_text([Message("", "", "", text)], count, room)
    abstract = cut_text(f"{head}{extract}", count, ABSTRACT_TOKENS)
    return replace(document, abstract=abstract)


class _Sentence(NamedTuple):
    at: int
    """Position of its message."""
    text: str
    terms: frozenset[str]


def _sentences(messages: Sequence[Message]) -> list[_Sentence]:
    # A message that addresses another speaker by name says nothing by that.
    said_by = content_terms(" ".join(each.speaker for each in messages))
    return [
        _Sentence(at, text, content_terms(text) - said_by)
        for at, message in enumerate(messages)
        for text in split_sentences(prose_text(message.text))
    ]


def _choose(
    sentences: Sequence[_Sentence], heads: Sequence[str], count: Count, limit: int
) -> list[int]:
    """Return the positions of the sentences that cover most of the terms and fit with
    the heads of their messages.
    """
    weights: dict[str, int] = {}
    candidates = []
    for at, text, terms in sentences:
        weights |= dict.fromkeys(name_terms(text) & terms, _NAME_WEIGHT)
        factor = _QUESTION_FACTOR if _IS_QUESTION.search(text) else 1.0
        candidates.append(Candidate(terms, count.count(f"{text} "), at, factor))
    costs = {at: count.count(f"{head} ") for at, head in enumerate(heads)}
    return choose(candidates, weights, limit, costs)


def extract_text(messages: Sequence[Message], count: Count, limit: int) -> str:
    """Return an extract of at most `limit` tokens as running text: sentences in time
    order, each after its speaker if that changes.
    """
    sentences = _sentences(messages)
    speakers = [_speaker(each) for each in messages]
    chosen = _choose(sentences, speakers, count, limit)
    while chosen:
        parts = []
        speaker = ""
        for at, text, _ in map(sentences.__getitem__, chosen):
            parts += [text] if speakers[at] == speaker else [speakers[at], text]
            speaker = speakers[at]
        text = " ".join(filter(None, parts))
        if count.count(text) <= limit:
            return text
        chosen.pop()
    return cut_text(sentences[0].text, count, limit) if sentences else ""


def _rows(messages: Sequence[Message], count: Count, limit: int) -> list[str]:
    """Return one row for each message with chosen sentences; it cites the file of its
    message.
    """
    sentences = _sentences(messages)
    rows = _rows_of(messages, sentences, range(len(sentences)))
    if sum(count.count(f"{row}\n") for row in rows) > limit:
        ends = [f"{_row_head(each)} [{each.name}]\n" for each in messages]
        chosen = _choose(sentences, ends, count, limit)
        rows = _rows_of(messages, sentences, chosen)
    return rows


def _rows_of(
    messages: Sequence[Message], sentences: Sequence[_Sentence], chosen: Iterable[int]
) -> list[str]:
    rows = []
    for at, group in groupby(chosen, key=lambda each: sentences[each].at):
        positions = list(group)
        text = sentences[positions[0]].text
        for before, after in pairwise(positions):
            gap = " " if after == before + 1 else _GAP
            text += gap + sentences[after].text
        rows.append(f"{_row_head(messages[at])} {text} [{messages[at].name}]")
    return rows


def _speaker(message: Message) -> str:
    return f"{message.speaker}:" if message.speaker else ""


def _row_head(message: Message) -> str:
    return " ".join(filter(None, ("-", message.time, _speaker(message))))
