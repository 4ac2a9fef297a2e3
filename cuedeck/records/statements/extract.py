"""Extraction of the statements of one exchange, by rules and without a model."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from cuedeck.model.statement import LONGEST, Spoken, Statement
from cuedeck.records.layers.sentences import split_sentences
from cuedeck.records.statements import cue_words
from cuedeck.records.statements.statement_passages import (
    LEAST_WORDS,
    divide_block,
    split_blocks,
    split_passages,
)

MOST_OF_REPLY = 6
"""Statements of the agent in one exchange."""
_CUES = ("failed", "finding", "decision", "open", "done")
_OPTION = re.compile(
    r"(?:option |opción |variante |вариант |варіант )?\(?([A-Ha-h]|\d)\)?(?:[.,!:)]|\s*$)",
    re.I,
)
_ANSWERS = re.compile(r"^\s*\d{1,2}[.)]", re.M)
_LETTERED = re.compile(
    r"\s*(?:[-*+]\s*)?\**\(?(?:option\s+)?([A-Ha-h]|\d{1,2})\b[.):]*\**"
)


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
    chosen = _chosen_option(spoken)
    if chosen:
        yield "choice", chosen
    is_correction = spoken.turn > 1 and cue_words.is_correction(spoken.prompt)
    for passage in split_passages(spoken.prompt):
        if is_correction:
            yield "correction", passage
            is_correction = False
            continue
        yield from _parts_of_user(passage)


def _parts_of_user(passage: str) -> Iterator[tuple[str, str]]:
    """Yield the rules of a passage, each alone, and the text between them."""
    others: list[str] = []
    for sentence in split_sentences(passage):
        if not cue_words.is_rule(sentence):
            others.append(sentence)
            continue
        yield from _plain(others)
        others = []
        yield "rule", sentence
    yield from _plain(others)


def _plain(sentences: Sequence[str]) -> Iterator[tuple[str, str]]:
    if sentences:
        text = " ".join(sentences)
        yield ("choice" if cue_words.is_choice(text) else "message"), text


def _chosen_option(spoken: Spoken) -> str:
    """Return the text of the option that a prompt such as `B` or `2, but …` names."""
    named = _OPTION.match(spoken.prompt.lstrip())
    if named is None or not spoken.options:
        return ""
    if len(_ANSWERS.findall(spoken.prompt)) > 1:
        return ""  # a list of answers to questions
    for row in spoken.options.split("\n"):
        option = _LETTERED.match(row)
        if option is not None and option[1].lower() == named[1].lower():
            text = " ".join(row[option.end() :].replace("*", "").split()).lstrip(": ")
            if text and text[-1] not in "?:":
                return f"Chosen: {text}"[:LONGEST]
    return ""


def _of_agent(replies: Sequence[str]) -> list[tuple[str, str]]:
    """Return the passages of an agent that have a cue word, and the first others, in
    order.
    """
    passages = [each for reply in replies for each in _passages_of_agent(reply)]
    order = sorted(range(len(passages)), key=lambda at: (_weight(passages[at][0]), at))
    return [passages[at] for at in sorted(order[:MOST_OF_REPLY])]


def _passages_of_agent(reply: str) -> Iterator[tuple[str, str]]:
    """Yield the passages of a reply; the items of a list below a heading such as `Still
    to do:` are open steps, and the heading is left out.
    """
    is_list_of_steps = False
    for block in split_blocks(reply):
        if cue_words.is_head_of_steps(block.text):
            is_list_of_steps = True
            continue
        is_list_of_steps &= block.is_item
        for passage in divide_block(block):
            text = " ".join(filter(_is_said, split_sentences(passage)))
            if len(text.split()) < LEAST_WORDS:
                continue
            kind = cue_words.kind_of_reply(text)
            yield ("open" if is_list_of_steps and kind != "done" else kind), text


def _is_said(sentence: str) -> bool:
    """Return whether a sentence of an agent neither asks nor announces a step."""
    return not sentence.endswith("?") and not cue_words.is_preamble(sentence)


def _weight(kind: str) -> int:
    """Return the rank of a kind among the statements of a reply; smaller is better."""
    return 0 if kind in _CUES else 1
