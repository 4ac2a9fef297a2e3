"""Summary of a turn, for its memory record: request, results, decisions, findings and
open steps, in the words of its statements.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, zip_longest

from cuedeck.model.statement import Statement

CHARACTERS = 600
"""Maximal number of characters of a summary. No statement is cut, so that the deletion
of a record finds the statements in it.
"""
_MOST_ASKED = 310
_LEAST_ASKED = 4
"""Words of the shortest prompt that is part of a summary."""
_LABELS = {
    "done": "Done",
    "decision": "Decided",
    "finding": "Found",
    "failed": "Found",
    "open": "To do",
    "message": "",
}
_STANDING = frozenset(("rule", "correction", "choice"))
"""Kinds of statements of the user that matter without a reply."""


def summarize_turn(statements: Sequence[Statement]) -> str:
    """Return the summary of a turn; empty for a trivial one, in which only the user
    said something, and no instruction, correction or choice.

    Plain messages of the agent count only if it said nothing else. Example: `Asked:
    Print two columns. Done: Fixed the layout. To do: the page break.`
    """
    asked = [each for each in statements if each.speaker == "user"]
    said = [each for each in statements if each.speaker != "user"]
    if not said and not any(each.kind in _STANDING for each in asked):
        return ""
    words = " ".join(_fitting(map(_sentence, asked), _MOST_ASKED))
    parts = []
    if len(words.split()) >= _LEAST_ASKED:
        parts.append(_labelled("Asked", words))
    telling = [each for each in said if each.kind != "message"] or said
    texts: dict[str, list[str]] = {label: [] for label in _LABELS.values()}
    for statement in telling:
        texts[_LABELS.get(statement.kind, "")].append(_sentence(statement))
    in_turns = filter(None, chain.from_iterable(zip_longest(*texts.values())))
    room = CHARACTERS - len(words) - len(_LABELS) * len(" Decided: ")
    chosen = frozenset(_fitting(in_turns, room))
    for label, every in texts.items():
        parts.append(_labelled(label, " ".join(filter(chosen.__contains__, every))))
    return " ".join(filter(None, parts))


def _fitting(texts: Iterable[str], room: int) -> Iterator[str]:
    for text in texts:
        if len(text) < room:
            room -= len(text) + 1
            yield text


def _labelled(label: str, text: str) -> str:
    is_labelled = not (label and text) or text.startswith(f"{label}: ")
    return text if is_labelled else f"{label}: {text}"


def _sentence(statement: Statement) -> str:
    text = statement.text
    return text if text[-1:] in ".!?:…" else f"{text}."
