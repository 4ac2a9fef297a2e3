"""Extraction of the statements of one exchange, by rules and without a model."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from cuedeck.model.statement import LONGEST, Spoken, Statement
from cuedeck.parse.pasted_blocks import join_quotations, restore_quotations
from cuedeck.records.layers.sentences import split_sentences
from cuedeck.records.statements import cue_words
from cuedeck.records.statements.chosen_option import answers_questions, chosen_option
from cuedeck.records.statements.statement_passages import (
    LEAST_WORDS,
    Block,
    divide_block,
    split_blocks,
    split_passages,
)

MOST_OF_REPLY = 6
"""Statements of the agent in one exchange."""
_CUES = ("failed", "finding", "decision", "open", "done")
_SENTENCE_END = re.compile(r"(?<=\w\w[.!?])(?<!etc\.)(?<!vs\.)\s+")
"""The end of a sentence of a user, who may not write capital letters."""
_LONGEST_HEADING = 6
"""Words of a heading that says nothing without its section."""


def extract_statements(spoken: Spoken) -> list[Statement]:
    """Return the statements of an exchange: those of the user, then the best of the
    agent, each text once.
    """
    found: dict[str, Statement] = {}
    for kind, text in _of_user(spoken):
        _add(found, spoken, Statement(kind, "user", text, spoken.turn))
    for kind, text in _of_agent(spoken.replies):
        _add(found, spoken, Statement(kind, "agent", text, spoken.turn))
    return list(found.values())


def _add(found: dict[str, Statement], spoken: Spoken, new: Statement) -> None:
    stamped = Statement(new.kind, new.speaker, new.text, new.turn, spoken.timestamp)
    found.setdefault(new.text, stamped)


def _of_user(spoken: Spoken) -> Iterator[tuple[str, str]]:
    prompt = join_quotations(spoken.prompt)
    chosen = chosen_option(spoken.prompt, spoken.options)
    if chosen:
        yield "choice", f"Chosen: {chosen}"[:LONGEST]
    is_correction = spoken.turn > 1 and cue_words.is_correction(spoken.prompt)
    passages = list(split_passages(prompt))
    is_alone = _is_mostly_orders(passages)
    is_answer = answers_questions(spoken.prompt, spoken.options)
    for passage in passages:
        for kind, text in _parts_of_user(passage, is_alone):
            if is_correction and kind != "rule":
                kind = "correction"
            elif is_answer and kind == "message" and "?" not in text:
                kind = "choice"
            is_correction = False
            yield kind, restore_quotations(text)


def _is_mostly_orders(passages: Sequence[str]) -> bool:
    """Return whether orders and rules are at least half of the words of a message; in
    another message, an order limits the task that it gives.
    """
    total = orders = 0
    for passage in passages:
        for sentence in _SENTENCE_END.split(passage):
            size = len(sentence.split())
            total += size
            orders += size if cue_words.is_rule(sentence, is_alone=True) else 0
    return orders * 2 >= total


def _parts_of_user(passage: str, is_alone: bool) -> Iterator[tuple[str, str]]:
    """Yield the rules of a passage, each alone, and the text between them."""
    others: list[str] = []
    for sentence in _SENTENCE_END.split(passage):
        if not cue_words.is_rule(sentence, is_alone=is_alone):
            others.append(sentence)
            continue
        if others and cue_words.needs_context(sentence):
            sentence = f"{others.pop()} {sentence}"
        yield from _plain(others)
        others = []
        yield "rule", sentence
    yield from _plain(others)


def _plain(sentences: Sequence[str]) -> Iterator[tuple[str, str]]:
    if sentences:
        kind = "choice" if cue_words.is_choice(sentences[0]) else "message"
        yield kind, " ".join(sentences)


def _of_agent(replies: Sequence[str]) -> list[tuple[str, str]]:
    """Return the passages of an agent that have a cue word, and the first others, in
    order.
    """
    passages = [each for reply in replies for each in _passages_of_agent(reply)]
    order = sorted(range(len(passages)), key=lambda at: (_weight(passages[at][0]), at))
    return [passages[at] for at in sorted(order[:MOST_OF_REPLY])]


def _passages_of_agent(reply: str) -> Iterator[tuple[str, str]]:
    """Yield the passages of a reply; the items of a list below a heading such as `Still
    to do:` are open steps. Headings, check boxes elsewhere and the answers that a
    question offers are left out.
    """
    is_list_of_steps = is_list_of_answers = False
    for block in split_blocks(reply):
        if cue_words.is_head_of_steps(block.text):
            is_list_of_steps = True
            continue
        is_list_of_steps &= block.is_item
        is_list_of_answers &= block.is_item
        is_list_of_answers |= block.text.rstrip("* ").endswith("?")
        is_dump = block.has_box and not is_list_of_steps
        if is_list_of_answers or is_dump or _is_short_heading(block):
            continue
        for passage in divide_block(block):
            text = " ".join(filter(_is_said, split_sentences(passage)))
            if len(text.split()) <= LEAST_WORDS:
                continue
            kind = cue_words.kind_of_reply(text)
            is_step = is_list_of_steps and kind != "done"
            if kind == "open" and "✅" in block.text:
                kind = "done"
            yield ("open" if is_step else kind), text


def _is_short_heading(block: Block) -> bool:
    return block.is_heading and len(block.text.split()) <= _LONGEST_HEADING


def _is_said(sentence: str) -> bool:
    """Return whether a sentence of an agent neither asks nor announces something."""
    if sentence.endswith("?") or cue_words.is_preamble(sentence):
        return False
    is_introduction = sentence.rstrip("* ").endswith(":")
    return not is_introduction or cue_words.kind_of_reply(sentence) != "message"


def _weight(kind: str) -> int:
    """Return the rank of a kind among the statements of a reply; smaller is better."""
    return 0 if kind in _CUES else 1
