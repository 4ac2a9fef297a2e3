"""Layers of conversations and of texts without structure: an extract of the sentences
that cover their subjects.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby, pairwise
from typing import NamedTuple

from cuedeck.knowledge.layers.document_layers import Document, document_layers
from cuedeck.knowledge.layers.layer_file import (
    ABSTRACT_TOKENS,
    OVERVIEW_TOKENS,
    LayerPair,
)
from cuedeck.model.formatting import counted
from cuedeck.model.ports import Count
from cuedeck.parse.prose import prose_text
from cuedeck.text.keywords import content_terms, name_terms
from cuedeck.text.line_budget import cut_text, join_lines
from cuedeck.text.sentences import split_sentences
from cuedeck.text.term_coverage import Candidate, choose

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
    extract = _Extract(messages, count)
    abstract = cut_text(head, count, ABSTRACT_TOKENS // _HEAD_SHARE)
    text = extract.running_text(ABSTRACT_TOKENS - count.count(f"{abstract}\n"))
    if text:
        abstract = f"{abstract}\n{text}"
    top = f"# {head}\n"
    limit = OVERVIEW_TOKENS - count.count(f"{top}\n")
    rows = {at + 1: row for at, row in extract.rows(limit).items()}
    return LayerPair(abstract, join_lines({0: top, **rows}, count, OVERVIEW_TOKENS))


def text_layers(title: str, text: str, count: Count) -> LayerPair:
    """Return the layers of a memory, a message or a plain text: `title — text` as
    abstract, the whole text as overview if it fits.
    """
    document = document_layers(Document(title, text), count)
    head = f"{title} — " if title else ""
    whole = head + " ".join(text.split())
    if count.count(whole) <= ABSTRACT_TOKENS:
        return replace(document, abstract=whole)
    room = ABSTRACT_TOKENS - count.count(head)
    extract = extract_text([Message("", "", "", text)], count, room)
    abstract = cut_text(f"{head}{extract}", count, ABSTRACT_TOKENS)
    return replace(document, abstract=abstract)


def extract_text(messages: Sequence[Message], count: Count, limit: int) -> str:
    """Return an extract of at most `limit` tokens as running text."""
    return _Extract(messages, count).running_text(limit)


class _Extract:
    """The sentences of a conversation with their terms, chosen within a limit."""

    def __init__(self, messages: Sequence[Message], count: Count) -> None:
        self.messages = messages
        self.count = count
        self.texts: list[str] = []
        self._candidates: list[Candidate] = []
        """For each sentence; its group is the position of its message."""
        self._weights: dict[str, int] = {}
        # A message that addresses another speaker by name says nothing by that.
        said_by = content_terms(" ".join(each.speaker for each in messages))
        for at, message in enumerate(messages):
            for text in split_sentences(prose_text(message.text)):
                names = name_terms(text) - said_by
                self._weights.update(dict.fromkeys(names, _NAME_WEIGHT))
                factor = _QUESTION_FACTOR if _IS_QUESTION.search(text) else 1.0
                terms = content_terms(text) - said_by
                cost = count.count(f"{text} ")
                self.texts.append(text)
                self._candidates.append(Candidate(terms, cost, at, factor))

    def _choose(self, limit: int, heads: Sequence[str]) -> list[int]:
        """Return the positions of sentences that fit with the heads of their
        messages.
        """
        costs = {at: self.count.count(f"{head} ") for at, head in enumerate(heads)}
        return choose(self._candidates, self._weights, limit, costs)

    def running_text(self, limit: int) -> str:
        """Return chosen sentences in time order, each after its speaker if that
        changes.
        """
        heads = [f"{each.speaker}:" if each.speaker else "" for each in self.messages]
        chosen = self._choose(limit, heads)
        while chosen:
            text = self._joined(chosen)
            if self.count.count(text) <= limit:
                return text
            chosen.pop()
        first = self.texts[0] if self.texts else ""
        return cut_text(first, self.count, limit)

    def _joined(self, chosen: Sequence[int]) -> str:
        parts: list[str] = []
        speaker = ""
        for at in chosen:
            current = self.messages[self._candidates[at].group].speaker
            if current != speaker:
                parts.append(f"{current}:")
                speaker = current
            parts.append(self.texts[at])
        return " ".join(parts)

    def rows(self, limit: int) -> dict[int, str]:
        """Return one row for each message with chosen sentences, by its position.

        Each row cites the file of its message.
        """
        rows = self._rows(range(len(self.texts)))
        if sum(self.count.count(f"{row}\n") for row in rows.values()) <= limit:
            return rows
        heads = [f"{_row_head(each)} [{each.name}]\n" for each in self.messages]
        return self._rows(self._choose(limit, heads))

    def _rows(self, chosen: Sequence[int]) -> dict[int, str]:
        rows = {}
        for at, group in groupby(chosen, key=lambda at: self._candidates[at].group):
            positions = list(group)
            text = self.texts[positions[0]]
            for before, after in pairwise(positions):
                gap = " " if after == before + 1 else _GAP
                text += gap + self.texts[after]
            message = self.messages[at]
            rows[at] = f"{_row_head(message)} {text} [{message.name}]"
        return rows


def _row_head(message: Message) -> str:
    speaker = f"{message.speaker}:" if message.speaker else ""
    return " ".join(part for part in ("-", message.time, speaker) if part)
